/** Which namespaces nobody has used for so long that they are to sleep. */
import * as E from 'fp-ts/lib/Either.js'
import { lastChange } from '../../cluster/last-change.ts'
import { annotationOf, type ClusterObject, labelOf } from '../../cluster/live.ts'
import { KIND_LABEL, SLEEP_AFTER_ANNOTATION, SLEEP_LABEL } from '../../k8s/labels.ts'
import { grouped } from '../../object/grouped.ts'
import { readDuration } from '../../text/duration.ts'
import { secondsBetween } from '../../text/moment.ts'
import { managedIn } from '../access.ts'

/** What devtool keeps in a namespace whenever somebody deploys, develops, wakes it, or starts a run. */
const uses = ['environment', 'run', 'sleep', 'up']
export const USE_SELECTOR = `${KIND_LABEL} in (${uses.join(',')})`
export const isUse = (live: ClusterObject): boolean => uses.includes(labelOf(live, KIND_LABEL) ?? '')

/**
 * After how many seconds the namespace sleeps; `undefined`: never. What an administrator wrote on it comes first, and
 * what cannot be read lets nothing sleep.
 */
export const sleepsAfter = (namespace: ClusterObject, usual: number | undefined): number | undefined => {
  const own = annotationOf(namespace, SLEEP_AFTER_ANNOTATION)
  if (own === undefined) return usual
  const read = readDuration(own)
  return E.isRight(read) && read.right > 0 ? Math.ceil(read.right / 1000) : undefined
}

/** A sleep that began this recently may have been cut off. */
const UNFINISHED_SECONDS = 600

/**
 * `kept`: the ConfigMaps of `USE_SELECTOR`, their metadata is enough. `busy`: namespaces with runs under way. `seen`:
 * when a namespace was last found to be in use, if it was. `usual`: the limit of namespaces without their own.
 */
export type UseSeen = {
  readonly namespaces: Iterable<ClusterObject>
  readonly kept: ReadonlyArray<ClusterObject>
  readonly busy: ReadonlySet<string>
  readonly seen: ReadonlyMap<string, string>
  readonly usual: number | undefined
  readonly now: string
}

/** `isAsleep`: it sleeps according to its record, but perhaps not all of it. `limit`: in seconds. */
export type IdleNamespace = { readonly name: string; readonly isAsleep: boolean; readonly limit: number }

/** Whether a ConfigMap belongs to a development container: its namespace is in use. */
export const isOfDevelopment = (live: ClusterObject): boolean => labelOf(live, KIND_LABEL) === 'up'

/** In no order. */
export const idleNamespaces = ({ busy, kept, namespaces, now, seen, usual }: UseSeen): ReadonlyArray<IdleNamespace> => {
  const byNamespace = grouped(kept, ({ metadata }) => metadata.namespace ?? '')
  return [...namespaces].flatMap((live): ReadonlyArray<IdleNamespace> => {
    const [managed, limit] = [managedIn(live), sleepsAfter(live, usual)]
    if (managed === undefined || managed.status !== 'Active' || managed.isIncomplete || limit === undefined) return []
    const { name } = managed
    const own = byNamespace.get(name) ?? []
    if (busy.has(name) || own.some(isOfDevelopment)) return []
    const slept = own.find((one) => labelOf(one, SLEEP_LABEL) === 'asleep')
    if (slept !== undefined) {
      const isRecent = secondsBetween(lastChange(slept), now) < UNFINISHED_SECONDS
      return isRecent ? [{ name, isAsleep: true, limit }] : []
    }
    const used = [lastChange(live), seen.get(name) ?? '', ...own.map(lastChange)].reduce((a, b) => (a < b ? b : a))
    return secondsBetween(used, now) >= limit ? [{ name, isAsleep: false, limit }] : []
  })
}
