import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import type { Observed } from '../../../src/domain/cluster/live.ts'
import { withOpenPorts } from '../../../src/domain/why/cause.ts'
import { findCauses } from '../../../src/domain/why/causes.ts'
import { blockedBy, dependenciesOf } from '../../../src/domain/why/dependency.ts'
import { toDiagnostic } from '../../../src/domain/why/finding.ts'
import { readLog } from '../../../src/domain/why/log.ts'
import { reasonsIn } from '../../../src/domain/why/scheduling.ts'
import { observedOf } from '../../support/kube/live.ts'
import { container, deployed, event, pod, readyStatus, replicaSet, workload } from '../../support/why/lives.ts'

const test = suite('causes')

const ref = { kind: 'Deployment', name: 'web' }
const atOnce = () => 0
const later = () => 30_000

const causesOf = (observed: Observed, seenForMs = atOnce) => findCauses(observed, ref, seenForMs)
const shown = (observed: Observed, seenForMs = atOnce) =>
  causesOf(observed, seenForMs).map(({ code, isFinal }) => `${code}${isFinal ? ' final' : ''}`)
const one = (status: JsonObject, spec?: JsonObject) =>
  deployed([pod('a', 'set-web-2', { status, ...(spec === undefined ? {} : { spec }) })])

const pull = (message: string) => one(container({ waiting: { reason: 'ErrImagePull', message } }))

/** Of containerd, CRI-O and the registries behind them. */
const pulls: ReadonlyArray<readonly [string, string]> = [
  ['rpc error: code = NotFound desc = failed to resolve reference "shop/web:1": shop/web:1: not found', 'DT3201 final'],
  ['reading manifest 1 in registry.example.com/shop/web: manifest unknown', 'DT3201 final'],
  ['pull access denied, repository does not exist or may require authorization: insufficient_scope', 'DT3202 final'],
  ['unexpected status from HEAD request to https://ghcr.io/v2/shop/web/manifests/1: 403 Forbidden', 'DT3202 final'],
  ['failed to fetch anonymous token: unexpected status: 401 Unauthorized', 'DT3202 final'],
  ['no match for platform in manifest: not found', 'DT3203 final'],
  ['no image found in manifest list for architecture "arm64": no matching manifest for linux/arm64', 'DT3203 final'],
  ['failed to do request: Head "https://r.example.com/v2/": dial tcp 10.0.0.1:443: i/o timeout', 'DT3204'],
  ['tls: failed to verify certificate: x509: certificate signed by unknown authority', 'DT3204'],
  ['http: server gave HTTP response to HTTPS client', 'DT3204'],
  ['429 Too Many Requests - Server message: toomanyrequests: You have reached your pull rate limit', 'DT3204'],
  ['failed to extract layer: no space left on device', 'DT3206'],
  [
    'failed to parse image reference "A/b:1": invalid reference format: repository name must be lowercase',
    'DT3205 final',
  ],
]

for (const [message, expected] of pulls) {
  test(`a pull that fails with "${message.slice(0, 60)}" is ${expected}`, () => {
    assert.equal(shown(pull(message)), [expected])
  })
}

test('a registry that stays unreachable is a final cause after 30 seconds', () => {
  assert.equal(shown(pull('dial tcp: no such host'), later), ['DT3204 final'])
})

test('an image name that contains a status code does not confuse the reason', () => {
  const image = 'shop/error-403:429'
  const waiting = { reason: 'ErrImagePull', message: `failed to resolve reference "${image}": not found` }
  const spec = { nodeName: 'n', containers: [{ name: 'web', image }] }
  assert.equal(shown(one(container({ waiting }), spec)), ['DT3201 final'])
})

