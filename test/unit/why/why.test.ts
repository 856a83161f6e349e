import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { why } from '../../../src/app/inspect/why.ts'
import { type RenderedView, viewed } from '../../../src/cli/view/view.ts'
import { showWhy } from '../../../src/cli/view/why.ts'
import { at, isObject, type JsonObject } from '../../../src/domain/cluster/json.ts'
import { exitStatus } from '../../../src/domain/diagnostic/status.ts'
import { type EnvironmentRecord, emptyRecord, recordBody } from '../../../src/domain/environment/record.ts'
import { memoryClock } from '../../memory/clock.ts'
import { type MemoryClusterOptions, memoryCluster } from '../../memory/cluster.ts'
import { record } from '../../support/cluster/destroy.ts'
import { container, event, pod, readyStatus, replicaSet, workload } from '../../support/why/lives.ts'

const test = suite('why')

const inDemo = (object: JsonObject): JsonObject => {
  const known = at(object, 'metadata')
  return { ...object, metadata: { ...(isObject(known) ? known : {}), namespace: 'demo' } }
}

const labelled = (name: string, more: Parameters<typeof workload>[2] = {}): JsonObject => {
  const live = workload('Deployment', name, more)
  const labels = { ...live.metadata.labels, 'dev.devtool/environment': 'shop' }
  return inDemo({ ...live, metadata: { ...live.metadata, labels } })
}

const crashing = container(
  { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } },
  { restartCount: 2, lastState: { terminated: { exitCode: 3, reason: 'Error' } } },
)

const available = { replicas: 1, updatedReplicas: 1, availableReplicas: 1 }
const healthy = (name: string): ReadonlyArray<JsonObject> => [
  labelled(name, { spec: { replicas: 1 }, status: available }),
  inDemo(replicaSet(name, '2', { availableReplicas: 1 })),
  inDemo(pod(`${name}-1`, `set-${name}-2`, { status: readyStatus })),
]
const failing = (name: string, dependsOn?: string): ReadonlyArray<JsonObject> => [
  labelled(name, dependsOn === undefined ? {} : { annotations: { 'dev.devtool/depends-on': dependsOn } }),
  inDemo(replicaSet(name, '2')),
  inDemo(pod(`${name}-1`, `set-${name}-2`, { status: crashing })),
]

const ask = async (options: MemoryClusterOptions, service?: string, output: 'text' | 'json' = 'text') => {
  const cluster = memoryCluster(options)
  cluster.say('demo/web-1', 'web', ['no such option: colour'])
  const result = await why({ clock: memoryClock() })({
    target: { cluster, namespace: 'demo' },
    environment: 'shop',
    ...(service === undefined ? {} : { service }),
  })
  return viewed(result, (report) => showWhy(output, report))
}

const textOf = ({ output = '' }: Pick<RenderedView, 'output'>): string => (typeof output === 'string' ? output : '')

test('a healthy environment is one line and status 0', async () => {
  const { findings, output = '' } = await ask({ objects: [...healthy('web'), ...healthy('db')] })
  assert.is(output, 'healthy: db, web\n')
  assert.is(exitStatus(findings), 0)
})

test('repeated restarts of a healthy service are a remark, also where the node has not kept the last instance', async () => {
  const said = async (lastState: JsonObject): Promise<string> => {
    const containerStatuses = [{ name: 'web', ready: true, restartCount: 3, state: { running: {} }, lastState }]
    const objects = [
      ...healthy('web').slice(0, 2),
      inDemo(pod('web-1', 'set-web-2', { status: { ...readyStatus, containerStatuses } })),
    ]
    return textOf(await ask({ objects }))
  }
  const begin = 'warning DT3194: web: healthy, but the container was restarted 3 times'
  assert.ok(
    (await said({ terminated: { exitCode: 9, reason: 'Error' } })).startsWith(
      `${begin}, the last time after exit code 9\n`,
    ),
  )
  assert.ok((await said({})).startsWith(`${begin}\n`))
})

test('services that others depend on come first, then those affected by them', async () => {
  const objects = [...failing('api', '{"web":"service_healthy"}'), ...failing('web'), ...healthy('db')]
  const { findings, isInOutput = () => false, output = '' } = await ask({ objects })
  assert.is(exitStatus(findings), 1)
  assert.ok(findings.every(isInOutput))
  const text = textOf({ output })
  assert.equal(
    [...text.matchAll(/^error (DT\d+): (\w+)/gm)].map(([, code, service]) => `${service} ${code}`),
    ['web DT3207', 'api DT3207', 'api DT3221'],
  )
  assert.match(text, '\n    no such option: colour\n')
  assert.match(text, '\nhealthy: db\n')
})

test('an unreadable record, and destroy commands that have not run, are reported with the causes', async () => {
  const status = { status: 'destroying', destroyCommands: [{ name: 'clean', command: 'make clean' }] } as const
  const unreadable = { ...record({}, 'demo'), binaryData: { record: 'AAAA' } }
  for (const [code, objects] of [
    ['DT3113', [...failing('web'), unreadable]],
    ['DT3180', [record(status, 'demo')]],
  ] as const) {
    const { findings, isInOutput = () => false } = await ask({ objects })
    assert.equal(
      findings.filter((finding) => !isInOutput(finding)).map((finding) => finding.code),
      [code],
    )
  }
})

