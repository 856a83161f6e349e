/** What restoring a backup creates. Existing objects are never changed. */
import { textAt } from '../../cluster/json.ts'
import type { ClusterObject } from '../../cluster/live.ts'
import { showKey } from '../../cluster/resources.ts'
import { isSameJson } from '../../cluster/same-json.ts'
import { type Diagnostic, error, warning } from '../../diagnostic/diagnostic.ts'
import { KIND_LABEL, SUBJECT_ANNOTATION } from '../../k8s/labels.ts'
import { managedIn } from '../access.ts'
import { rivalOf } from '../namespace/name.ts'
import { idOf, type KeptObject, kept, keyIn, tenantsIn, withUsual } from './objects.ts'

/** `conflicts`: why nothing can be created. `there`: how many objects exist already. */
export type Restoration = {
  readonly missing: ReadonlyArray<KeptObject>
  readonly there: number
  readonly conflicts: ReadonlyArray<Diagnostic>
}

const MOST_CONFLICTS = 20

const differs = ({ key }: KeptObject): Diagnostic => {
  const place = key.namespace === undefined ? '' : ` in namespace ${key.namespace}`
  return error('DT6309', `${showKey(key)}${place} is in the cluster, and is not as in the backup`, {
    help: 'take it out of the file, with all of its namespace if it is one, or delete it in the cluster',
  })
}

const tooClose = (name: string, other: string): Diagnostic =>
  error('DT6309', `namespace ${name} of the backup and ${other} in the cluster could have the same hosts`, {
    help: 'take it out of the file with all that is in it, or delete the other one',
  })

/** The names of previews end in a hash. */
const isPreview = (object: KeptObject['object']): boolean =>
  textAt(object, 'metadata', 'labels', KIND_LABEL) === 'preview'

/** `live`: all namespaces of the cluster, and the platform's other objects. */
export const restorationOf = (backup: ReadonlyArray<KeptObject>, live: ReadonlyArray<ClusterObject>): Restoration => {
  const known = new Map(
    live.flatMap((object) => {
      const key = keyIn(object)
      return key === undefined ? [] : [[idOf({ key }), kept(object)] as const]
    }),
  )
  const wanted = withUsual(backup)
  const missing = wanted.filter((one) => !known.has(idOf(one)))
  const changed = wanted.filter((one) => {
    const found = known.get(idOf(one))
    return known.has(idOf(one)) && !(found && isSameJson(found.object, one.object))
  })
  const own = new Set(tenantsIn(wanted))
  const others = live.flatMap((object) => {
    const found = object.kind === 'Namespace' ? managedIn(object) : undefined
    return found === undefined || own.has(found.name) ? [] : [found.name]
  })
  const rivals = tenantsIn(missing.filter(({ object }) => !isPreview(object))).flatMap((name) => {
    const other = rivalOf(name, others)
    return other === undefined ? [] : [tooClose(name, other)]
  })
  return {
    missing,
    there: wanted.length - missing.length,
    conflicts: [...changed.map(differs), ...rivals].slice(0, MOST_CONFLICTS),
  }
}

/** Users of another issuer cannot log in: the name of an account is derived from the issuer and the person. */
export const strangersIn = (backup: ReadonlyArray<KeptObject>, issuer: string): ReadonlyArray<Diagnostic> => {
  const subjects = backup.flatMap(({ object }) => textAt(object, 'metadata', 'annotations', SUBJECT_ANNOTATION) ?? [])
  const strangers = subjects.filter((subject) => !subject.includes(`"issuer":${JSON.stringify(issuer)}`))
  return strangers.length === 0
    ? []
    : [
        warning('DT6310', `${strangers.length} of ${subjects.length} users are of another issuer than ${issuer}`, {
          help: 'they get other accounts when they log in here; their API tokens are valid',
        }),
      ]
}
