/** Done means done: what `deploy --wait` waits for, and what ends it at once. */
import { resolve } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { at, listAt, numberAt, textAt } from '../../src/domain/cluster/json.ts'
import { compose } from '../support/e2e/apps.ts'
import { shown } from '../support/e2e/command.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { pathWithTools } from '../support/e2e/helm.ts'
import { scenarios } from '../support/e2e/scenarios.ts'
import { until } from '../support/process/until.ts'

/** A service without a health check. Without a share of a processor, `sleep 1` could take longer than a deploy watches. */
const sh = (script: string, ...more: ReadonlyArray<string>): ReadonlyArray<string> => [
  'image: busybox:latest',
  `command: ["sh", "-c", "${script}"]`,
  'stop_grace_period: 1s',
  'deploy: {resources: {reservations: {cpus: "0.2"}}}',
  ...more,
]

const chart = resolve('test/e2e/charts/shop')
const tools = { env: { PATH: await pathWithTools() } }

const manifest = (...commands: ReadonlyArray<string>): string =>
  ['deploy:', ...commands.map((command) => `  - ${command}`), compose({ web: sh('sleep 3600') })].join('\n')

const gated = `
apiVersion: v1
kind: Pod
metadata: {name: gated}
spec:
  terminationGracePeriodSeconds: 0
  readinessGates: [{conditionType: example.com/open}]
  containers: [{name: app, image: 'busybox:latest', command: [sleep, '3600']}]
`

/** Of a Secret that has another key. */
const keyed = `
apiVersion: v1
kind: Pod
metadata: {name: keyed}
spec:
  containers:
    - name: app
      image: busybox:latest
      command: [sleep, '3600']
      env: [{name: PASSWORD, valueFrom: {secretKeyRef: {name: settings, key: password}}}]
`

/** Its pod runs, and nobody asks it whether it is ready for ten minutes. */
const unprobed = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: slow}
spec:
  progressDeadlineSeconds: 4
  selector: {matchLabels: {app: slow}}
  template:
    metadata: {labels: {app: slow}}
    spec:
      terminationGracePeriodSeconds: 0
      containers:
        - name: app
          image: busybox:latest
          imagePullPolicy: IfNotPresent
          command: [sleep, '3600']
          readinessProbe: {exec: {command: ['true']}, initialDelaySeconds: 600}
