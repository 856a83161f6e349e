/** What commands of a manifest made: workloads are waited for as those of services, other objects by their conditions. */
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

/** Objects of services are waited for by name; hooks of Helm by Helm; what a controller made by its controller. */
export const isAwaited = (live: ClusterObject): boolean =>
  !isGoing(live) &&
  controllerOf(live) === undefined &&
  annotationOf(live, 'helm.sh/hook') === undefined &&
  labelOf(live, MANAGED_BY_LABEL) !== 'devtool'

/** How long other objects have once everything else is done. */
const othersMs = 30_000

const isBehind = (live: ClusterObject, seen: number | undefined): boolean =>
  seen !== undefined && seen < (live.metadata.generation ?? 0)

/** What an object with the condition Ready or Available lacks; nothing when it has neither. */
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

/** An object that commands made, as it is now, or why it cannot be read. */
export type MadeObject = {
  readonly entry: InventoryEntry
  readonly live: ClusterObject | { readonly unreadable: string }
}

const lackIn = ({ live }: MadeObject): string | undefined => {
  if (!isLive(live)) return `cannot be read: ${live.unreadable}`
  return isAwaited(live) ? lackOf(live) : undefined
}

/** DT3162 for those that still lack something: they do not fail the deploy. `waitedMs`: since all else is done. */
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
