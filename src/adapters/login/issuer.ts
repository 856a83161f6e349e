/** The issuer of identities, by OpenID Connect with a code, PKCE, state and nonce. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  ResponseBodyError,
} from 'openid-client'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { Identified } from '../../domain/platform/admission.ts'
import type { IssuerSettings } from '../../domain/platform/settings.ts'
import type { IdentityIssuer } from '../../ports/identity.ts'

const TIMEOUT_SECONDS = 10

export type IssuerOptions = IssuerSettings & {
  readonly clientSecret: string
  /** Where the issuer sends browsers. */
  readonly redirect: string
}

const silent = error('DT6009', 'the issuer of identities cannot be reached or answers wrongly', {
  help: 'try again; if it persists, an administrator finds the reason in the log of the platform',
})
const refused = error('DT6012', 'the issuer has not completed the login', { help: 'begin the login again' })

/** A refusal by the issuer, or an invalid answer, is the end of this login; any other failure may be temporary. */
const isRefusal = (cause: unknown): boolean =>
  cause instanceof AuthorizationResponseError ||
  (cause instanceof ResponseBodyError && cause.error === 'invalid_grant') ||
  (cause instanceof ClientError && cause.code === 'OAUTH_INVALID_RESPONSE')

/** Issuers that support both kinds of authentication accept either; the default of the standard is Basic. */
const authenticationOf = (methods: ReadonlyArray<string> | undefined, secret: string) =>
  methods === undefined || methods.includes('client_secret_basic')
    ? ClientSecretBasic(secret)
    : ClientSecretPost(secret)

const configure = async ({ client, clientSecret, isInsecure, issuer }: IssuerOptions): Promise<Configuration> => {
  const execute = isInsecure ? [allowInsecureRequests] : []
  const found = await discovery(new URL(issuer), client, clientSecret, undefined, { execute, timeout: TIMEOUT_SECONDS })
  const server = found.serverMetadata()
  const method = authenticationOf(server.token_endpoint_auth_methods_supported, clientSecret)
  const own = new Configuration(server, client, clientSecret, method)
  own.timeout = TIMEOUT_SECONDS
  if (isInsecure) allowInsecureRequests(own)
  return own
}

/** Many issuers give groups only with a scope for them; some refuse unknown scopes. */
const scopeFor = (issuer: Configuration, { asksGroups = false }: IssuerSettings): string => {
  const { scopes_supported: known } = issuer.serverMetadata()
  const isAsked = asksGroups && (known === undefined || known.includes('groups'))
  return `openid email profile${isAsked ? ' groups' : ''}`
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const textsOf = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

type Claims = Readonly<Record<string, unknown>>

/** Some issuers give the address and the groups only at the userinfo endpoint. */
const told = async (
  configuration: Configuration,
  own: Claims,
  accessToken: string,
  { asksGroups = false }: IssuerSettings,
): Promise<Claims> => {
  const isComplete = own['email'] !== undefined && !(asksGroups && own['groups'] === undefined)
  if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined) return own
  return { ...own, ...(await fetchUserInfo(configuration, accessToken, textOf(own['sub']))) }
}

const identifiedBy = (claims: Claims): Identified => ({
  issuer: textOf(claims['iss']),
  subject: textOf(claims['sub']),
  email: textOf(claims['email']),
  isVerified: claims['email_verified'] === true,
  groups: textsOf(claims['groups']),
})

/** `failed`: the reason, for the log. */
export const oidcIdentity = (options: IssuerOptions, failed: (cause: unknown) => void): IdentityIssuer => {
  let configuration: Promise<Configuration> | undefined
  const configured = (): Promise<Configuration> => {
    configuration ??= configure(options).catch((cause: unknown) => {
      // The issuer may be available again at the next login.
      configuration = undefined
      throw cause
    })
    return configuration
  }
  const asked = <A>(ask: (configuration: Configuration) => Promise<A>): TE.TaskEither<Diagnostic, A> =>
    pipe(
      TE.tryCatch(
        async () => ask(await configured()),
        (cause) => cause,
      ),
      TE.mapLeft((cause) => {
        failed(cause)
        return isRefusal(cause) ? refused : silent
      }),
    )
  return {
    address: ({ nonce, state, verifier }) =>
      asked(async (issuer) =>
        buildAuthorizationUrl(issuer, {
          redirect_uri: options.redirect,
          scope: scopeFor(issuer, options),
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          state,
          nonce,
        }).toString(),
      ),
    identified: (callback, { nonce, state, verifier }) =>
      asked(async (issuer) => {
        const tokens = await authorizationCodeGrant(issuer, new URL(callback), {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        })
        return identifiedBy(await told(issuer, { ...tokens.claims() }, tokens.access_token, options))
      }),
  }
}
