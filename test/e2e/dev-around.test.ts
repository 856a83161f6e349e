/** What `up` does before it starts, and what other commands say of what it has started. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { at } from '../../src/domain/cluster/json.ts'
import { accountWith, editorOf } from '../support/e2e/account.ts'
import { shown } from '../support/e2e/command.ts'
import type { Lab, Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { sleeping } from '../support/e2e/sleeping.ts'
import { freePort } from '../support/process/ports.ts'
import { until } from '../support/process/until.ts'

const section = (name: string): string => `  ${name}:\n    workdir: /tmp\n    persistentVolume: { enabled: false }\n`

const named = (name: string) => JSON.parse(JSON.stringify(sleeping()).replaceAll('"api"', `"${name}"`))

const prepared = async (space: Space, ...names: ReadonlyArray<string>): Promise<void> => {
  space.write('devtool.yml', `dev:\n${names.map(section).join('')}`)
  for (const name of names) await space.create('Deployment', named(name))
}

const chosen = async (space: Space): Promise<void> => {
  await prepared(space, 'api', 'web')
  await space.inTerminal(['up', '--command', 'echo "in $HOSTNAME"'], async (terminal) => {
    await terminal.until('which development container?')
    terminal.press('Down')
    terminal.press('Enter')
    await terminal.until(/^in devtool-up-deployment-web-/m)
    await terminal.until('status 0')
  })
  assert.is(at((await space.get('Deployment', 'api')) ?? null, 'spec', 'replicas'), 2)
  await space.must('down', 'web')
}

const created = async (space: Space): Promise<void> => {
  const port = await freePort()
  const own = `    image: busybox:1.37\n    autocreate: true\n    forward: ["${port}:8080", "${port + 1}:api:8080"]\n`
  space.write('devtool.yml', `dev:\n${section('api')}${own}`)
  const up = space.start('up', '--yes', '--command', 'echo own >index.html; httpd -p 8080 -h .; echo ready; sleep 1000')
  await up.says('ready')
  for (const local of [port, port + 1]) {
    await until(`an answer at ${local}`, async () => {
      const answer = await fetch(`http://127.0.0.1:${local}`).catch(() => undefined)
      return (await answer?.text()) === 'own\n'
    })
  }
  await space.must('down')
  assert.is((await up.ended).status, 5)
  const left = [await space.list('Deployment'), await space.list('Service')]
  assert.equal(left, [[], []])
}

const everything = ['get', 'list', 'watch', 'create', 'patch', 'update', 'delete']
const withoutLink = [
  { apiGroups: ['apps'], resources: ['deployments', 'replicasets', 'statefulsets', 'daemonsets'], verbs: everything },
  { apiGroups: ['batch'], resources: ['jobs', 'cronjobs'], verbs: everything },
  {
    apiGroups: [''],
    resources: ['configmaps', 'secrets', 'persistentvolumeclaims', 'pods', 'events'],
    verbs: everything,
  },
]
const forExec = { apiGroups: [''], resources: ['pods/exec'], verbs: ['get', 'create'] }

const rights = async (space: Space, lab: Lab): Promise<void> => {
  await prepared(space, 'api')
  const words = ['up', '--yes', '--command', 'echo "$HOSTNAME"'] as const
  const weak = await accountWith(lab, space, 'weak', [...withoutLink, { ...forExec, verbs: ['create'] }])
  const refused = await space.through(weak.kubeconfig, weak.context).run(...words)
  assert.is(refused.status, 4, shown(refused))
  assert.match(refused.stderr, /DT5054: not allowed in namespace \S+: get, create pods\/portforward; get pods\/exec/)
  assert.equal(await space.list('ConfigMap', 'dev.devtool/kind=up'), [])
  assert.is(at((await space.get('Deployment', 'api')) ?? null, 'spec', 'replicas'), 2)

  const executing = await accountWith(lab, space, 'executing', [...withoutLink, forExec])
  const commands = space.through(executing.kubeconfig, executing.context)
  assert.match((await commands.must(...words)).stdout, /^devtool-up-deployment-api-/)
  await until('only the agent of this command runs', async () => {
    const { stdout } = await commands.must('exec', '--', 'sh', '-c', 'ps | grep -c [-]-stdio')
    return stdout === '1\n'
  })
  await commands.must('down')
}

const everyOne = async (space: Space, lab: Lab): Promise<void> => {
  await prepared(space, 'api', 'web')
  const account = await editorOf(lab, space)
  const other = space.through(account.kubeconfig, account.context)
  const words = ['--yes', '--command', 'true'] as const
  await space.must('up', 'api', ...words)
  await other.must('up', 'web', ...words)
  const replicas = async (name: string) => at((await space.get('Deployment', name)) ?? null, 'spec', 'replicas')
  const own = await space.must('down', '--all')
  assert.match(own.stderr, /web/)
  assert.equal([await replicas('api'), await replicas('web')], [2, 0])
  await space.must('down', '--from-cluster', '--take-over')
  assert.is(await replicas('web'), 2)
}

const events = async (space: Space): Promise<void> => {
  await prepared(space, 'api')
  const up = await space.run('up', '--yes', '--progress', 'json', '--command', 'echo out; exit 5')
  assert.equal([up.status, up.stdout], [5, 'out\n'], shown(up))
  const told = up.stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.ok(
    told.some(
      ({ detail, state, title, type }) =>
        `${type} ${title} ${state}` === 'step api done' && detail.startsWith('connected'),
    ),
  )
  const last = told.at(-1)
  assert.equal([last.type, last.exitStatus], ['end', 5])
  await space.must('down')
}

const compose = `name: shop
services:
  api:
    image: busybox:1.37
    command: [sleep, "3600"]
    stop_grace_period: 0s
    ports: ["8080:8080"]
    deploy: { resources: { limits: { memory: 96M } } }
`

const known = async (space: Space): Promise<void> => {
  space.write('compose.yml', compose)
  await space.must('deploy')
  await space.must('up', 'api', '--yes', '--command', 'echo out')
  const said = async (...[command = '', ...words]: ReadonlyArray<string>) => (await space.run(command, ...words)).stdout
  assert.match(await said('list', 'shop'), /api .*developed/)
  assert.match(await said('why'), /api \(developed by /)
  const { endpoints } = JSON.parse(await said('endpoints', '-o', 'json'))
  assert.equal(
    endpoints.map(({ developedBy, developedSince }: Readonly<Record<string, unknown>>) => [
      typeof developedBy,
      typeof developedSince,
    ]),
    [['string', 'string']],
  )
  assert.match(await said('status'), /api/)
  assert.match(
    (await space.must('logs', 'api')).stderr,
    /api is developed by \S+ on \S+ since \S+: its output is in the terminal of `devtool up /,
  )

  const zip = /\S+\.zip/.exec((await space.must('doctor', 'api')).stdout)?.[0] ?? ''
  const entries = Object.entries(unzipSync(new Uint8Array(readFileSync(join(space.folder, zip)))))
  const textOf = (part: string): string =>
    strFromU8(entries.find(([name]) => name.includes(part))?.[1] ?? new Uint8Array())
  assert.match(textOf('summary.txt'), /developed: +api \(Deployment\/api\) by .*: running, devtool-up-deployment-api-/)
  assert.match(textOf('summary.txt'), new RegExp(`${process.platform}.*${process.arch}`))
  assert.match(textOf('manifest/compose.yml'), /^services:\n {2}api:/m)
  assert.ok(
    entries.some(([name]) => /logs\/.*devtool-up-deployment-api/.test(name)),
    entries.map(([name]) => name).join('\n'),
  )

  // Where the whole container is not ended for it, its first process is.
  await space.run('exec', '--', 'sh', '-c', 'tail /dev/zero; kill -TERM 1')
  await until('the limit is named', async () =>
    (await said('status')).includes('OOMKilled at its memory limit of 96Mi'),
  )
  assert.match(await said('why'), /exceeded its memory limit of 96Mi/)
  await space.must('down')
}

const remarked = async (space: Space): Promise<void> => {
  await prepared(space, 'api')
  await space.create('HorizontalPodAutoscaler', {
    metadata: { name: 'many' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'api' },
      minReplicas: 2,
      maxReplicas: 3,
    },
  })
  await space.create('PodDisruptionBudget', {
    metadata: { name: 'enough' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'api' } } },
  })
  const { stderr } = await space.must('up', '--yes', '--loglevel', 'info', '--command', 'true')
  assert.match(stderr, /DT5010: .*HorizontalPodAutoscaler\/many, which does nothing until `devtool down /)
  assert.match(stderr, /DT5014: PodDisruptionBudget\/enough .*a drain of its node may wait/)
  await space.must('down')
}

const options = { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } }

const all: ReadonlyArray<Scenario> = [
  { title: 'of several sections, up asks for one', space: 'dev-chosen', run: chosen },
  { title: 'autocreate makes a workload and a Service until down', space: 'dev-created', run: created },
  {
    title: 'without a right to connect nothing is written; the right to run commands is enough',
    space: 'dev-rights',
    run: rights,
  },
  {
    title: 'down --all ends what one develops oneself, with --take-over also the rest',
    space: 'dev-all',
    run: everyOne,
  },
  { title: 'an autoscaler and a disruption budget are named once, before up begins', space: 'dev-said', run: remarked },
  { title: 'up tells its progress as JSON', space: 'dev-json', run: events },
  { title: 'other commands know what is developed, and why it was killed', space: 'dev-known', run: known },
].map((scenario) => ({ ...scenario, options }))

const test = suite('dev-around')
await scenarios(test, all)
test.run()
