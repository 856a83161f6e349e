/** A context as it is shown. Its token never is. */
import type { Fields, StoredContext } from './store.ts'

/** `token` is a mark that stands for it, '' when there is none. `builder` `docker`: the one of this machine. */
export type ContextRecord = {
  readonly name: string
  readonly kind: StoredContext['kind']
  readonly token: string
  readonly namespace: string
  readonly builder: string
  readonly registry: string
  readonly isDevtool: boolean
  readonly server?: string
} & Pick<Fields, 'pullRegistry' | 'domain' | 'tlsSecret' | 'ingressClass'>

const REDACTED = '<redacted>'

/** `hasToken`: one is given by other ways than the store. */
export const contextRecord = (
  stored: StoredContext,
  {
    hasToken,
    namespace,
    server,
  }: { readonly namespace: string; readonly server?: string | undefined; readonly hasToken: boolean },
): ContextRecord => {
  const { builder, domain, ingressClass, kind, name, pullRegistry, registry = '', tlsSecret, token } = stored
  const isDevtool = kind === 'platform'
  return {
    name,
    kind,
    token: token !== undefined || (isDevtool && hasToken) ? REDACTED : '',
    namespace,
    builder: builder ?? (isDevtool ? '' : 'docker'),
    registry,
    isDevtool,
    ...(server === undefined ? {} : { server }),
    ...(pullRegistry === undefined ? {} : { pullRegistry }),
    ...(domain === undefined ? {} : { domain }),
    ...(tlsSecret === undefined ? {} : { tlsSecret }),
    ...(ingressClass === undefined ? {} : { ingressClass }),
  }
}
