/** A context as it is shown, always without its token. */

import * as t from 'io-ts'
import { defined } from '../object/defined.ts'
import { type DataOf, document, keys, oneOf } from '../print/document.ts'
import type { StoredContext } from './store.ts'

const required = {
  name: [t.string, 'name of the context'],
  kind: [oneOf('kubernetes', 'platform', 'docker'), 'what the context connects to'],
  token: [t.string, '`<redacted>` if there is a token, otherwise empty'],
  namespace: [t.string, 'namespace that commands use'],
  builder: [t.string, 'address of the builder; `docker` is the daemon of this machine'],
  registry: [t.string, 'registry of built images, or empty'],
  isDevtool: [t.boolean, 'whether it is a platform'],
} as const
const optional = {
  server: [t.string, 'address of the API server'],
  pullRegistry: [t.string, 'the registry as the cluster reaches it'],
  domain: [t.string, 'domain of public addresses'],
  tlsSecret: [t.string, 'Secret with the certificate of every Ingress'],
  ingressClass: [t.string, 'class of every Ingress'],
  agentImage: [t.string, 'image that the agent of development containers is installed from'],
} as const

export const ContextRecord = document('context show', 'The context that commands use.', required, optional)
export type ContextRecord = DataOf<typeof ContextRecord>

const Listed = keys({ ...required, isCurrent: [t.boolean, 'whether commands use it'] }, optional)

export const ContextList = document('context list', 'The contexts of the kubeconfig and the stored ones.', {
  contexts: [t.readonlyArray(Listed), 'by name'],
})
export type ContextList = DataOf<typeof ContextList>

const REDACTED = '<redacted>'

/** `hasToken`: a token is given by other means than the store. */
export const contextRecord = (
  stored: StoredContext,
  {
    hasToken,
    namespace,
    server,
  }: { readonly namespace: string; readonly server?: string | undefined; readonly hasToken: boolean },
): ContextRecord => {
  const {
    agentImage,
    builder,
    domain,
    ingressClass,
    kind,
    name,
    pullRegistry,
    registry = '',
    tlsSecret,
    token,
  } = stored
  const isDevtool = kind === 'platform'
  return {
    name,
    kind,
    token: token !== undefined || (isDevtool && hasToken) ? REDACTED : '',
    namespace,
    builder: builder ?? (isDevtool ? '' : 'docker'),
    registry,
    isDevtool,
    ...defined({ server, pullRegistry, domain, tlsSecret, ingressClass, agentImage }),
  }
}
