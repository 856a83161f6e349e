/**
 * What the Docker configuration (`config.json`) says about registries: credentials, and the helpers that store them.
 */

import * as E from 'fp-ts/lib/Either.js'
import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { at, isObject, type Json, parsedJson, textAt } from '../cluster/json.ts'
import { type Diagnostic, warning } from '../diagnostic/diagnostic.ts'
import { defined } from '../object/defined.ts'
import { decodeBase64 } from '../text/base64.ts'
import { quote } from '../text/fault.ts'
import { jsonFault } from '../text/json-fault.ts'
import { source } from '../text/source.ts'
import { isDockerHub } from './reference.ts'

/**
 * With an empty `username`, `secret` is an identity token. `registryToken` is sent as it is, instead of fetching a
 * token.
 */
export type RegistryCredential = { readonly username: string; readonly secret: string; readonly registryToken?: string }

/** Both are keyed by {@link credentialKey}. A helper is the suffix of a program's name: `docker-credential-NAME`. */
export type DockerConfig = {
  readonly credentials: ReadonlyMap<string, RegistryCredential>
  readonly helpers: ReadonlyMap<string, string>
  /** The helper for registries without one of their own. */
  readonly store?: string
}

export const emptyDockerConfig: DockerConfig = { credentials: new Map(), helpers: new Map() }

const HUB_KEY = 'https://index.docker.io/v1/'

/** The key under which a registry's credentials are stored. Accepts hosts and URLs. */
export const credentialKey = (host: string): string => {
  const [bare = ''] = host.replace(/^https?:\/\//i, '').split('/', 1)
  return isDockerHub(bare) ? HUB_KEY : bare.toLowerCase()
}

const help = 'images are pulled and pushed without those credentials; `docker login` stores them again'

const unreadable = (path: string, text: string): Diagnostic => {
  const { end, message, start } = jsonFault(text) ?? { message: 'it is not valid JSON', start: 0, end: 0 }
  const place = { source: source(path, '', text), start, end }
  return warning('DT4030', `the Docker configuration cannot be read: ${message}`, { at: place, help })
}

/** Older versions of Docker padded passwords with NUL. */
const withoutPadding = (text: string): string => text.replace(/^\0+|(?<!\0)\0+$/g, '')

/** Left: it is not `user:password` in base64. */
const readAuth = (auth: string): E.Either<undefined, RegistryCredential> => {
  const bytes = decodeBase64(auth)
  const text = bytes === undefined ? '' : new TextDecoder().decode(bytes)
  const colon = text.indexOf(':')
  return colon < 0
    ? E.left(undefined)
    : E.right({ username: text.slice(0, colon), secret: withoutPadding(text.slice(colon + 1)) })
}

/** Right with `undefined`: an entry without credentials, because a helper has them. */
const readEntry = (entry: Json): E.Either<undefined, RegistryCredential | undefined> => {
  if (!isObject(entry)) return E.left(undefined)
  const [auth, identity, token] = [
    textAt(entry, 'auth'),
    textAt(entry, 'identitytoken'),
    textAt(entry, 'registrytoken'),
  ]
  const [username, secret] = [textAt(entry, 'username'), textAt(entry, 'password')]
  const more = token === undefined || token === '' ? {} : { registryToken: token }
  if (identity !== undefined && identity !== '') return E.right({ username: '', secret: identity, ...more })
  const plain = username === undefined || secret === undefined ? undefined : { username, secret }
  const known = auth === undefined || auth === '' ? E.right(plain) : readAuth(auth)
  return E.map((own: RegistryCredential | undefined) => {
    if (own === undefined && token === undefined) return undefined
    return { username: '', secret: '', ...own, ...more }
  })(known)
}

type Entries = ReadonlyArray<readonly [key: string, entry: Json]>

const entriesAt = (json: Json, name: string): Entries => {
  const found = at(json, name)
  if (!isObject(found)) return []
  return Object.entries(found).flatMap(([key, entry]) => (entry === undefined ? [] : [[key, entry] as const]))
}

const helperOf = (json: Json | undefined): string | undefined =>
  typeof json === 'string' && json !== '' ? json : undefined

const readAuths = (path: string, entries: Entries): Checked<DockerConfig['credentials']> => {
  const found: Array<Diagnostic> = []
  const known = new Map<string, RegistryCredential>()
  for (const [key, entry] of entries) {
    const read = readEntry(entry)
    if (E.isLeft(read)) {
      const message = `${path}: the entry of ${quote(key)} in "auths" cannot be read`
      found.push(warning('DT4030', message, { help: 'run `docker login` again' }))
    } else if (read.right !== undefined) {
      // An exact match takes precedence over a URL with the same host.
      const name = credentialKey(key)
      if (!known.has(name) || name === key) known.set(name, read.right)
    }
  }
  return C.note(known, found)
}

/** Unknown keys are ignored. Finds DT4030, which never includes a value of the file. */
export const readDockerConfig = (path: string, text: string): Checked<DockerConfig> => {
  const plain = text.replace(/^\ufeff/, '')
  const json = parsedJson(plain)
  if (json === undefined) return C.fail(unreadable(path, plain))
  if (!isObject(json)) {
    return C.fail(warning('DT4030', `the Docker configuration ${path} is not a JSON object`, { help }))
  }
  const store = helperOf(json['credsStore'])
  const helpers = entriesAt(json, 'credHelpers').flatMap(([host, name]) => {
    const helper = helperOf(name)
    return helper === undefined ? [] : [[credentialKey(host), helper] as const]
  })
  return C.map(
    (credentials: DockerConfig['credentials']): DockerConfig => ({
      credentials,
      helpers: new Map(helpers),
      ...defined({ store }),
    }),
  )(readAuths(path, entriesAt(json, 'auths')))
}

/** Where to get the credentials of a registry. */
export const sourceOf = (
  { credentials, helpers, store }: DockerConfig,
  host: string,
): { readonly key: string; readonly stored?: RegistryCredential; readonly helper?: string } => {
  const key = credentialKey(host)
  const [stored, helper] = [credentials.get(key), helpers.get(key) ?? store]
  return { key, ...defined({ stored, helper }) }
}
