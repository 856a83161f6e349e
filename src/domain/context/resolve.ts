/** Which context and namespace to use: from flags, then variables, then the store, then the kubeconfig. */
import { defined } from '../object/defined.ts'
import type { Store, StoredContext } from './store.ts'
import { contextName, storedContext } from './store.ts'

/** Where the name of the context comes from. */
export type ContextOrigin = 'Flag' | 'Variable' | 'Store' | 'Kubeconfig'

/**
 * Empty variables count as not set. `hasFile`: a kubeconfig was named explicitly, so its current context takes
 * precedence over the store's.
 */
export type ContextNaming = {
  readonly flag?: string | undefined
  readonly variable?: string | undefined
  readonly hasFile: boolean
}

/** `stored`: the context's entry in the store. */
export type Resolved = { readonly name: string; readonly origin: ContextOrigin; readonly stored?: StoredContext }

const found = (store: Store, name: string, origin: ContextOrigin): Resolved => {
  const stored = storedContext(store, name)
  return { name, origin, ...defined({ stored }) }
}

/** `undefined`: no context is named anywhere. */
export const resolveContext = (
  { flag, hasFile, variable }: ContextNaming,
  store: Store,
  current: string | undefined,
): Resolved | undefined => {
  if (flag !== undefined) return found(store, contextName(flag), 'Flag')
  if (variable !== undefined && variable !== '') return found(store, contextName(variable), 'Variable')
  if (hasFile && current !== undefined) return found(store, current, 'Kubeconfig')
  if (store.current !== undefined) return found(store, store.current, 'Store')
  return current === undefined ? undefined : found(store, current, 'Kubeconfig')
}

/**
 * The token in DEVTOOL_TOKEN belongs to the platform that DEVTOOL_CONTEXT names, or without one to a platform that the
 * command line names. It is sent nowhere else.
 */
export const variableToken = (
  env: Readonly<Record<string, string | undefined>>,
  { isNamed, url }: { readonly url: string; readonly isNamed: boolean },
): string | undefined => {
  const context = env['DEVTOOL_CONTEXT'] || undefined
  const isOfIt = context === undefined ? isNamed : contextName(context) === url
  return isOfIt ? env['DEVTOOL_TOKEN'] || undefined : undefined
}

/** `kube`: the namespace of the kubeconfig's context. `fallback`: if none is named. */
export const resolveNamespace = ({
  fallback = 'default',
  flag,
  kube,
  stored,
  variable,
}: {
  readonly flag?: string | undefined
  readonly variable?: string | undefined
  readonly stored?: string | undefined
  readonly kube?: string | undefined
  readonly fallback?: string
}): string => flag ?? (variable || stored || kube || fallback)
