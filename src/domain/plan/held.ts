/** What a workload that has to stay stopped is applied without. */
import type { DaemonSet, KubeObject } from '../k8s/types.ts'
import { withoutReplicas } from './conflicts.ts'

const withoutNodes = (object: DaemonSet): DaemonSet => {
  const { template } = object.spec
  const { nodeSelector: _nodes, ...spec } = template.spec
  return { ...object, spec: { ...object.spec, template: { ...template, spec } } }
}

/** Without what keeps it stopped, also when conflicts are forced: its pods would run beside those in its place. */
export const leftStopped = (object: KubeObject): KubeObject =>
  object.kind === 'DaemonSet' ? withoutNodes(object) : withoutReplicas(object)
