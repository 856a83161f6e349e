/** Fields that are left out when a workload that has to stay stopped is applied. */
import type { DaemonSet, KubeObject } from '../k8s/types.ts'
import { withoutReplicas } from './conflicts.ts'

const withoutNodes = (object: DaemonSet): DaemonSet => {
  const { template } = object.spec
  const { nodeSelector: _nodes, ...spec } = template.spec
  return { ...object, spec: { ...object.spec, template: { ...template, spec } } }
}

/**
 * Without the fields that keep it stopped, even when conflicts are forced: its pods would run beside those of its
 * mirror.
 */
export const leftStopped = (object: KubeObject): KubeObject =>
  object.kind === 'DaemonSet' ? withoutNodes(object) : withoutReplicas(object)