test('a container that waits for its image is told apart from another one of its pod', () => {
  const statusOf = (name: string, image: string) => ({
    ...{ name, image, ready: false, restartCount: 0 },
    state: { waiting: { reason: 'ErrImagePull', message: 'rpc error' } },
  })
  const status = { containerStatuses: [statusOf('web', 'shop/web:1'), statusOf('proxy', 'shop/proxy:1')] }
  const spec = {
    nodeName: 'n',
    containers: [
      { name: 'web', image: 'shop/web:1' },
      { name: 'proxy', image: 'shop/proxy:1' },
    ],
  }
  const said = [
    event('pod-a', 'Failed', 'Failed to pull image "shop/web:1": shop/web:1: not found'),
    event('pod-a', 'Failed', 'Failed to pull image "shop/proxy:1": 403 Forbidden', '2026-11-21T10:05:00Z'),
  ]
  const found = causesOf(deployed([pod('a', 'set-web-2', { status, spec })], ...said))
  assert.equal(
    found.map(({ code, event: last }) => [code, last]),
    [
      ['DT3201', 'Failed: Failed to pull image "shop/web:1": shop/web:1: not found (3 times)'],
      ['DT3202', 'Failed: Failed to pull image "shop/proxy:1": 403 Forbidden (3 times)'],
    ],
  )
})

const crashed = (exitCode: number, state: JsonObject, more: JsonObject = {}) =>
  container(state, { restartCount: 2, lastState: { terminated: { exitCode, reason: 'Error' } }, ...more })
const backOff = { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 20s' } }

test('a crash loop is final with any exit code, unless the container is running again', () => {
  assert.equal(shown(one(crashed(3, backOff))), ['DT3207 final'])
  assert.equal(shown(one(crashed(0, backOff))), ['DT3207 final'])
  assert.equal(shown(one(crashed(3, { running: {} }))), ['DT3207'])
})

test('the log of the crashed container instance is read, current or previous', () => {
  assert.is(causesOf(one(crashed(3, backOff)))[0]?.logs?.isPrevious, false)
  assert.is(causesOf(one(crashed(3, { running: {} })))[0]?.logs?.isPrevious, true)
})

test('a crash is not final for a Job with retries left, but it is for one that retries forever', () => {
  const shownOf = (backoffLimit: number) => {
    const job = workload('Job', 'migrate', { spec: { backoffLimit } })
    const observed = observedOf([job, pod('m', 'workload-migrate', { status: crashed(1, backOff) })])
    return findCauses(observed, { kind: 'Job', name: 'migrate' }, atOnce).map(({ isFinal }) => isFinal)
  }
  assert.equal(shownOf(5), [false])
  assert.equal(shownOf(2_147_483_647), [true])
})

test('a Job without retries has failed as soon as its pod has, before its controller says so', () => {
  const job = workload('Job', 'migrate', { spec: { backoffLimit: 0 } })
  const status = { phase: 'Failed', ...container({ terminated: { exitCode: 5, reason: 'Error' } }) }
  const observed = observedOf([job, pod('m', 'workload-migrate', { status })])
  assert.equal(
    findCauses(observed, { kind: 'Job', name: 'migrate' }, atOnce).map(({ code, message }) => `${code} ${message}`),
    ['DT3219 the Job failed: no retries are left, the last with exit code 5'],
  )
})

const unschedulable = (message: string) => ({
  conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }],
})

test('a pod that cannot be scheduled is a final cause after 30 seconds', () => {
  const observed = one(unschedulable('0/2 nodes are available: 2 Insufficient cpu.'), { containers: [] })
  assert.equal(shown(observed), ['DT3210'])
  assert.equal(shown(observed, later), ['DT3210 final'])
})

test("the scheduler's reasons are split", () => {
  const sentence =
    "0/5 nodes are available: 1 node(s) had untolerated taint {a: b, c}, 2 Insufficient cpu, 2 node(s) didn't match Pod's node affinity/selector. preemption: 0/5 nodes are available: 5 Preemption is not helpful for scheduling."
  assert.equal(reasonsIn(sentence), [
    '1 node(s) had untolerated taint {a: b, c}',
    '2 Insufficient cpu',
    "2 node(s) didn't match Pod's node affinity/selector",
  ])
  assert.equal(reasonsIn('no nodes available to schedule pods'), ['no nodes available to schedule pods'])
})

const refused = (message: string) =>
  observedOf([
    workload('Deployment', 'web', { spec: { replicas: 1 } }),
    replicaSet('web', '2', {
      conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message }],
    }),
  ])

