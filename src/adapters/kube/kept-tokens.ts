/**
 * OIDC tokens that an issuer gave in place of those in a kubeconfig, which is never written: an issuer that rotates
 * refresh tokens accepts each only once, so the next run needs the newest.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type JsonObject, objectAt, textAt } from '../../domain/cluster/json.ts'
import { printOwnFile, readOwnFile } from '../../domain/context/own-file.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import { sha256 } from '../../domain/text/sha256.ts'
import type { Home } from '../../ports/home.ts'

const KEPT_TOKENS = 'context/oidc.json'

export type OidcTokens = { readonly idToken: string; readonly refreshToken: string | undefined }

/** Replaced logins cannot be recognised, so the oldest tokens are dropped. */
const mostKept = 100

/** A new login has another refresh token in the kubeconfig, for which nothing is kept. */
const keyOf = (config: JsonObject): string => {
  const parts = ['idp-issuer-url', 'client-id', 'refresh-token'].map((name) => textAt(config, name) ?? '')
  return `sha256:${sha256(JSON.stringify(parts))}`
}

export const tokensIn = (config: JsonObject): OidcTokens => ({
  idToken: textAt(config, 'id-token') ?? '',
  refreshToken: textAt(config, 'refresh-token'),
})

/** `undefined` when none are kept for this configuration, or when they cannot be read. */
export const readKept = (config: JsonObject, store: Home): T.Task<OidcTokens | undefined> =>
  pipe(
    store.read(KEPT_TOKENS),
    TE.flatMapEither((text) => readOwnFile(store.where(KEPT_TOKENS), text, 'tokens')),
    TE.match(
      () => undefined,
      ({ members }) => {
        const kept = tokensIn(objectAt(members, keyOf(config)))
        return kept.refreshToken === undefined ? undefined : kept
      },
    ),
  )

export const keep = (
  config: JsonObject,
  { idToken, refreshToken }: OidcTokens,
  store: Home,
): TE.TaskEither<Diagnostic, void> =>
  store.change(KEPT_TOKENS, (text) =>
    pipe(
      readOwnFile(store.where(KEPT_TOKENS), text, 'tokens'),
      E.map(({ members, root }) => {
        const key = keyOf(config)
        const others = Object.entries(members).filter(([name]) => name !== key)
        const entry = { 'id-token': idToken, ...defined({ 'refresh-token': refreshToken }) }
        const tokens = Object.fromEntries([...others, [key, entry]].slice(-mostKept))
        return printOwnFile({ ...root, tokens })
      }),
    ),
  )
