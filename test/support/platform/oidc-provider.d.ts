/** What the tests use of the package, which has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  type Account = { readonly accountId: string; readonly claims: () => Promise<object> }
  type Configuration = {
    readonly clients: ReadonlyArray<object>
    readonly claims: Readonly<Record<string, ReadonlyArray<string>>>
    readonly cookies: { readonly keys: ReadonlyArray<string> }
    readonly features: object
    readonly findAccount: (context: unknown, id: string) => Promise<Account | undefined>
    readonly pkce: { readonly required: () => boolean }
    readonly conformIdTokenClaims: boolean
  }
  export class Provider {
    constructor(issuer: string, configuration: Configuration)
    callback(): (request: IncomingMessage, response: ServerResponse) => void
  }
}
