/** Immutable fields of the kinds we create, as the API server enforces them. */
import type { RefusalCause } from '../../src/domain/cluster/failure.ts'
import { at, isObject, type Json, type JsonObject } from '../../src/domain/cluster/json.ts'

const same = (a: Json | undefined, b: Json | undefined): boolean => JSON.stringify(a) === JSON.stringify(b)

const fixed = (before: JsonObject, after: JsonObject, ...fields: ReadonlyArray<string>): ReadonlyArray<RefusalCause> =>
  fields
    .filter((field) => !same(at(before, ...field.split('.')), at(after, ...field.split('.'))))
    .map((field) => ({ reason: 'FieldValueInvalid', message: 'Invalid value: field is immutable', field }))

const changeable: ReadonlySet<string> = new Set([
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
])

const statefulSet = (before: JsonObject, after: JsonObject): ReadonlyArray<RefusalCause> => {
  const rest = (json: JsonObject): JsonObject => {
    const spec = json['spec']
    return isObject(spec) ? Object.fromEntries(Object.entries(spec).filter(([name]) => !changeable.has(name))) : {}
  }
  const message = `Forbidden: updates to statefulset spec for fields other than ${[...changeable].join(', ')} are forbidden`
  return same(rest(before), rest(after)) ? [] : [{ reason: 'FieldValueForbidden', message, field: 'spec' }]
}

const claim = (before: JsonObject, after: JsonObject): ReadonlyArray<RefusalCause> =>
  fixed(before, after, 'spec.accessModes', 'spec.storageClassName').map((cause) => ({
    ...cause,
    reason: 'FieldValueForbidden',
    field: 'spec',
    message: 'Forbidden: spec is immutable after creation except resources.requests',
  }))

/** One cause per field; none when the change is allowed. */
export const forbiddenChanges = (kind: string, before: JsonObject, after: JsonObject): ReadonlyArray<RefusalCause> => {
  switch (kind) {
    case 'Job':
      return fixed(before, after, 'spec.template', 'spec.selector', 'spec.completions')
    case 'StatefulSet':
      return statefulSet(before, after)
    case 'Deployment':
    case 'DaemonSet':
    case 'ReplicaSet':
      return fixed(before, after, 'spec.selector')
    case 'Service':
      return at(before, 'spec', 'clusterIP') === undefined ? [] : fixed(before, after, 'spec.clusterIP')
    case 'PersistentVolumeClaim':
      return claim(before, after)
    default:
      return []
  }
}
