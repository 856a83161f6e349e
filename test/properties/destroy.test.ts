import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Resource, resources } from '../../src/domain/cluster/resources.ts'
import { removalOf } from '../../src/domain/destroy/foreign.ts'
import type { FoundObjects } from '../../src/domain/destroy/found.ts'
import { type DestroyInput, type DestroyPlan, destroyPlan } from '../../src/domain/destroy/plan.ts'
import { stages } from '../../src/domain/destroy/stage.ts'
import { readWords } from '../../src/domain/text/shell-words.ts'

const certificate: Resource = {
  group: 'cert-manager.io',
  version: 'v1',
  plural: 'certificates',
  kind: 'Certificate',
  isNamespaced: true,
}

const kinds: ReadonlyArray<Resource> = [
  resources.Deployment,
  resources.StatefulSet,
  resources.Pod,
  resources.Service,
  resources.ConfigMap,
  resources.Secret,
  resources.Lease,
  resources.PersistentVolumeClaim,
  resources.ResourceQuota,
  certificate,
]

const names = [
  'web',
  'db',
  'data-db-0',
  'devtool-env-shop',
  'devtool-env-other',
  'sh.helm.release.v1.web.v1',
  'default',
]

const anyFound = fc
  .record({
    resource: fc.constantFrom(...kinds),
    name: fc.constantFrom(...names),
    environment: fc.constantFrom('shop', 'other', undefined),
    isKept: fc.boolean(),
    isHelmKept: fc.boolean(),
    isOwned: fc.boolean(),
    isOfRelease: fc.boolean(),
  })
  .map(({ environment, isHelmKept, isKept, isOfRelease, isOwned, name, resource }): FoundObjects => {
    const annotations = {
      ...(isKept ? { 'dev.devtool/policy': 'keep' } : {}),
      ...(isHelmKept ? { 'helm.sh/resource-policy': 'keep' } : {}),
      ...(isOfRelease ? { 'meta.helm.sh/release-name': 'web' } : {}),
    }
    return {
      resource,
      live: {
        apiVersion: 'v1',
        kind: resource.kind,
        metadata: {
          name,
          uid: `${resource.plural}/${name}`,
          resourceVersion: '1',
          annotations,
          ...(environment === undefined ? {} : { labels: { 'dev.devtool/environment': environment } }),
          ...(isOwned ? { ownerReferences: [{ controller: true, uid: 'x' }] } : {}),
        },
        spec: { volumeClaimTemplates: [{ metadata: { name: 'data' } }] },
      },
    }
  })

const anySituation = fc
  .record({
    found: fc.uniqueArray(anyFound, { selector: ({ live }) => live.metadata.uid, maxLength: 25 }),
    named: fc.array(fc.nat(24)),
    withVolumes: fc.boolean(),
    isAll: fc.boolean(),
    hasRelease: fc.boolean(),
  })
  .map(
    ({ found, hasRelease, isAll, named, withVolumes }): DestroyInput => ({
      environment: 'shop',
      found,
      inventory: named.flatMap((index) => {
        const one = found[index]
        if (one === undefined) return []
        const { group, kind, plural, version } = one.resource
        return [{ group, version, plural, kind, name: one.live.metadata.name, uid: one.live.metadata.uid }]
      }),
      releases: hasRelease
        ? [{ name: 'web', namespace: 'dev', manifest: 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\n' }]
        : [],
      options: { withVolumes, isAll },
    }),
  )

const foundOf = ({ found }: DestroyInput, uid: string): FoundObjects => {
  const one = found.find(({ live }) => live.metadata.uid === uid)
  if (one === undefined) throw new Error(`${uid} was made up`)
  return one
}

const annotated = ({ live }: FoundObjects, name: string): boolean => live.metadata.annotations?.[name] === 'keep'

const always = (law: (situation: DestroyInput, plan: DestroyPlan) => void): void =>
  fc.assert(fc.property(anySituation, (situation) => law(situation, destroyPlan(situation))))

test('objects to be kept are never deleted', () => {
  always((situation, { deletions }) => {
    for (const { precondition } of deletions) {
      const one = foundOf(situation, precondition.uid)
      assert.not(annotated(one, 'dev.devtool/policy'))
      assert.not(annotated(one, 'helm.sh/resource-policy'))
    }
  })
})

test('no PersistentVolumeClaim is deleted without --volumes', () => {
  always(({ options }, { deletions }) => {
    const claims = deletions.filter(({ target }) => target.resource.kind === 'PersistentVolumeClaim')
    assert.ok(options.withVolumes || claims.length === 0)
  })
})

test('objects of another environment are deleted only with --all, or if the record lists them', () => {
  always((situation, { deletions }) => {
    if (situation.options.isAll) return
    const known = new Set(situation.inventory.map(({ uid }) => uid))
    for (const { precondition } of deletions) {
      const { uid } = precondition
      const one = foundOf(situation, uid)
      const { labels = {}, name } = one.live.metadata
      const isClaimOfSet = one.resource.kind === 'PersistentVolumeClaim' && /^data-db-\d+$/.test(name)
      const isOfRelease = one.resource.kind === 'Service' && situation.releases.length > 0
      assert.ok(labels['dev.devtool/environment'] === 'shop' || known.has(uid) || isClaimOfSet || isOfRelease, uid)
    }
  })
})

test('objects of a controller are left to the controller', () => {
  always((situation, { deletions, kept }) => {
    for (const { target } of [...deletions, ...kept]) {
      const one = situation.found.find(
        ({ live, resource }) => live.metadata.name === target.name && resource === target.resource,
      )
      assert.is(one?.live.metadata.ownerReferences, undefined)
    }
  })
})

test('the record and the lock of the environment come last, and stages in order', () => {
  always((_situation, { deletions }) => {
    const order = deletions.map(({ stage }) => stages.indexOf(stage))
    assert.equal(
      order,
      order.toSorted((a, b) => a - b),
    )
  })
})

test('after a plan is executed nothing is left to delete', () => {
  always((situation, { deletions, kept }) => {
    const gone = new Set(deletions.map(({ precondition }) => precondition.uid))
    const after = { ...situation, found: situation.found.filter(({ live }) => !gone.has(live.metadata.uid)) }
    const again = destroyPlan(after)
    assert.equal(again.deletions, [])
    assert.ok(again.kept.length <= kept.length)
  })
})

test('the command that deletes objects elsewhere is quoted for a shell, whatever their names', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (name, namespace) => {
      const entry = { group: 'g', version: 'v1', plural: 'things', kind: 'Thing', uid: '', name, namespace }
      const words = readWords(removalOf(entry))
      if (words._tag === 'Left') throw new Error(words.left.message)
      assert.equal(words.right.words, ['kubectl', 'delete', `things.g/${name}`, '--namespace', namespace])
    }),
  )
})

test.run()
