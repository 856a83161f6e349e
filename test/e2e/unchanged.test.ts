/** What deploy does not send is what the API server ($KUBECONFIG) would leave as it is: random objects, randomly changed. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as C from '../../src/domain/checked.ts'
import { at, isObject, type Json, type JsonObject, listAt, textAt } from '../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../src/domain/cluster/live.ts'
import { type ObjectKey, resources } from '../../src/domain/cluster/resources.ts'
import type { KubeObject } from '../../src/domain/k8s/types.ts'
import { isUnchanged } from '../../src/domain/plan/unchanged.ts'
import { printJsonLine } from '../../src/domain/print/json.ts'
import { translate } from '../../src/domain/translate/translate.ts'
import type { Cluster } from '../../src/ports/cluster.ts'
import { arbitraryModel, arbitraryTarget } from '../support/arbitrary/model.ts'
import { objectsIn } from '../support/compose/plan.ts'
import { connectReal, withNamespace } from '../support/e2e/real-cluster.ts'

const test = suite<{ cluster: Cluster }>('unchanged')

const models = 16
const seed = 20_251

/** Why the version of an object moved although nothing of ours did, and how often that is believed of one object. */
const causes = { 'a controller wrote': 20, 'the order or times of managers': 1, 'the form of a new claim': 1 } as const
type Cause = keyof typeof causes

test.before(async (world) => {
  world.cluster = await connectReal()
})

test.after(({ cluster }) => cluster.close())

