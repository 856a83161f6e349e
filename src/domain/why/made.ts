/**
 * Objects that commands of a manifest created: their workloads are awaited like those of services, other objects by
 * their conditions.
 */
import { numberAt, textAt } from '../cluster/json.ts'
import { annotationOf, type ClusterObject, controllerOf, isLive, labelOf } from '../cluster/live.ts'
import { showKey } from '../cluster/resources.ts'
import { type Diagnostic, warning } from '../diagnostic/diagnostic.ts'
import type { InventoryEntry } from '../environment/record.ts'
import { MANAGED_BY_LABEL } from '../k8s/labels.ts'
import { conditionOf, isGoing } from '../rollout/pod.ts'

const groups: ReadonlyMap<string, string> = new Map([
  ['Deployment', 'apps'],
  ['StatefulSet', 'apps'],
  ['DaemonSet', 'apps'],
  ['ReplicaSet', 'apps'],
  ['Job', 'batch'],
  ['Pod', ''],
])

export const runsPods = ({ group, kind }: Pick<InventoryEntry, 'group' | 'kind'>): boolean => groups.get(kind) === group

/** Objects of services are awaited by name, hooks of Helm by Helm, and objects of controllers by their controllers. */
export const isAwaited = (live: ClusterObject): boolean =>
  !isGoing(live) &&
  controllerOf(live) === undefined &&
  annotationOf(live, 'helm.sh/hook') === undefined &&
  labelOf(live, MANAGED_BY_LABEL) !== 'devtool'

/** How much longer other objects may take once everything else is done. */
const othersMs = 30_000

const isBehind = (live: ClusterObject, seen: number | undefined): boolean =>
  seen !== undefined && seen < (live.metadata.generation ?? 0)

/** Which of the conditions Ready and Available the object lacks; nothing when it has neither condition. */
export const lackOf = (live: ClusterObject): string | undefined => {
  const condition = conditionOf(live, 'Ready') ?? conditionOf(live, 'Available')
  if (condition === undefined || isGoing(live)) return undefined
  if (isBehind(live, numberAt(live, 'status', 'observedGeneration') ?? numberAt(condition, 'observedGeneration'))) {
    return 'its controller has not seen the change yet'
  }
  if (textAt(condition, 'status') === 'True') return undefined
  const [reason, message] = [textAt(condition, 'reason') ?? '', textAt(condition, 'message') ?? '']
  const type = textAt(condition, 'type') ?? ''
  return [`not ${type}`, reason, message].filter((part) => part !== '').join(': ')
}

/** The current object, or why it cannot be read. */
export type MadeObject = {
  readonly entry: InventoryEntry
  readonly live: ClusterObject | { readonly unreadable: string }
}

const lackIn = ({ live }: MadeObject): string | undefined => {
  if (!isLive(live)) return `cannot be read: ${live.unreadable}`
  return isAwaited(live) ? lackOf(live) : undefined
}

/**
 * DT3162 for objects that are still not ready, which do not fail the deploy. `waitedMs`: time since everything else is
 * done.
 */
export const judgeOthers = (
  objects: ReadonlyArray<MadeObject>,
  waitedMs: number,
): 'Wait' | ReadonlyArray<Diagnostic> => {
  const lacking = objects.flatMap((object) => {
    const [{ entry }, lack] = [object, lackIn(object)]
    return lack === undefined
      ? []
      : [`${showKey({ name: entry.name, resource: { ...entry, isNamespaced: true } })}: ${lack}`]
  })
  if (lacking.length === 0) return []
  if (waitedMs < othersMs) return 'Wait'
  const help = 'they may become ready later; `kubectl describe` shows what they wait for'
  return [warning('DT3162', `not ready ${othersMs / 1000} s after everything else: ${lacking.join('\n')}`, { help })]
}
