/** Flags for the cluster and namespace. */

import type { TargetOptions } from '../../app/context/target.ts'
import { defined } from '../../domain/object/defined.ts'
import { flag, text, type Values } from './flag.ts'

export const context = text('--context', {
  value: 'NAME',
  offers: 'contexts',
  about: 'context; default: the selected one, then that of the kubeconfig',
})
export const namespace = text('-n,--namespace', {
  value: 'NAME',
  offers: 'namespaces',
  about: 'namespace; default: that of the context',
})
export const kubeconfig = text('--kubeconfig', {
  value: 'FILE',
  offers: 'files',
  about: 'kubeconfig file; default: KUBECONFIG, then ~/.kube/config',
})
export const yes = flag('--yes', 'answer yes to questions')

export const contextFlags = { context, kubeconfig }
export const clusterFlags = { ...contextFlags, namespace }

export const reachOf = (
  given: Values<typeof contextFlags> & Partial<Values<typeof clusterFlags>> & { readonly yes?: boolean },
): TargetOptions => ({
  ...defined({ context: given.context, namespace: given.namespace, kubeconfig: given.kubeconfig }),
  isYes: given.yes ?? false,
})