const must = <L, A>(result: E.Either<L, A>): A => {
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

const read = (text: string): JsonObject => {
  const json: Json = JSON.parse(text)
  return isObject(json) ? json : {}
}

const isList = (json: Json | undefined): json is ReadonlyArray<Json> => Array.isArray(json)

/** A random place of a scalar below; `pick` draws a number below its argument. */
type Pick = (below: number) => number

const scalarIn = (json: Json, pick: Pick): ReadonlyArray<string | number> => {
  const members: ReadonlyArray<readonly [string | number, Json]> = isList(json)
    ? json.map((item, index) => [index, item] as const)
    : isObject(json)
      ? Object.entries(json).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
      : []
  const chosen = members[pick(Math.max(1, members.length))]
  return chosen === undefined ? [] : [chosen[0], ...scalarIn(chosen[1], pick)]
}

const changedAt = (
  json: Json,
  [step, ...rest]: ReadonlyArray<string | number>,
  to: (old: Json) => Json | undefined,
): Json | undefined => {
  if (step === undefined) return to(json)
  if (isList(json)) return json.flatMap((item, index) => (index === step ? (changedAt(item, rest, to) ?? []) : [item]))
  if (!isObject(json)) return json
  return Object.fromEntries(
    Object.entries(json).flatMap(([name, value = null]) => {
      const next = name === `${step}` ? changedAt(value, rest, to) : value
      return next === undefined ? [] : [[name, next]]
    }),
  )
}

const other = (old: Json): Json => {
  if (typeof old === 'number') return old + 1
  if (typeof old === 'boolean') return !old
  return typeof old === 'string' ? (old.endsWith('x') ? old.slice(0, -1) : `${old}x`) : old
}

const reversed = (old: Json): Json => (isList(old) ? old.toReversed() : old)

/** Parts that a user would change. */
const parts = ['spec', 'data'] as const

const partOf = (object: JsonObject): string | undefined => parts.find((name) => object[name] !== undefined)

const drifted = (object: JsonObject, pick: Pick, to: (old: Json) => Json | undefined): JsonObject => {
  const part = partOf(object)
  if (part === undefined) return object
  const path = [part, ...scalarIn(object[part] ?? null, pick)]
  const next = changedAt(object, path, to)
  return isObject(next) ? next : object
}

/** Of the changes below; the others are controllers. */
const managers = ['devtool', 'kubectl-edit', 'other']

/** Everything but what controllers write, and times and the order of managers, which the server keeps for itself. */
const ownPart = ({ metadata, status: _status, ...rest }: ClusterObject): string => {
  const { annotations = {}, managedFields: _fields, resourceVersion: _version, ...kept } = metadata
  const notes = Object.entries(annotations).filter(([name]) => name !== 'deployment.kubernetes.io/revision')
  const fields = listAt(metadata, 'managedFields')
    .filter((entry) => managers.includes(textAt(entry, 'manager') ?? ''))
    .map((entry) => JSON.stringify(isObject(entry) ? { ...entry, time: '' } : entry))
  return JSON.stringify({ ...rest, kept, notes, fields: fields.toSorted() })
}

/** Status, revision and fields of controllers. */
const controllersPart = ({ metadata, status = null }: ClusterObject): string => {
  const fields = listAt(metadata, 'managedFields').filter((one) => !managers.includes(textAt(one, 'manager') ?? ''))
  const revision = textAt(metadata, 'annotations', 'deployment.kubernetes.io/revision') ?? ''
  return JSON.stringify([status, revision, fields])
}

const causeOf = (before: ClusterObject, after: ClusterObject): Cause | undefined => {
  if (controllersPart(before) !== controllersPart(after)) return 'a controller wrote'
  const [old, now] = [before, after].map(({ metadata }) => JSON.stringify(listAt(metadata, 'managedFields')))
  if (old !== now) return 'the order or times of managers'
  return after.kind === 'PersistentVolumeClaim' || after.kind === 'StatefulSet' ? 'the form of a new claim' : undefined
}

const quantityAgain = (old: Json): Json =>
  typeof old === 'string' && /^\d+m$/.test(old) ? `${Number.parseInt(old, 10) / 1000}` : old

/** What happens between two deploys: to the object in the cluster, or to the body that is sent next. */
type Drift = (cluster: Cluster, key: ObjectKey, body: JsonObject, pick: Pick) => Promise<JsonObject>

const edited =
  (to: (old: Json) => Json | undefined): Drift =>
  async (cluster, key, body, pick) => {
    const live = must(await cluster.get(key)())
    if (live !== undefined) await cluster.replace(key, drifted(live, pick, to), { manager: 'kubectl-edit' })()
    return body
  }

const appliedByOther =
  (make: (body: JsonObject) => JsonObject): Drift =>
  async (cluster, key, body) => {
    await cluster.apply(key, JSON.stringify(make(body)), { manager: 'other', force: true })()
    return body
  }

const annotated = ({ apiVersion, kind, metadata }: JsonObject): JsonObject => ({
  ...(apiVersion === undefined ? {} : { apiVersion }),
  ...(kind === undefined ? {} : { kind }),
  metadata: {
    name: at(metadata, 'name') ?? '',
    namespace: at(metadata, 'namespace') ?? '',
    annotations: { 'other/note': 'x' },
  },
})

const nextBody =
  (to: (old: Json) => Json | undefined): Drift =>
  async (_cluster, _key, body, pick) =>
    drifted(body, pick, to)

const reordered: Drift = async (_cluster, _key, body) => {
  const path = ['spec', 'template', 'spec', 'containers', 0, 'env']
  const next = isList(at(body, ...path)) ? changedAt(body, path, reversed) : body
  return isObject(next) ? next : body
}

const otherQuantities: Drift = async (_cluster, _key, body) => {
  const cpu = ['spec', 'template', 'spec', 'containers', 0, 'resources', 'limits', 'cpu']
  const next = changedAt(body, cpu, quantityAgain)
  return isObject(next) ? next : body
}

const drifts: ReadonlyArray<readonly [string, Drift]> = [
  ['nothing', async (_cluster, _key, body) => body],
  ['edited', edited(other)],
  ['removed', edited(() => undefined)],
  ['a field of another manager', appliedByOther(annotated)],
  ['the same fields of another manager', appliedByOther((body) => body)],
  ['the body says something else', nextBody(other)],
  ['the body says less', nextBody(() => undefined)],
  ['another order', reordered],
  ['other quantities', otherQuantities],
]

/** `after`: why the first verdict did not count. */
type Verdict = {
  readonly what: string
  readonly isSkipped: boolean
  readonly isLeft: boolean
  readonly after: ReadonlyArray<Cause>
}

/** A server that does not know image volumes leaves them out, so that nothing tells what was applied: these are sent. */
const isKnownToAll = (object: KubeObject): boolean => !printJsonLine(object).includes('"image":{"reference"')

const bodies = (namespace: string): ReadonlyArray<readonly [KubeObject['kind'], JsonObject]> =>
  fc.sample(fc.tuple(arbitraryTarget, arbitraryModel), { seed, numRuns: models }).flatMap(([target, model], index) =>
    objectsIn(C.valueOf(translate({ ...target, namespace }, model)) ?? { schema: 1, environment: '', actions: [] })
      .filter(isKnownToAll)
      .map((object) => {
        const { metadata, ...rest } = read(printJsonLine(object))
        const name = `m${index}-${object.metadata.name}`.replaceAll('.', '-').slice(0, 40).replace(/-+$/, '')
        return [object.kind, { ...rest, metadata: { ...(isObject(metadata) ? metadata : {}), name } }] as const
      }),
  )

test('deploy skips exactly the objects whose resourceVersion applying would not change', async ({ cluster }) => {
  const { end, name: namespace } = await withNamespace(cluster, 'devtool-e2e-unchanged')
  try {
    const none = JSON.stringify({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'none', namespace },
      spec: { hard: { pods: '0' } },
    })
    const quotas = { ...resources.ResourceQuota, isNamespaced: true }
    must(await cluster.apply({ resource: quotas, namespace, name: 'none' }, none, { manager: 'devtool-test' })())
    const judge = async (
      [kind, body]: readonly [KubeObject['kind'], JsonObject],
      index: number,
    ): Promise<ReadonlyArray<Verdict>> => {
      const key = { resource: resources[kind], namespace, name: textAt(body, 'metadata', 'name') ?? '' }
      const send = (next: JsonObject) => cluster.apply(key, JSON.stringify(next), { manager: 'devtool' })()
      if (E.isLeft(await send(body))) return []
      let turn = index
      const pick: Pick = (below) => (turn = (turn * 1_103_515_245 + 12_345) % 2_147_483_647) % below
      const [what = '', drift] = drifts[index % drifts.length] ?? []
      const next = (await drift?.(cluster, key, body, pick)) ?? body
      const after: Array<Cause> = []
      for (;;) {
        const live = must(await cluster.get(key)())
        if (live === undefined) return []
        const sent = await send(next)
        const isSame = E.isRight(sent) && ownPart(sent.right.object) === ownPart(live)
        const isLeft = isSame && sent.right.object.metadata.resourceVersion === live.metadata.resourceVersion
        const isSkipped = isUnchanged(next, live, 'devtool')
        const cause = isSame && isSkipped && !isLeft ? causeOf(live, sent.right.object) : undefined
        if (cause !== undefined && after.filter((one) => one === cause).length < causes[cause]) {
          after.push(cause)
          continue
        }
        const now = JSON.stringify(E.isRight(sent) ? sent.right.object : sent.left)
        return [
          {
            what: `${what}: ${kind} ${JSON.stringify(next)} over ${JSON.stringify(live)} gives ${now}`,
            isSkipped,
            isLeft,
            after,
          },
        ]
      }
    }
    const all = bodies(namespace)
    const judged: Array<Verdict> = []
    for (let index = 0; index < all.length; index += 16) {
      const batch = await Promise.all(all.slice(index, index + 16).map((one, offset) => judge(one, index + offset)))
      for (const found of batch.flat()) judged.push(found)
    }
    const again = judged.filter(({ after }) => after.length > 0)
    process.stdout.write(
      `${judged.length} objects, ${judged.filter(({ isSkipped }) => isSkipped).length} left out; judged again: ${again.length}\n`,
    )
    for (const cause of Object.keys(causes)) {
      process.stdout.write(
        `  ${again.filter(({ after }) => after.some((one) => one === cause)).length} since ${cause}\n`,
      )
    }
    assert.ok(again.length * 4 < judged.length, 'too few objects are judged at once')
    assert.equal(
      judged.filter(({ isLeft, isSkipped }) => isLeft !== isSkipped).map(({ what }) => what),
      [],
    )
    assert.ok(judged.filter(({ isSkipped }) => isSkipped).length > 50)
    assert.ok(judged.filter(({ isSkipped }) => !isSkipped).length > 50)
  } finally {
    await end()
  }
})

test.run()
