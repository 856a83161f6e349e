/** Looking at environments on a real cluster: logs that lose and double nothing, lists, addresses, reports. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type JsonObject, listAt, numberAt, textAt } from '../../src/domain/cluster/json.ts'
import { compose, job, page } from '../support/e2e/apps.ts'
import { shown } from '../support/e2e/command.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { until } from '../support/process/until.ts'

const labelsOf = (service: string) => ({ 'dev.devtool/environment': 'shop', 'dev.devtool/service': service })

/** Containers of the image that every cluster of these tests has. */
const deployment = (service: string, script: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: service, labels: labelsOf(service) },
  spec: {
    selector: { matchLabels: labelsOf(service) },
    template: {
      metadata: { labels: labelsOf(service) },
      spec: {
        terminationGracePeriodSeconds: 1,
        containers: [
          {
            name: service,
            image: 'busybox:latest',
            command: ['sh', '-c', script],
            volumeMounts: [{ name: 'kept', mountPath: '/kept' }],
          },
        ],
        volumes: [{ name: 'kept', emptyDir: {} }],
        ...more,
      },
    },
  },
})

const messages = (text: string): ReadonlyArray<string> =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.slice(line.indexOf(' | ') + 3))

/** Counts on where the instance before stopped, and dies after some lines. */
const counter = `
  n=$(cat /kept/n 2>/dev/null || echo 0); end=$((n + 40))
  while [ $n -lt $end ]; do n=$((n + 1)); echo "line $n"; echo $n >/kept/n; sleep 0.05; done
  [ $n -lt 120 ] && exit 1; sleep 3600`

const followed = async (space: Space): Promise<void> => {
  await space.create('Deployment', deployment('early', 'echo "I was here"; sleep 3600'))
  await until('a pod', async () => (await space.list('Pod')).length > 0)
  const running = space.start('logs', '--name', 'shop', '--follow')
  await running.says('I was here\n')
  await space.create('Deployment', deployment('counter', counter))
  await running.says('line 120\n')
  // The kubelet tells of a restart later than the container speaks. On a busy node it may remove the earlier instance.
  let seen = ''
  await until(
    () => `the log of the instance before: ${seen}`,
    async () => {
      const said = await space.run('logs', 'counter', '--previous', '--name', 'shop')
      const [pod] = await space.list('Pod', 'dev.devtool/service=counter')
      const [container] = listAt(pod, 'status', 'containerStatuses')
      seen = `${shown(said)}${JSON.stringify(container)}`
      if ((numberAt(container, 'restartCount') ?? 0) < 2) return false
      if (textAt(container, 'lastState', 'terminated', 'reason') !== 'Error') {
        return said.status === 1 && /counter was restarted, but|before this one could not be started/.test(said.stderr)
      }
      const before = messages(said.stdout)
      return before[0] === 'line 41' && before.at(-1) === 'line 80'
    },
  )
  running.child.kill('SIGINT')
  const { status, stdout } = await running.ended
  assert.is(status, 130)
  const counted = messages(stdout).filter((text) => text.startsWith('line '))
  assert.equal(
    counted,
    Array.from({ length: 120 }, (_, index) => `line ${index + 1}`),
  )
}

const printed = async (space: Space): Promise<void> => {
  const script = `printf '{"level":"warn","msg":"slow","ms":12}\\n'; printf '\\033[2J\\033[31mred\\n'; echo done; sleep 3600`
  const init = { initContainers: [{ name: 'prepare', image: 'busybox:latest', command: ['echo', 'preparing'] }] }
  await space.create('Deployment', deployment('api', script, init))
  await space.create('Deployment', deployment('web', 'echo page; sleep 3600'))
  await space.create('Job', {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'migrate', labels: labelsOf('migrate') },
    spec: {
      template: {
        metadata: { labels: labelsOf('migrate') },
        spec: {
          restartPolicy: 'Never',
          containers: [{ name: 'migrate', image: 'busybox:latest', command: ['echo', 'migrated'] }],
        },
      },
    },
  })
  const wanted = ['preparing', 'WARN slow ms=12', '\\x1b[2Jred', 'done', 'page', 'migrated']
  // Some containers may not have started.
  const all = async () => messages((await space.run('logs', '--name', 'shop')).stdout)
  await until('all lines', async () => (await all()).length === wanted.length)
  assert.equal((await all()).toSorted(), wanted.toSorted())
  const some = await space.must('logs', 'a', '--exclude', 'apx', '--tail', '1', '--name', 'shop')
  assert.equal(messages(some.stdout), ['preparing', 'done'])
  const json = await space.must('logs', 'api', '-o', 'json', '--name', 'shop')
  const lines = json.stdout.split('\n').slice(0, -1)
  const data: ReadonlyArray<{ schema: number; service: string; fields?: unknown }> = lines.map((line) =>
    JSON.parse(line),
  )
  assert.ok(data.every(({ schema, service }) => schema === 1 && service === 'api'))
  assert.equal(
    data.flatMap(({ fields }) => fields ?? []),
    [{ level: 'warn', msg: 'slow', ms: 12 }],
  )
  const one = await space.must('logs', '--container', 'prepare', '--tail', '-1', '--name', 'shop')
  assert.equal(messages(one.stdout), ['preparing'])
  assert.is((await space.run('logs', 'nobody', '--name', 'shop')).status, 5)
  assert.is((await space.run('logs', 'a(', '--name', 'shop')).status, 2)
  assert.is((await space.run('logs', '--name', 'other')).status, 5)
}