const refusals: ReadonlyArray<readonly [string, string]> = [
  ['pods "x" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1', 'DT3211 final'],
  ['pods "x" is forbidden: failed quota: q: must specify limits.cpu for: web', 'DT3211 final'],
  [
    'pods "x" is forbidden: [maximum cpu usage per Pod is 1, but limit is 2, maximum memory usage per Pod is 1Gi, but limit is 2Gi]',
    'DT3222 final',
  ],
  ['pods "x" is forbidden: violates PodSecurity "baseline:latest": privileged', 'DT3214 final'],
  ['admission webhook "policy.example.com" denied the request: no latest tags', 'DT3214 final'],
  ['Internal error occurred: failed calling webhook "w": connection refused', 'DT3214'],
  ['pods "x" is forbidden: error looking up service account demo/app: serviceaccount "app" not found', 'DT3216 final'],
  ['pods "x" is forbidden: no PriorityClass with name high was found', 'DT3216 final'],
  ['etcdserver: request timed out', 'DT3224'],
]

for (const [message, expected] of refusals) {
  test(`pods refused with "${message.slice(0, 60)}" are ${expected}`, () => {
    assert.equal(shown(refused(message)), [expected])
  })
}

test('an earlier refusal does not count once a pod has been created since', () => {
  const set = workload('StatefulSet', 'db', { spec: { replicas: 2 }, status: { updateRevision: 'r' } })
  const said = event(
    'workload-db',
    'FailedCreate',
    'create Pod db-1 in StatefulSet db failed error: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1',
  )
  const made = event('workload-db', 'SuccessfulCreate', 'create Pod db-1', '2026-11-21T10:05:00Z')
  const codes = (observed: Observed) =>
    findCauses(observed, { kind: 'StatefulSet', name: 'db' }, atOnce).map(({ code }) => code)
  assert.equal(codes(observedOf([set, said])), ['DT3211'])
  assert.equal(codes(observedOf([set, said, made])), [])
})

test('pods with the same problem are reported once, others separately', () => {
  const spec = { containers: [] }
  const stuck = unschedulable('0/2 nodes are available: 2 Insufficient cpu.')
  const pods = ['a', 'b', 'c'].map((name) => pod(name, 'set-web-2', { status: stuck, spec }))
  const crashing = pod('d', 'set-web-2', { status: crashed(1, backOff) })
  const causes = causesOf(deployed([...pods, crashing]))
  assert.equal(
    causes.map(({ alike, code }) => [code, alike]),
    [
      ['DT3207', undefined],
      ['DT3210', 2],
    ],
  )
})

test('pods of an earlier revision, and ready pods, are not causes', () => {
  const old = pod('old', 'set-web-1', { status: crashed(1, backOff) })
  const good = pod('a', 'set-web-2', { status: readyStatus })
  assert.equal(causesOf(deployed([good], replicaSet('web', '1'), old)), [])
})

test('a failing probe names other ports that the program may listen on', () => {
  const spec = {
    nodeName: 'n',
    containers: [
      {
        name: 'web',
        image: 'i',
        ports: [{ name: 'http', containerPort: 3000 }],
        readinessProbe: { httpGet: { port: 8080 } },
      },
    ],
  }
  const said = event(
    'pod-a',
    'Unhealthy',
    'Readiness probe failed: dial tcp 10.0.0.1:8080: connect: connection refused',
  )
  const observed = deployed([pod('a', 'set-web-2', { status: container({ running: {} }), spec })], said)
  const [cause] = causesOf(observed)
  assert.is(cause?.code, 'DT3209')
  assert.equal(cause?.closed?.others.slice(0, 2), [8080, 3000])
  if (cause === undefined) return
  assert.match(withOpenPorts(cause, [3000]).message, 'port 3000 of the pod accepts connections')
  assert.match(withOpenPorts(cause, [8080]).message, 'listens on 127.0.0.1 only')
  assert.is(withOpenPorts(cause, []), cause)
})

