/** How admission policies come into effect on a real API server, and that those in effect survive a failed trial. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { applyObjects } from '../../src/app/install/objects.ts'
import { enforce } from '../../src/app/install/policies.ts'
import { textAt } from '../../src/domain/cluster/json.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import type { Diagnostic } from '../../src/domain/diagnostic/diagnostic.ts'
import { bindingsOf, policiesFor } from '../../src/domain/platform/manifests/policies.ts'
import { namespaced, policy } from '../../src/domain/platform/manifests/policy.ts'
import { canaryIn } from '../../src/domain/platform/manifests/probe.ts'
import { rights } from '../../src/domain/platform/manifests/rights.ts'
import type { AdmissionPolicy } from '../../src/domain/platform/manifests/types.ts'
import type { Cluster } from '../../src/ports/cluster.ts'
import { done } from '../contract/cluster-world.ts'
import { withPlatformNames } from '../support/e2e/platform.ts'
import { DOMAIN, isRefusedBy, managed, posted } from '../support/e2e/platform-world.ts'
import { withNamespace } from '../support/e2e/real-cluster.ts'
import { until } from '../support/process/until.ts'

const policies = policiesFor(DOMAIN)
/** It concerns everybody: what a mistake of ours could do. */
const harmful = policy('test-harmful', {
  matchConstraints: { resourceRules: [namespaced('', ['services'], ['CREATE'])] },
  validations: [{ expression: 'false', message: 'nobody may make a Service' }],
})
/** Refers to a field that Services do not have, so it cannot be evaluated. */
const broken = policy('test-broken', {
  matchConstraints: { resourceRules: [namespaced('', ['services'], ['CREATE'])] },
  validations: [{ expression: 'object.spec.colour == "red"', message: 'a Service is red' }],
})

const all = [...policies, harmful, broken, canaryIn('')]
const lock = { check: () => Promise.resolve(undefined) }

const enforced = (cluster: Cluster, wanted: ReadonlyArray<AdmissionPolicy>, signal = new AbortController().signal) =>
  enforce({ cluster, clock: systemClock, lock, signal }, wanted)()

/** Aborts once the policy refuses requests. */
const stoppingAt = ({ metadata: { name } }: AdmissionPolicy, cluster: Cluster, stop: AbortController): Cluster => ({
  ...cluster,
  apply: (key, body, options) => {
    const isRefusing = key.name === name && body.includes('"Deny"')
    return pipe(
      cluster.apply(key, body, options),
      TE.tapIO(() => () => (isRefusing ? stop.abort() : undefined)),
    )
  },
})

const found = (result: E.Either<Diagnostic, void>): string =>
  E.isLeft(result) ? `${result.left.code} ${result.left.message}` : 'none'

const matches = (text: string, pattern: RegExp): void => assert.ok(pattern.test(text), text)

const bound = async (cluster: Cluster): Promise<ReadonlyArray<string>> => {
  const labels = 'dev.devtool/platform=system'
  const { items } = await done(cluster.list({ resource: resources.ValidatingAdmissionPolicyBinding, labels }))
  return items.map((live) => `${live.metadata.name} ${textAt(live, 'spec', 'validationActions', 0)}`).toSorted()
}

const inEffect = policies.map(({ metadata: { name } }) => `${name} Deny`).toSorted()

/** Dry runs, by everybody and in a namespace of the platform. */
const holds = async (cluster: Cluster, elsewhere: string, own: string): Promise<void> => {
  // What was removed is in effect for a moment longer.
  const web = posted(cluster, elsewhere)('Service', { name: 'web' }, { spec: { ports: [{ port: 80 }] } }, true)
  await until('others may make Services again', async () => E.isRight(await web()))
  const external = { spec: { type: 'ExternalName', externalName: 'a.example.com' } }
  await isRefusedBy('edge-service', 'ExternalName', posted(cluster, own)('Service', { name: 'out' }, external, true))
}

test('policies take effect together, and a failed trial leaves the current ones in effect', () =>
  withPlatformNames([...rights, ...all, ...bindingsOf(all, 'Deny')], async (cluster) => {
    const [foreign, shop] = [await withNamespace(cluster, 'elsewhere'), await withNamespace(cluster, 'shop')]
    try {
      await done(
        cluster.merge(
          { resource: resources.Namespace, name: shop.name },
          { metadata: { labels: managed } },
          { manager: 'devtool' },
        ),
      )
      const signal = new AbortController().signal
      assert.ok(E.isRight(await applyObjects({ cluster, lock, signal }, rights)()))

      matches(
        found(await enforced(cluster, [...policies, harmful])),
        /^DT6301 .*removed again: .*a Service outside.*devtool-test-harmful/,
      )
      assert.equal(await bound(cluster), [])
      matches(
        found(await enforced(cluster, [...policies, broken])),
        /^DT6301 .*removed again: devtool-test-broken: .*colour/,
      )
      assert.equal(await bound(cluster), [])

      assert.is(found(await enforced(cluster, policies)), 'none')
      assert.equal(await bound(cluster), inEffect)
      await holds(cluster, foreign.name, shop.name)

      const attempt = [...policies, harmful]
      matches(
        found(await enforced(cluster, attempt)),
        /^DT6301 .*put back as they were: .*a Service outside.*devtool-test-harmful/,
      )
      assert.equal(await bound(cluster), inEffect)
      await holds(cluster, foreign.name, shop.name)

      const stop = new AbortController()
      matches(found(await enforced(stoppingAt(harmful, cluster, stop), attempt, stop.signal)), /^DT3007 /)
      assert.ok(stop.signal.aborted)
      assert.equal(await bound(cluster), inEffect)

      assert.is(found(await enforced(cluster, policies)), 'none')
      assert.equal(await bound(cluster), inEffect)
    } finally {
      await foreign.end()
      await shop.end()
    }
  }))

test.run()
