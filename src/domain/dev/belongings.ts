/**
 * The objects of a development container besides its record and its mirror: the agent's files, its keys, and a claim.
 */
import { at, isObject, type Json, type JsonObject } from '../cluster/json.ts'
import { type ClusterObject, labelOf, liveOf, type Observed } from '../cluster/live.ts'
import { type KnownKind, type Resource, resources, showKey } from '../cluster/resources.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { MIRROR_LABEL } from '../k8s/labels.ts'
import { UP_MANAGER } from '../k8s/managers.ts'
import type { DevContainer } from '../manifest/dev-model.ts'
import { defined } from '../object/defined.ts'
import type { Bound } from '../plan/action.ts'
import { existing } from '../plan/bind.ts'
import { mergeOf } from './field-changes.ts'
import { claimBody, hasClaim } from './mirror-claims.ts'
import { agentFilesName, upLabels } from './names.ts'

/** The field manager, and the reason that users are shown. */
export type Writer = { readonly manager: string; readonly because: string }

export const byUp = (because: string): Writer => ({ manager: UP_MANAGER, because })

const up = byUp('it is developed')

export const create = (
  kind: KnownKind,
  object: JsonObject,
  name: string,
  after: ReadonlyArray<string>,
  by: Writer = up,
): Bound => ({
  _tag: 'Create',
  id: `create/${kind}/${name}`,
  after,
  target: { resource: resources[kind], name },
  object,
  ...by,
  precondition: { _tag: 'Absent' },
})

/** A merge patch that applies only if the object is unchanged since it was read. */
export const patch = (
  live: ClusterObject,
  resource: Resource,
  body: JsonObject,
  after: ReadonlyArray<string> = [],
  by: Writer = up,
): Bound => ({
  _tag: 'Patch',
  id: `patch/${showKey({ resource, name: live.metadata.name })}/${live.metadata.uid}`,
  after,
  target: { resource, name: live.metadata.name, ...defined({ namespace: live.metadata.namespace }) },
  fields: { strategy: 'merge', body },
  ...by,
  precondition: { ...existing(live), resourceVersion: live.metadata.resourceVersion },
})

/** Creates or patches an object whose only content is `member`. */
const holding = (
  observed: Observed,
  kind: 'ConfigMap' | 'Secret',
  [name, member]: readonly [string, string],
  content: JsonObject,
  metadata: JsonObject,
): ReadonlyArray<Bound> => {
  const live = liveOf(observed, kind, name)
  if (live === undefined) {
    const body = { apiVersion: 'v1', kind, metadata: { name, ...metadata }, [member]: content }
    return [create(kind, body, name, [])]
  }
  const now: Json | undefined = at(live, member)
  const change = mergeOf(isObject(now) ? now : {}, content)
  if (isObject(change) && Object.keys(change).length === 0) return []
  return [patch(live, resources[kind], { [member]: change })]
}

/** `files` and `secret` by name, in base64. */
export type Belongings = {
  readonly mirror: string
  readonly owner: JsonObject
  readonly files: Readonly<Record<string, string>>
  readonly secret: Readonly<Record<string, string>>
}

export const belongings = (observed: Observed, { files, mirror, owner, secret }: Belongings): ReadonlyArray<Bound> => {
  const metadata = { labels: upLabels(mirror), ownerReferences: [owner] }
  return [
    ...holding(observed, 'ConfigMap', [agentFilesName(mirror), 'binaryData'], files, metadata),
    ...holding(observed, 'Secret', [mirror, 'data'], secret, metadata),
  ]
}

/** The claim has no owner reference: it outlives the development container. */
export const claimActions = (observed: Observed, dev: DevContainer, mirror: string): ReadonlyArray<Bound> =>
  hasClaim(dev) && liveOf(observed, 'PersistentVolumeClaim', mirror) === undefined
    ? [create('PersistentVolumeClaim', claimBody(dev, mirror), mirror, [])]
    : []

/** Objects owned by an earlier record, which are about to be deleted along with it. */
export const leftovers = (observed: Observed, mirror: string, record: ClusterObject): ReadonlyArray<ClusterObject> => {
  const lives = [
    liveOf(observed, 'ConfigMap', agentFilesName(mirror)),
    liveOf(observed, 'Secret', mirror),
    liveOf(observed, 'Deployment', mirror),
  ]
  const { uid } = record.metadata
  return lives
    .filter((live) => live !== undefined)
    .filter(({ metadata }) => (metadata.ownerReferences ?? []).every((owner) => owner['uid'] !== uid))
}

/** DT5016: an object with one of devtool's names belongs to somebody else. */
export const foreignFindings = (observed: Observed, mirror: string): ReadonlyArray<Diagnostic> => {
  const ours: ReadonlyArray<readonly [KnownKind, string]> = [
    ['ConfigMap', agentFilesName(mirror)],
    ['Secret', mirror],
    ['Deployment', mirror],
    ['PersistentVolumeClaim', mirror],
  ]
  return ours.flatMap(([kind, name]) => {
    const live = liveOf(observed, kind, name)
    if (live === undefined || labelOf(live, MIRROR_LABEL) === mirror) return []
    return [error('DT5016', `${kind}/${name} exists and was not made by devtool up`, { help: 'rename or delete it' })]
  })
}
