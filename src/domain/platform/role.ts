/** The roles of a user in a namespace, from least to most. Kubernetes enforces them: each is a ClusterRole. */
import { oneOf } from '../print/document.ts'

const roles = ['viewer', 'member', 'owner'] as const
export type NamespaceRole = (typeof roles)[number]
export const NamespaceRole = oneOf(...roles)

const rankOf = (role: NamespaceRole): number => roles.indexOf(role)

export const includesRole = (role: NamespaceRole, needed: NamespaceRole): boolean => rankOf(role) >= rankOf(needed)

export const clusterRoleOf = (role: NamespaceRole): string => `devtool-${role}`

/** `undefined` for a ClusterRole that is not one of ours. */
export const roleOf = (clusterRole: string): NamespaceRole | undefined =>
  roles.find((role) => clusterRoleOf(role) === clusterRole)
