/** Which objects of the cluster are deleted because the file no longer has them. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../src/domain/cluster/json.ts'
import { showKey } from '../../../src/domain/cluster/resources.ts'
import { type Bound, targetOf } from '../../../src/domain/plan/action.ts'
import type { Plan } from '../../../src/domain/plan/plan.ts'
import { pruneActions } from '../../../src/domain/plan/prune.ts'
import { deployedOf, liveOf, objectsIn, observedOf, planOfYaml } from '../../support/kube/live.ts'

const named = (deletions: ReadonlyArray<Bound<'Delete'>>): ReadonlyArray<string> =>
  deletions.map(({ target }) => showKey(target))

const webOnly = planOfYaml('services: {web: {image: nginx}}')

/** What is pruned of what `compose` deployed, once only `web` is in the file. */
const prunedOf = (compose: string, ...switchedOff: ReadonlyArray<string>): ReadonlyArray<string> =>
  named(pruneActions({ plan: webOnly, observed: deployedOf(planOfYaml(compose)), switchedOff: new Set(switchedOff) }))

test('objects that are no longer in the file are pruned, except claims, objects with the keep policy and what these need', () => {
  const pruned = prunedOf(`
services:
  web: {image: nginx}
  old: {image: nginx, volumes: ["data:/data"], configs: [old]}
  kept: {image: nginx, labels: {dev.devtool/policy: keep}, configs: [needed]}
volumes: {data: {}}
configs: {old: {content: hello}, needed: {content: hello}}
`)
  assert.equal(pruned, ['StatefulSet/old', 'Service/old', 'ConfigMap/old'])
})

test('a service disabled by its profile is kept, with everything it may read', () => {
  const before = `
services:
  web: {image: nginx}
  old: {image: nginx}
  debug: {image: nginx, configs: [app]}
configs: {app: {content: hello}}
`
  assert.equal(prunedOf(before, 'debug'), ['Deployment/old', 'Service/old'])
})

test('objects of other environments, other tools and manifest commands are not pruned', () => {
  const [deployment] = objectsIn(planOfYaml('services: {old: {image: nginx}}'))
  if (deployment === undefined) throw new Error('no object')
  const prunedWith = (change: Readonly<Record<string, string>>): ReadonlyArray<string> => {
    const labels: Json = { ...Object.fromEntries(deployment.metadata.labels ?? []), ...change }
    const observed = observedOf([liveOf(deployment, { labels })])
    return named(pruneActions({ plan: webOnly, observed, switchedOff: new Set() }))
  }
  assert.equal(prunedWith({}), ['Deployment/old'])
  assert.equal(prunedWith({ 'dev.devtool/environment': 'other' }), [])
  assert.equal(prunedWith({ 'app.kubernetes.io/managed-by': 'Helm' }), [])
  assert.equal(prunedWith({ 'dev.devtool/kind': 'command' }), [])
})

test('objects that the plan scales or patches are not pruned', () => {
  const before = planOfYaml('services: {web: {image: nginx}, old: {image: nginx}}')
  const about = { after: [], manager: 'devtool-up', because: 'it is being developed' }
  const target = targetOf({ kind: 'Deployment', name: 'web' })
  const service = targetOf({ kind: 'Service', name: 'web' })
  const changing: Plan = {
    ...before,
    actions: [
      { _tag: 'Scale', id: 'scale', target, replicas: 0, ...about },
      { _tag: 'Patch', id: 'patch', target: service, fields: { strategy: 'merge', body: {} }, ...about },
    ],
  }
  const pruned = pruneActions({ plan: changing, observed: deployedOf(before), switchedOff: new Set() })
  assert.equal(named(pruned), ['Deployment/old', 'Service/old'])
})

test.run()
