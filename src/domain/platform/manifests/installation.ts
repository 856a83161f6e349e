/** What an installation of the platform is told, and where its parts find each other. */

/** How the platform is served: with a certificate in a Secret, by an issuer of cert-manager, or elsewhere. */
export type PlatformTls =
  | { readonly _tag: 'Secret'; readonly name: string }
  | { readonly _tag: 'Issuer'; readonly name: string }
  | { readonly _tag: 'None' }

/** `image`: of the platform's programs. `server`: the address of the API server for users; else that of the platform. */
export type PlatformInstallation = {
  readonly image: string
  readonly domain: string
  readonly registry?: string
  readonly ingressClass?: string
  readonly tls: PlatformTls
  readonly issuer: string
  readonly client: string
  readonly admins: ReadonlyArray<string>
  readonly allowedDomains: ReadonlyArray<string>
  readonly server?: string
}

/** The environment in the platform's namespace, for `why`, `list` and the other commands. */
export const PLATFORM_ENVIRONMENT = 'platform'

export const OIDC_SECRET = 'devtool-oidc'
export const SESSION_SECRET = 'devtool-session'

export const hostOf = (domain: string): string => `devtool.${domain}`
export const urlOf = ({ domain, tls }: Pick<PlatformInstallation, 'domain' | 'tls'>): string =>
  `${tls._tag === 'None' ? 'http' : 'https'}://${hostOf(domain)}`
