/** The platform's own namespaces. The server creates those of tenants. */
import { SCOPED_NAMESPACE, SYSTEM_NAMESPACE, USERS_NAMESPACE } from '../names.ts'
import { systemLabels } from './rights.ts'
import type { PlatformNamespace } from './types.ts'

const namespace = (name: string): PlatformNamespace => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { ...systemLabels, 'pod-security.kubernetes.io/enforce': 'restricted' } },
})

export const systemNamespace = namespace(SYSTEM_NAMESPACE)
/** Is kept when the platform is removed: its accounts are the members of namespaces. */
export const usersNamespace = namespace(USERS_NAMESPACE)
/** Its accounts are created from the tokens of users, so it is removed with the platform. */
export const scopedNamespace = namespace(SCOPED_NAMESPACE)