test('events that the cluster combines are read like the first of them', () => {
  const text =
    'Readiness probe errored and resulted in unknown state: rpc error: code = Unknown desc = failed to exec in container: failed to start exec "5f": OCI runtime exec failed: exec failed: unable to start container process: exec: "sh": executable file not found in $PATH: unknown'
  const said = event('pod-a', 'Unhealthy', `(combined from similar events): ${text}`)
  const [cause] = causesOf(deployed([pod('a', 'set-web-2', { status: container({ running: {} }) })], said))
  assert.is(cause?.message, 'the program of the readiness check, sh, is not in the image')
  assert.is(cause?.event, `Unhealthy: ${text} (3 times)`)
})

test('a refused connection to another service is recognised by the log', () => {
  const [cause] = causesOf(one(crashed(1, backOff)))
  if (cause === undefined) throw new Error('no cause')
  const told = (line: string): string => readLog(cause, [line]).message.split('\n')[0] ?? ''
  for (const line of [
    'Error: connect ECONNREFUSED 10.96.12.7:5432',
    'dial tcp 10.96.12.7:5432: connect: connection refused',
    'connection to server at "db" (10.96.12.7), port 5432 failed: Connection refused',
  ]) {
    const name = line.includes('"db"') ? 'db' : 'a service'
    assert.ok(told(line).endsWith(`: ${name} does not accept connections on port 5432`), told(line))
  }
  assert.match(told('connect ECONNREFUSED 127.0.0.1:5432'), 'which is its own pod')
})

test('a program for another architecture is recognised by its log', () => {
  const [cause] = causesOf(one(crashed(1, backOff)))
  if (cause === undefined) throw new Error('no cause')
  assert.is(readLog(cause, ['exec /app: exec format error']).code, 'DT3203')
  assert.is(readLog(cause, ['exec /app: exec format error']).code, 'DT3203')
  assert.is(readLog(cause, ['listening']), cause)
})

test('the diagnostic contains the last 20 lines of the log and the next command', () => {
  const [cause] = causesOf(one(crashed(1, backOff)))
  if (cause === undefined) throw new Error('no cause')
  const { help, message } = toDiagnostic(
    cause,
    Array.from({ length: 30 }, (_, index) => `line ${index}`),
  )
  assert.match(
    message,
    /^web: the container crashes \(exit code 1, restarted 2 times\)\nlast lines of web in a:\n {2}line 10\n/,
  )
  assert.is(help, 'its log says why; `devtool logs web` shows more')
})

test('dependencies are read from the annotation, whatever it contains', () => {
  const of = (text: string) => [
    ...dependenciesOf(workload('Deployment', 'web', { annotations: { 'dev.devtool/depends-on': text } })).keys(),
  ]
  assert.equal(of('{"db":"service_healthy","queue":"service_started"}'), ['db', 'queue'])
  for (const text of ['', '[]', 'null', '{"db":1}', '{']) assert.equal(of(text), [])
})

test('a blocked service names the chain of dependencies to the root cause', () => {
  const [root] = causesOf(one(crashed(3, backOff)))
  assert.is(
    blockedBy(['shop', 'api', 'web'], root).message,
    'depends on api, which depends on web: the container crashes (exit code 3, restarted 2 times)',
  )
  assert.is(blockedBy(['shop', 'api'], undefined).message, 'depends on api, which does not come up')
})

const overdue = (status: JsonObject): Observed => {
  const said = 'ReplicaSet "web-2" has timed out progressing.'
  const conditions = [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message: said }]
  const gaveUp = workload('Deployment', 'web', { spec: { replicas: 1 }, status: { conditions } })
  return observedOf([gaveUp, replicaSet('web', '2'), pod('a', 'set-web-2', { status })])
}

test('an exceeded progress deadline is a cause when there is no other, and makes others final after a while', () => {
  const starting = overdue(container({ running: {} }))
  assert.equal([shown(starting), shown(starting, later)], [['DT3225'], ['DT3225 final']])
  const unreachable = overdue(container({ waiting: { reason: 'SomethingElse', message: 'who knows' } }))
  assert.equal([shown(unreachable), shown(unreachable, later)], [['DT3224'], ['DT3224 final']])
})

test.run()
