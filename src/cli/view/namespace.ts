/** `namespace`, `namespace use` and `kubeconfig`: the current context and namespace. */
import type { KubeconfigUpdate, NamespaceUsed } from '../../app/context/namespaces.ts'
import { showOverriding } from './context.ts'
import type { RenderedView } from './view.ts'

export const showNamespaceUsed = ({ context, namespace, overriding }: NamespaceUsed): RenderedView => ({
  said: [`using namespace ${namespace} of ${context}`, ...showOverriding(overriding)],
})

export const showKubeconfigUpdate = ({ context, namespace, path }: KubeconfigUpdate): RenderedView => ({
  said: [`${path} now uses ${context}, namespace ${namespace}`],
})
