/** The scope of a token: never more than its user may do. */
import { isDnsLabel } from '../text/dns-name.ts'
import type { NamespaceRole } from './role.ts'

export type Scope =
  | { readonly _tag: 'All' }
  | { readonly _tag: 'Read' }
  | { readonly _tag: 'Namespace'; readonly namespace: string }

const prefix = 'namespace:'

/** `all`, `read` or `namespace:NAME`. */
export const readScope = (text: string): Scope | undefined => {
  if (text === 'all') return { _tag: 'All' }
  if (text === 'read') return { _tag: 'Read' }
  const namespace = text.slice(prefix.length)
  return text.startsWith(prefix) && isDnsLabel(namespace) ? { _tag: 'Namespace', namespace } : undefined
}

export const showScope = (scope: Scope): string => {
  switch (scope._tag) {
    case 'All':
      return 'all'
    case 'Read':
      return 'read'
    case 'Namespace':
      return prefix + scope.namespace
  }
}

/** `namespace`: the one that the request is about; `undefined` when it is about none, or about all. */
export type ScopedRequest = { readonly isRead: boolean; readonly namespace?: string | undefined }

export const allows = (scope: Scope, { isRead, namespace }: ScopedRequest): boolean => {
  switch (scope._tag) {
    case 'All':
      return true
    case 'Read':
      return isRead
    case 'Namespace':
      return namespace === scope.namespace
  }
}

/** What the scope leaves of the user's role in a namespace. Law: never more than that role. */
export const roleWithin = (scope: Scope, namespace: string, role: NamespaceRole): NamespaceRole | undefined => {
  switch (scope._tag) {
    case 'All':
      return role
    case 'Read':
      return 'viewer'
    case 'Namespace':
      return namespace === scope.namespace ? role : undefined
  }
}