test('a single service is shown with its dependencies and without the others', async () => {
  const objects = [...failing('api', '{"web":"service_healthy"}'), ...failing('web'), ...failing('db')]
  const { output = '' } = await ask({ objects }, 'api')
  assert.not.match(textOf({ output }), ' db: ')
  assert.match(textOf({ output }), ' web: ')
  const alone = await ask({ objects }, 'web')
  assert.not.match(textOf(alone), ' api: ')
})

test('services that depend on each other do not cause an endless loop', async () => {
  const objects = [...failing('api', '{"web":"service_started"}'), ...failing('web', '{"api":"service_started"}')]
  const { findings } = await ask({ objects })
  assert.equal(findings.map(({ code }) => code).toSorted(), ['DT3207', 'DT3207', 'DT3221', 'DT3221'])
})

test('the JSON has a schema, the services, the causes with their logs, and the skipped kinds', async () => {
  const { output = '' } = await ask({ objects: failing('web') }, undefined, 'json')
  const data = JSON.parse(textOf({ output }))
  assert.equal([data.schema, data.environment, data.namespace, data.isHealthy], [1, 'shop', 'demo', false])
  assert.equal(data.services, [
    {
      service: 'web',
      kind: 'Deployment',
      name: 'web',
      state: 'failing',
      detail: data.services[0].detail,
      dependsOn: [],
    },
  ])
  assert.equal(
    [data.causes[0].service, data.causes[0].code, data.causes[0].logs.lines],
    ['web', 'DT3207', ['no such option: colour']],
  )
  assert.equal(data.skipped, [])
})

const forbidden = (kind: string) => ({
  verb: 'list',
  what: kind,
  status: 403,
  reason: 'Forbidden',
  message: `cannot list ${kind}`,
})

test('kinds without permission to list are skipped, unless none is left', async () => {
  const some = await ask({ objects: failing('web'), failures: [forbidden('events'), forbidden('jobs.batch')] })
  assert.equal(
    some.findings.map(({ code }) => code),
    ['DT3207'],
  )
  assert.match(some.said?.[0] ?? '', /^not allowed to list Job, Event in namespace demo/)
  const kinds = ['deployments.apps', 'statefulsets.apps', 'daemonsets.apps', 'jobs.batch']
  const none = await ask({ objects: failing('web'), failures: kinds.map(forbidden) })
  assert.equal(
    none.findings.map(({ code }) => code),
    ['DT3003'],
  )
})

test('an unknown environment or service is exit status 5', async () => {
  const nobody = await ask({})
  assert.equal([nobody.findings[0]?.code, exitStatus(nobody.findings)], ['DT3407', 5])
  const noService = await ask({ objects: healthy('web') }, 'wbe')
  assert.equal([noService.findings[0]?.code, exitStatus(noService.findings)], ['DT3402', 5])
  assert.is(noService.findings[0]?.help, 'did you mean "web"?')
})

const recorded = (more: Partial<EnvironmentRecord>): JsonObject => {
  const body = recordBody('demo', { ...emptyRecord('shop'), status: 'error', ...more })
  if (body._tag === 'Left') throw new Error('no record')
  return body.right
}

const entryOf = (group: string, kind: string, name: string) => ({
  group,
  version: 'v1',
  plural: `${kind.toLowerCase()}s`,
  kind,
  name,
  uid: '',
})

test('objects that the last deploy never created are reported', async () => {
  const worker = [entryOf('apps', 'Deployment', 'worker'), entryOf('', 'Service', 'worker')]
  const inventory = [...worker, entryOf('', 'Service', 'web')]
  const { output = '' } = await ask({ objects: [...healthy('web'), recorded({ inventory })] })
  assert.match(textOf({ output }), 'error DT3224: worker: it is not in the cluster')
  assert.match(textOf({ output }), 'error DT3224: web: Service/web is not in the cluster')
  assert.is(textOf({ output }).match(/^error/gm)?.length, 2)
})

test('a service that was not created since a job has not ended yet names the job', async () => {
  const job = workload('Job', 'migrate', { spec: { completions: 1 }, status: { active: 1, ready: 1 } })
  const labels = { 'dev.devtool/service': 'migrate', 'dev.devtool/environment': 'shop' }
  const condition = 'service_completed_successfully'
  const inventory = [entryOf('apps', 'Deployment', 'web')]
  const edges = [{ service: 'web', dependsOn: 'migrate', condition }]
  const { output = '' } = await ask({
    objects: [
      inDemo({ ...job, metadata: { ...job.metadata, labels } }),
      inDemo(pod('migrate-1', 'workload-migrate', { status: readyStatus })),
      recorded({ inventory, edges }),
    ],
  })
  assert.match(textOf({ output }), 'web: it is not in the cluster: it waits for migrate\n')
  assert.match(textOf({ output }), 'devtool logs migrate')
  assert.match(textOf({ output }), /starting: migrate \(.*has not ended yet\)/)
})

test('messages from the cluster cannot control the terminal', async () => {
  const said = event('pod-web-1', 'Unhealthy', 'Readiness probe failed: \u001b]52;c;evil\u0007')
  const running = inDemo(pod('web-1', 'set-web-2', { status: container({ running: {} }) }))
  const objects = [...failing('web').slice(0, 2), running, inDemo(said)]
  const { output = '' } = await ask({ objects })
  assert.match(textOf({ output }), String.raw`\x1b]52;c;evil\x07`)
  assert.not.match(textOf({ output }), '\u001b')
})

test.run()