`

const test = suite('done')

await scenarios(test, [
  {
    title: 'a deploy fails if a program ends after a second, whatever its status',
    space: 'ends',
    run: async (space) => {
      space.write('compose.yaml', compose({ web: sh('sleep 1') }))
      const { status, stderr } = await space.run('deploy', '--wait', '--timeout', '5m')
      assert.is(status, 1, stderr)
      assert.match(stderr, /error DT3207: web: .* exits by itself \(exit code 0, restarted 3 times\)/)
      assert.match(stderr, 'restart: "no"')
    },
  },
  {
    title: '--fail-fast ends a deploy at the first restart',
    space: 'fast',
    run: async (space) => {
      space.write('compose.yaml', compose({ web: sh('sleep 1; exit 3') }))
      const { status, stderr } = await space.run('deploy', '--wait', '--fail-fast', '--timeout', '5m')
      assert.is(status, 1, stderr)
      assert.match(stderr, /error DT3207: web: .* \(exit code 3, restarted once\)/)
    },
  },
  {
    title: 'a program that is not in the image fails the deploy at once',
    space: 'absent',
    run: async (space) => {
      space.write('compose.yaml', compose({ web: ['image: busybox:latest', 'command: ["/no/such/program"]'] }))
      const ended = await space.run('deploy', '--wait', '--timeout', '5m')
      assert.is(ended.status, 1, shown(ended))
      assert.match(ended.stderr, /error DT3217: web: /)
      const [pod] = await space.list('Pod')
      const [container] = listAt(pod, 'status', 'containerStatuses')
      const ends = ['state', 'lastState'].map((when) => at(container, when, 'terminated'))
      assert.ok(
        ends.some((end) => textAt(end, 'reason') === 'StartError' && numberAt(end, 'exitCode') === 128),
        JSON.stringify(container),
      )
    },
  },
  {
    title: 'if a new version does not start, the cause comes first, then that the old one still serves',
    space: 'old',
    run: async (space) => {
      const db = sh('sleep 3600', 'healthcheck: {test: ["CMD", "true"], interval: 1s}')
      space.write('compose.yaml', compose({ db, web: sh('sleep 3600', 'depends_on: [db]') }))
      await space.must('deploy', '--wait', '--timeout', '5m')
      const broken = ['image: busybox:no-such-tag', 'healthcheck: {test: ["CMD", "true"], interval: 1s}']
      space.write('compose.yaml', compose({ db: broken, web: sh('sleep 3600', 'depends_on: [db]') }))
      const { status, stderr } = await space.run('deploy', '--wait', '--timeout', '5m')
      assert.is(status, 1, stderr)
      assert.match(stderr, /error DT320\d: db: .*no-such-tag/)
      assert.match(stderr, 'warning DT3161: db: the old version still serves: 1 pod with busybox:latest')
    },
  },
  {
    title: 'with on-delete, an image that does not exist fails a deploy once a pod needs it',
    space: 'on-delete',
    run: async (space) => {
      const db = (tag: string) => [
        `image: busybox:${tag}`,
        'command: ["sleep", "3600"]',
        'stop_grace_period: 1s',
        'volumes: ["data:/data"]',
        'labels: {dev.devtool/update: on-delete}',
      ]
      const deployed = (tag: string) => {
        space.write('compose.yaml', compose({ db: db(tag) }, 'volumes: {data: {}}'))
        return space.run('deploy', '--wait', '--timeout', '5m')
      }
      const first = await deployed('no-such-tag')
      assert.is(first.status, 1, shown(first))
      assert.match(first.stderr, /error DT320\d: db: .*no-such-tag/)
      const repaired = await deployed('latest')
      assert.is(repaired.status, 0, shown(repaired))
      assert.match(repaired.stderr, /DT3131: .* stay until they are deleted, also db-0, which is not ready/)
      await space.remove('Pod', 'db-0')
      const same = await deployed('latest')
      assert.is(same.status, 0, shown(same))
      assert.not.match(same.stderr, 'DT3131')
      await deployed('no-such-tag')
      await space.remove('Pod', 'db-0')
      const last = await deployed('no-such-tag')
      assert.is(last.status, 1, shown(last))
      assert.match(last.stderr, /error DT320\d: db: .*no-such-tag/)
    },
  },
  {
    title: 'objects created by commands are waited for',
    space: 'made',
    options: tools,
    run: async (space) => {
      space.write('folder/kustomization.yaml', 'namePrefix: in-\nresources: [slow.yaml]\n')
      space.write(
        'folder/slow.yaml',
        unprobed.replace(/ {2}progressDeadlineSeconds: 4\n|, initialDelaySeconds: 600/g, ''),
      )
      space.write(
        'devtool.yml',
        manifest(
          'kubectl create deployment app --image busybox:latest -- sleep 3600',
          'kubectl create job once --image busybox:latest -- sleep 2',
          'kubectl run bare --image busybox:latest -- sleep 3600',
          `helm upgrade --install queue ${chart}`,
          'kubectl apply -k folder',
        ),
      )
      const { stderr } = await space.must('deploy', '--wait', '--timeout', '5m')
      for (const name of ['Deployment/app', 'Pod/bare', 'Deployment/queue-web', 'Deployment/in-slow']) {
        assert.match(stderr, `done    ${name}: 1 of 1 ready`)
      }
      assert.match(stderr, 'done    Job/once: complete')
    },
  },
  ...[
    { space: 'broken', command: 'kubectl create deployment app --image busybox:no-such-tag', name: 'app' },
    {
      space: 'chart',
      command: `helm upgrade --install queue ${chart} --set image=busybox:no-such-tag`,
      name: 'queue-web',
    },
  ].map(({ command, name, space: short }) => ({
    title: `a Deployment created by a command fails the deploy if its image does not exist: ${command.split(' ', 1)[0]}`,
    space: short,
    options: tools,
    run: async (space: Space) => {
      space.write('devtool.yml', manifest(command))
      const { status, stderr } = await space.run('deploy', '--wait', '--timeout', '5m')
      assert.is(status, 1, stderr)
      assert.ok(new RegExp(`error DT320\\d: Deployment/${name}: .*no-such-tag`).test(stderr), stderr)
    },
  })),
  {
    title: 'a pod with a closed readiness gate is waited for until the timeout, or until the gate opens',
    space: 'gate',
    options: tools,
    run: async (space) => {
      space.write('pod.yaml', gated)
      space.write('devtool.yml', manifest('kubectl apply -f pod.yaml'))
      await space.must('deploy')
      await until(
        'its container runs',
        async () =>
          at(await space.get('Pod', 'gated'), 'status', 'containerStatuses', 0, 'state', 'running') !== undefined,
      )
      const { status, stderr } = await space.run('deploy', '--wait', '--timeout', '30s')
      assert.is(status, 6, stderr)
      assert.match(stderr, 'Pod/gated (0 of 1 ready, waiting for the readiness gate example.com/open)')
      const opened = JSON.stringify({ status: { conditions: [{ type: 'example.com/open', status: 'True' }] } })
      const open = `kubectl patch pod gated --subresource=status -p '${opened}'`
      space.write('devtool.yml', manifest('kubectl apply -f pod.yaml', open))
      const done = await space.must('deploy', '--wait', '--timeout', '1m')
      assert.match(done.stderr, 'done    Pod/gated: 1 of 1 ready')
    },
  },
  {
    title: 'a container that cannot be created since a key of a Secret is missing ends a deploy at its second try',
    space: 'key',
    options: tools,
    run: async (space) => {
      space.write('pod.yaml', keyed)
      const secret = 'kubectl create secret generic settings --from-literal=user=app'
      space.write('devtool.yml', manifest(secret, 'kubectl apply -f pod.yaml'))
      const ended = await space.run('deploy', '--wait', '--timeout', '5m')
      assert.is(ended.status, 1, shown(ended))
      assert.match(ended.stderr, 'error DT3216: Pod/keyed: the Secret settings has no key password')
      assert.is(ended.stderr.match(/^error /gm)?.length, 1, shown(ended))
      const failures = (await space.list('Event')).filter((event) => textAt(event, 'reason') === 'Failed')
      assert.ok(
        failures.some((event) => (numberAt(event, 'count') ?? 0) > 1),
        JSON.stringify(failures),
      )
    },
  },
  {
    title: 'a rollout that exceeded its progress deadline ends the deploy',
    space: 'overdue',
    options: tools,
    run: async (space) => {
      space.write('slow.yaml', unprobed)
      space.write('devtool.yml', manifest('kubectl apply -f slow.yaml'))
      const { status, stderr } = await space.run('deploy', '--wait', '--timeout', '5m')
      assert.is(status, 1, stderr)
      assert.match(stderr, /error DT3225: Deployment\/slow: its rollout made no progress within 4 s: 0 of 1 ready/)
      assert.match(stderr, 'raise progressDeadlineSeconds')
      assert.match(stderr, /kubectl describe pod slow-/)
    },
  },
  {
    title: 'a service with public ports is ready when one of them accepts connections, and the others are a warning',
    space: 'ports',
    run: async (space) => {
      const slow = sh('sleep 5; exec httpd -f -p 8080', 'ports: ["8080:8080", "9090:9090"]')
      space.write('compose.yaml', compose({ web: slow }))
      const { stderr } = await space.must('deploy', '--wait', '--timeout', '5m')
      assert.match(stderr, 'DT3160: service "web": nothing listens on public port 9090, but 8080 accepts connections')
    },
  },
])

test.run()