const [crowdSize, linesEach] = [100, 50]

/** Nothing but pods, since a hundred Deployments would take the cluster minutes. */
const crowd = async (space: Space): Promise<void> => {
  const names = Array.from({ length: crowdSize }, (_, index) => `s-${index}`)
  const script = `i=0; while [ $i -lt ${linesEach} ]; do i=$((i + 1)); echo "$0 $i"; done; sleep 3600`
  for (const name of names) {
    const containers = [{ name, image: 'busybox:latest', command: ['sh', '-c', script, name] }]
    const spec = { terminationGracePeriodSeconds: 0, containers }
    await space.create('Pod', { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: labelsOf(name) }, spec })
  }
  const wanted = names.flatMap((name) => Array.from({ length: linesEach }, (_, index) => `${name} ${index + 1}`))
  const last = async () => new Set(messages((await space.run('logs', '--all', '--tail', '1', '--no-follow')).stdout))
  await until('the last line of each', async () => {
    const seen = await last()
    return names.every((name) => seen.has(`${name} ${linesEach}`))
  })
  const whole = await space.must('logs', '--all', '--tail', '-1', '--no-follow')
  assert.equal(messages(whole.stdout).toSorted(), wanted.toSorted())
  const running = space.start('logs', '--all', '--tail', '1', '--follow')
  await Promise.all(names.map((name) => until(name, () => running.output().includes(`${name} ${linesEach}\n`))))
  const peak = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${running.child.pid}/status`, 'utf8'))?.[1]
  const interrupted = performance.now()
  running.child.kill('SIGINT')
  assert.is((await running.ended).status, 130)
  const left = performance.now() - interrupted
  const [all, end] = [(whole.ms / 1000).toFixed(1), left.toFixed(0)]
  process.stdout.write(
    `  ${crowdSize} logs printed in ${all} s; followed with ${Number(peak) >> 10} MB, ended in ${end} ms\n`,
  )
  // The pods stay for an hour, and with them the streams: whoever waits for the server takes far longer.
  assert.ok(left < 60_000, `it took ${left} ms to end`)
}

const canary = 'canary-4711-value'

const listed = async (space: Space): Promise<void> => {
  space.write(
    'compose.yaml',
    compose({
      web: page('hello', 'ports: ["8080:8080"]', `environment: {TITLE: ${canary}}`),
      broken: ['image: busybox:latest', 'command: ["false"]'],
      migrate: job(`echo the title is ${canary}`),
    }),
  )
  assert.match((await space.must('list')).stderr, /no environment in namespace/)
  await space.must('deploy', '--name', 'shop')
  const settled = [/^web .* ready/m, /^migrate .* complete/m, /^broken .* progressing: /m]
  let rows = ''
  await until('all that the list tells', async () => {
    rows = (await space.must('list', 'shop')).stdout
    return settled.every((state) => state.test(rows))
  })
  const watching = space.start('list', 'shop', '--watch')
  for (const service of ['web', 'migrate', 'broken']) await watching.says(service)
  await space.merge('Deployment', 'web', { spec: { replicas: 2 } })
  await until('the change is shown', () => /^web +Deployment +2\/2 +ready/m.test(watching.output()))
  await space.merge('Deployment', 'web', { spec: { replicas: 1 } })
  await until('it is shown again', () => /2\/2 +ready[^]*^web +Deployment +1\/1 +ready/m.test(watching.output()))
  watching.child.kill('SIGINT')
  assert.is((await watching.ended).status, 130)
  const table = (await space.must('list')).stdout
  assert.match(table, /^Name +Status +Services +Endpoints +Age +Who\nshop +deployed +3 +1 +\d/)
  assert.is((await space.must('list', '-o', 'name')).stdout, 'shop\n')
  assert.match(rows, /^web +Deployment +1\/1 +ready +0 +\S+ +busybox:latest$/m)
  assert.match(rows, /^migrate +Job +1\/1 +complete/m)
  assert.match(rows, /^broken +Deployment +0\/1 +progressing: /m)
  const found = await space.must('endpoints', '--name', 'shop', '-o', 'json')
  const { endpoints }: { endpoints: ReadonlyArray<{ url: string; service: string }> } = JSON.parse(found.stdout)
  assert.equal(
    endpoints.map(({ service, url }) => [service, url]),
    [['web', `http://web-${space.namespace}.localhost/`]],
  )
  await space.must('doctor', '--name', 'shop')
  const zip = readdirSync(space.folder).find((name) => name.startsWith('devtool-doctor-')) ?? ''
  const texts = Object.entries(unzipSync(new Uint8Array(readFileSync(join(space.folder, zip)))))
  assert.ok(texts.length > 8)
  for (const [path, bytes] of texts) assert.not.ok(strFromU8(bytes).includes(canary), path)
  const checks = await space.must('doctor', '--check')
  assert.match(checks.stdout, /^rights +ok/m)
}

const list: ReadonlyArray<Scenario> = [
  { title: 'logs: restarts and new pods are followed, and every line is printed once', space: 'follow', run: followed },
  {
    title: 'logs: lines of all containers are sorted, escaped, selected by expression and printed as data',
    space: 'print',
    run: printed,
  },
  { title: 'logs: --all prints and follows those of a hundred services', space: 'crowd', run: crowd },
  { title: 'list, endpoints and doctor show what was deployed', space: 'list', run: listed },
]

const test = suite('see')

await scenarios(test, list)

test.run()
