/** Which context and namespace are meant: flags, then variables, then the store, then the kubeconfig. */
import { defined } from '../object/defined.ts'
import type { Store, StoredContext } from './store.ts'
import { contextName, storedContext } from './store.ts'

/** Where the name of the context was found. */
export type ContextOrigin = 'Flag' | 'Variable' | 'Store' | 'Kubeconfig'

/** Empty variables count as not set. `hasFile`: a kubeconfig was named, so its own current context goes before the store's. */
export type ContextNaming = {
  readonly flag?: string | undefined
  readonly variable?: string | undefined
  readonly hasFile: boolean
}

/** `stored` is what the store has of it. */
export type Resolved = { readonly name: string; readonly origin: ContextOrigin; readonly stored?: StoredContext }

const found = (store: Store, name: string, origin: ContextOrigin): Resolved => {
  const stored = storedContext(store, name)
  return { name, origin, ...defined({ stored }) }
}

/** `undefined`: nobody names one. */
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

/** `kube`: that of the kubeconfig's context. `default` when nobody names one. */
export const resolveNamespace = ({
  flag,
  kube,
  stored,
  variable,
}: {
  readonly flag?: string | undefined
  readonly variable?: string | undefined
  readonly stored?: string | undefined
  readonly kube?: string | undefined
}): string => flag ?? (variable || stored || kube || 'default')
