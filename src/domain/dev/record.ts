/**
 * The record of a development container: a ConfigMap that is created before anything is changed, and from which anybody
 * can restore everything, from any machine.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { at, type Json, type JsonObject, listAt, parsedJson, textAt } from '../cluster/json.ts'
import { type ClusterObject, labelOf } from '../cluster/live.ts'
import type { ObjectKey } from '../cluster/resources.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { KIND_LABEL } from '../k8s/labels.ts'
import { UP_MANAGER } from '../k8s/managers.ts'
import { upLabels } from './names.ts'

const isJson = (value: unknown): value is Json => value !== undefined

/** The record was parsed from JSON, so everything inside is JSON as well. */
export const JsonValue = new t.Type<Json>(
  'JSON',
  isJson,
  (value, context) => (isJson(value) ? t.success(value) : t.failure(value, context)),
  t.identity,
)

/**
 * `user` as the cluster knows them. `session`: unique to this `up`. `isDetached`: without a terminal. `mark`:
 * identifies the process, since its pid may be reused later.
 */
const HolderJson = t.readonly(
  t.intersection([
    t.strict({ user: t.string, machine: t.string, pid: t.number, session: t.string }),
    t.partial({ isDetached: t.boolean, mark: t.string }),
  ]),
)
export type Holder = t.TypeOf<typeof HolderJson>

/** Who managed a field before: an entry of `managedFields`, without its fields. */
const FieldOwnerJson = t.readonly(
  t.intersection([
    t.strict({ manager: t.string, operation: t.string, apiVersion: t.string }),
    t.partial({ subresource: t.string, time: t.string }),
  ]),
)
export type FieldOwner = t.TypeOf<typeof FieldOwnerJson>

/** `before` is absent when the field was not set. */
const FieldChangeJson = t.readonly(
  t.intersection([
    t.strict({ path: t.readonlyArray(t.string), during: JsonValue, owners: t.readonlyArray(FieldOwnerJson) }),
    t.partial({ before: JsonValue }),
  ]),
)
export type FieldChange = t.TypeOf<typeof FieldChangeJson>

const ResourceJson = t.readonly(
  t.strict({ group: t.string, version: t.string, plural: t.string, kind: t.string, isNamespaced: t.boolean }),
)

/** An object whose fields are changed for a time. */
export const TouchedJson = t.readonly(
  t.intersection([
    t.strict({
      resource: ResourceJson,
      name: t.string,
      uid: t.string,
      changes: t.readonlyArray(FieldChangeJson),
    }),
    // Only for an object outside the workload's namespace.
    t.partial({ namespace: t.string }),
  ]),
)
export type Touched = t.TypeOf<typeof TouchedJson> & Pick<ObjectKey, 'resource' | 'name'>

/**
 * `dev`: its name in the manifest. `main`: the mirror of the development container that this one is a service of; its
 * own name otherwise. `container` is the developed one, `port` that of the agent on the pod's loopback. `isCreated`:
 * the workload was made by `autocreate`. `isFilling`: the claim was new, so the image's files are copied into it.
 */
const Contents = t.readonly(
  t.strict({
    schema: t.literal(1),
    dev: t.string,
    main: t.string,
    mirror: t.string,
    container: t.string,
    port: t.number,
    workload: t.readonly(t.strict({ kind: t.string, name: t.string, uid: t.string })),
    touched: t.readonlyArray(TouchedJson),
    holder: HolderJson,
    since: t.string,
    isCreated: t.boolean,
    isFilling: t.boolean,
  }),
  'record of a development container',
)

/** `since` and `beat` are moments (RFC 3339); `beat` is when its holder was last heard of. */
export type DevRecord = t.TypeOf<typeof Contents> & { readonly beat: string }

export const recordData = ({ beat, ...contents }: DevRecord): JsonObject => ({ beat, record: JSON.stringify(contents) })

/** Whether the record lists changes in other namespaces. Such a record must survive the deletion of the workload. */
export const reachesOut = ({ touched }: DevRecord): boolean => touched.some(({ namespace }) => namespace !== undefined)

/** `recipe`: how its mirror is made. Owned by the workload, unless it {@link reachesOut}. */
export const recordBody = (record: DevRecord, recipe: string, owner: ClusterObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: record.mirror,
    labels: upLabels(record.mirror),
    ...(reachesOut(record) ? {} : { ownerReferences: [ownedBy(owner)] }),
  },
  data: { ...recordData(record), recipe },
})

export const ownedBy = ({ apiVersion, kind, metadata: { name, uid } }: ClusterObject): JsonObject => ({
  apiVersion,
  kind,
  name,
  uid,
  blockOwnerDeletion: false,
})

/** Whether it is the record of a development container, readable or not. */
export const isRecord = (live: ClusterObject): boolean =>
  labelOf(live, KIND_LABEL) === 'up' && at(live, 'data', 'record') !== undefined

/** When `up` last wrote it, by the clock of the cluster; without that, by that of the holder. */
const beatIn = (live: ClusterObject): string | undefined => {
  const [written] = listAt(live, 'metadata', 'managedFields')
    .flatMap((entry) => (textAt(entry, 'manager') === UP_MANAGER ? (textAt(entry, 'time') ?? []) : []))
    .toSorted()
    .toReversed()
  return written ?? textAt(live, 'data', 'beat')
}

/** DT5004 when it was edited by hand, or written by a newer version. */
export const recordOf = (live: ClusterObject): E.Either<Diagnostic, DevRecord> => {
  return pipe(
    Contents.decode(parsedJson(textAt(live, 'data', 'record') ?? '')),
    E.map((contents): DevRecord => ({ ...contents, beat: beatIn(live) ?? contents.since })),
    E.mapLeft(() =>
      error('DT5004', `the record ConfigMap/${live.metadata.name} cannot be read`, {
        help: 'use the version of devtool that wrote it, or set the replicas by hand and delete the ConfigMap',
      }),
    ),
  )
}

/** A merge patch that updates the time at which the holder was last alive. */
export const beatPatch = (moment: string): JsonObject => ({ data: { beat: moment } })
