/**
 * `context/config.json`: the stored contexts, and which of them is current. Changes are made to the JSON as it was
 * read, so unknown fields are kept.
 */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { isObject, type JsonObject, textAt } from '../cluster/json.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { printOwnFile, readOwnFile } from './own-file.ts'

export const STORE = 'context/config.json'

const kinds = ['kubernetes', 'docker', 'platform'] as const
type Kind = (typeof kinds)[number]

/**
 * All of these are strings; an empty one counts as absent. `authority`: the certificate of a platform that was
 * confirmed, as PEM. `tokenFrom`: `login` for a token that was made for this machine.
 */
const fields = [
  'namespace',
  'builder',
  'registry',
  'pullRegistry',
  'domain',
  'tlsSecret',
  'ingressClass',
  'agentImage',
  'token',
  'tokenFrom',
  'authority',
] as const
type Field = (typeof fields)[number]
export type ContextFields = { readonly [K in Field]?: string }

/** `name`: a context of the kubeconfig, or the URL of a platform. */
export type StoredContext = ContextFields & { readonly name: string; readonly kind: Kind }

/** `root` is the file itself. */
export type Store = {
  readonly current?: string
  readonly contexts: ReadonlyArray<StoredContext>
  readonly root: JsonObject
}

export const isPlatformUrl = (name: string): boolean => /^https?:\/\//i.test(name)

/**
 * Whether tokens could be read on the way: by plain HTTP, but for a platform on this machine. Nothing is sent to such
 * an address.
 */
export const isInsecureUrl = (url: string): boolean =>
  !/^https:\/\//i.test(url) && !/^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d+)?(?:\/|$)/i.test(url)

export const insecureUrl = (url: string): Diagnostic =>
  error('DT2001', `${url} is not reached by HTTPS, so tokens could be read on the way`, {
    help: 'use the https address of the platform',
  })

/** A URL in normal form: `https://Example.com/` becomes `https://example.com`. */
export const contextName = (text: string): string => {
  if (!isPlatformUrl(text)) return text
  const [, scheme = '', host = '', path = ''] = /^([^:]*:\/\/)([^/]*)(.*)/.exec(text) ?? []
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end -= 1
  return scheme.toLowerCase() + host.toLowerCase() + path.slice(0, end)
}

/** What a kubeconfig calls the cluster, the user and the context of a platform. */
export const kubeContextOf = (url: string): string => url.replace(/^https?:\/\//, '').replaceAll('/', '-')

const kindOf = (name: string, json: JsonObject): Kind =>
  kinds.find((kind) => kind === textAt(json, 'kind')) ?? (isPlatformUrl(name) ? 'platform' : 'kubernetes')

const fieldsOf = (json: JsonObject): ContextFields => {
  const found: { [K in Field]?: string } = {}
  for (const field of fields) {
    const text = textAt(json, field) ?? ''
    if (text !== '') found[field] = text
  }
  return found
}

const storeOf = (root: JsonObject, members: JsonObject): Store => {
  const current = textAt(root, 'current') ?? ''
  return {
    ...(current === '' ? {} : { current }),
    contexts: Object.entries(members).flatMap(([name, json]) =>
      isObject(json) ? [{ name, kind: kindOf(name, json), ...fieldsOf(json) }] : [],
    ),
    root,
  }
}

/** `file` is named in messages. Entries in an unknown form are ignored but kept. Fails with DT2105. */
export const readStore = (file: string, text: string | undefined): E.Either<Diagnostic, Store> =>
  pipe(
    readOwnFile(file, text, 'contexts'),
    E.map(({ members, root }) => storeOf(root, members)),
  )

/** Law: `readStore` reads it back. */
export const printStore = ({ root }: Store): string => printOwnFile(root)

const membersOf = ({ root }: Store): JsonObject => {
  const { contexts } = root
  return isObject(contexts) ? contexts : {}
}

const rebuilt = (root: JsonObject, contexts: JsonObject): Store => storeOf({ ...root, contexts }, contexts)

export const storedContext = ({ contexts }: Store, name: string): StoredContext | undefined =>
  contexts.find((context) => context.name === name)

/** The store with that context set; given fields replace the old ones, '' removes one. */
export const withContext = (store: Store, name: string, given: ContextFields): Store => {
  const members = membersOf(store)
  const old = Object.hasOwn(members, name) ? members[name] : undefined
  const kept: JsonObject = isObject(old) ? old : {}
  const { kind = kindOf(name, kept) } = kept
  const entry = Object.entries({ ...kept, kind, ...given })
  const emptied = new Set(Object.entries(given).flatMap(([field, text]) => (text === '' ? [field] : [])))
  const written = Object.fromEntries(entry.filter(([field]) => !emptied.has(field)))
  return rebuilt(store.root, { ...members, [name]: written })
}

export const withCurrent = (store: Store, name: string): Store =>
  rebuilt({ ...store.root, current: name }, membersOf(store))

/**
 * The store without that context, and whether it was there. If it was the current one, there is no current one
 * afterwards.
 */
export const withoutContext = (store: Store, name: string): { readonly store: Store; readonly isFound: boolean } => {
  const members = membersOf(store)
  const { current, ...rest } = store.root
  const root = current === name ? rest : store.root
  const left = Object.fromEntries(Object.entries(members).filter(([key]) => key !== name))
  return { store: rebuilt(root, left), isFound: Object.hasOwn(members, name) || current === name }
}
