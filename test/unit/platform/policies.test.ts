/** How the admission policies of the platform come into effect, and what is there when they do not. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { enforce } from '../../../src/app/install/policies.ts'
import type { Failure } from '../../../src/domain/cluster/failure.ts'
import { listAt } from '../../../src/domain/cluster/json.ts'
import { annotationOf } from '../../../src/domain/cluster/live.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import type { Diagnostic } from '../../../src/domain/diagnostic/diagnostic.ts'
import { TRIAL_ANNOTATION } from '../../../src/domain/k8s/labels.ts'
import { bindingsOf, onTrial, policiesFor } from '../../../src/domain/platform/manifests/policies.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'
import { done } from '../../contract/cluster-world.ts'
import { memoryClock, settle } from '../../memory/clock.ts'
import type { MemoryCluster } from '../../memory/cluster.ts'
import { policedCluster } from '../../support/platform/policed.ts'

const policies = policiesFor('apps.example.com')
const names = policies.map(({ metadata: { name } }) => name).toSorted()
/** What the guard of an earlier version looked like. */
const EARLIER = 'of an earlier version'
const earlier = policies.map((policy) =>
  policy.metadata.name === 'devtool-guard'
    ? { ...policy, spec: { ...policy.spec, validations: [{ expression: 'true', message: EARLIER }] } }
    : policy,
)

/** Time passes whenever everything waits for it. */
const passing = () => {
  const clock = memoryClock()
  let isRunning = false
  const run = async (): Promise<void> => {
    if (isRunning) return
    isRunning = true
    for (let ms = clock.nextMs(); ms !== undefined; ms = clock.nextMs()) {
      await settle(200)
      await clock.advance(clock.nextMs() ?? 0)
    }
    isRunning = false
  }
  return {
    ...clock,
    sleep: (ms: number, signal?: AbortSignal) => {
      const slept = clock.sleep(ms, signal)
      void run()
      return slept
    },
  }
}

const held = { check: (): Promise<Diagnostic | undefined> => Promise.resolve(undefined) }

const enforced = (
  cluster: MemoryCluster,
  { lock = held, signal = new AbortController().signal, wanted = policies } = {},
): Promise<E.Either<Diagnostic, void>> => enforce({ cluster, clock: passing(), lock, signal }, wanted)()

type Seen = { readonly name: string; readonly action: unknown; readonly isOnTrial: boolean }

const bindings = async (cluster: MemoryCluster): Promise<ReadonlyArray<Seen>> => {
  const { items } = await done(cluster.list({ resource: resources.ValidatingAdmissionPolicyBinding }))
  return items
    .map((live) => ({
      name: live.metadata.name,
      action: listAt(live, 'spec', 'validationActions')[0],
      isOnTrial: annotationOf(live, TRIAL_ANNOTATION) !== undefined,
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

const allInEffect: ReadonlyArray<Seen> = names.map((name) => ({ name, action: 'Deny', isOnTrial: false }))

const guardText = async (cluster: MemoryCluster): Promise<string> =>
  JSON.stringify(await done(cluster.get({ resource: resources.ValidatingAdmissionPolicy, name: 'devtool-guard' })))

const codeOf = (result: E.Either<Diagnostic, void>): string => (E.isLeft(result) ? result.left.code : 'none')

const installed = (cluster: MemoryCluster): MemoryCluster => {
  for (const object of [...earlier, ...bindingsOf(earlier, 'Deny')]) cluster.put(JSON.parse(JSON.stringify(object)))
  return cluster
}

const noProbes = async (cluster: MemoryCluster): Promise<void> => {
  const { items } = await done(cluster.list({ resource: resources.Namespace, labels: 'dev.devtool/platform=probe' }))
  assert.equal(items, [])
}

test('policies that pass their trial stay', async () => {
  const cluster = policedCluster()
  assert.ok(E.isRight(await enforced(cluster)))
  assert.equal(await bindings(cluster), allInEffect)
  await noProbes(cluster)
})

for (const idle of ['devtool-confine', 'devtool-confine-access', 'devtool-guard', 'devtool-edge-egress']) {
  test(`${idle} is waited for, and without it none of them stays`, async () => {
    const cluster = policedCluster({ idle })
    const result = await enforced(cluster)
    assert.is(codeOf(result), 'DT6301')
    assert.match(E.isLeft(result) ? result.left.message : '', `removed again: ${idle} refuses nothing`)
    assert.equal(await bindings(cluster), [])
    await noProbes(cluster)
  })
}

test('policies that refuse too much are removed, including those of a killed trial', async () => {
  const harmful = { kind: 'Service', text: 'belong to the platform' }
  const cluster = policedCluster({ harmful })
  const left = [...policies, ...onTrial(bindingsOf(policies, 'Deny'))]
  for (const object of left) cluster.put(JSON.parse(JSON.stringify(object)))
  const result = await enforced(cluster)
  assert.is(codeOf(result), 'DT6301')
  assert.match(E.isLeft(result) ? result.left.message : '', 'a Service outside of')
  assert.equal(await bindings(cluster), [])
  const { items } = await done(cluster.list({ resource: resources.ValidatingAdmissionPolicy }))
  assert.equal(items, [])
})

test('an attempt that the deadline cuts off does not hide what the one before was told', async () => {
  const policed = policedCluster({ harmful: { kind: 'Service', text: 'belong to the platform' } })
  let isRefused = false
  const asked = { verb: 'create', what: 'services' } as const
  const cutOff = (signal: AbortSignal): Promise<E.Either<Failure, never>> =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(E.left({ _tag: 'Aborted', asked }))))
  const create: Cluster['create'] = (selection, body, options) => async () => {
    if (body['kind'] !== 'Service') return policed.create(selection, body, options)()
    if (isRefused && options.signal !== undefined) return cutOff(options.signal)
    const result = await policed.create(selection, body, options)()
    isRefused = E.isLeft(result)
    return result
  }
  const result = await enforced({ ...policed, create })
  assert.match(E.isLeft(result) ? result.left.message : '', /a Service outside of .*: 422 cannot allocate an address/)
})

test('policies of an earlier installation stay in effect when newer ones fail their trial', async () => {
  const harmful = { kind: 'Service', text: 'belong to the platform' }
  const cluster = installed(policedCluster({ harmful }))
  const result = await enforced(cluster)
  assert.is(codeOf(result), 'DT6301')
  assert.match(E.isLeft(result) ? result.left.message : '', 'put back as they were')
  assert.equal(await bindings(cluster), allInEffect)
  assert.match(await guardText(cluster), EARLIER)
})

test('a trial that cannot run leaves an earlier installation as it was', async () => {
  const cluster = installed(policedCluster({ idle: 'devtool-guard' }))
  assert.is(codeOf(await enforced(cluster)), 'DT6301')
  assert.equal(await bindings(cluster), allInEffect)
  assert.match(await guardText(cluster), EARLIER)
})

test('an interruption leaves policies of an earlier installation as they were', async () => {
  const cluster = installed(policedCluster())
  const stop = new AbortController()
  cluster.onChange(({ object, resource }) => {
    const isNewer = resource.kind === 'ValidatingAdmissionPolicy' && !JSON.stringify(object).includes(EARLIER)
    if (isNewer && object.metadata.name === 'devtool-guard') stop.abort()
  })
  assert.is(codeOf(await enforced(cluster, { signal: stop.signal })), 'DT3007')
  assert.equal(await bindings(cluster), allInEffect)
  assert.match(await guardText(cluster), EARLIER)
})

test('newer policies replace earlier ones, and obsolete ones are deleted', async () => {
  const cluster = installed(policedCluster())
  assert.ok(E.isRight(await enforced(cluster)))
  assert.equal(await bindings(cluster), allInEffect)
  assert.not.match(await guardText(cluster), EARLIER)
  const fewer = policies.filter(({ metadata: { name } }) => name !== 'devtool-edge-other')
  assert.ok(E.isRight(await enforced(cluster, { wanted: fewer })))
  assert.equal(
    await bindings(cluster),
    allInEffect.filter(({ name }) => name !== 'devtool-edge-other'),
  )
})

test('without the lock no policy is written', async () => {
  const lost: Diagnostic = { severity: 'error', code: 'DT3111', message: 'the lock was taken over' }
  const cluster = installed(policedCluster())
  const result = await enforced(cluster, { lock: { check: () => Promise.resolve(lost) } })
  assert.equal(result, E.left(lost))
  assert.match(await guardText(cluster), EARLIER)
  const writes = cluster.asked().filter(({ verb, what }) => verb === 'patch' && what.includes('Policy'))
  assert.equal(writes, [])
})

test.run()
