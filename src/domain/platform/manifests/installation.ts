/** The settings of an installation of the platform, and the names by which its parts find each other. */
import type { BuilderInstallation } from './builder.ts'

/**
 * How the platform is served: with a certificate in a Secret, one of a cert-manager issuer, one of its own authority,
 * or behind a proxy that terminates TLS.
 */
export type PlatformTls =
  | { readonly _tag: 'Secret'; readonly name: string }
  | { readonly _tag: 'Issuer'; readonly name: string }
  | { readonly _tag: 'SelfSigned' }
  | { readonly _tag: 'None' }

/**
 * `image`: of the platform's programs. `proxies`: in CIDR notation, which are trusted to say who sent a request.
 * `kubernetes`: how users reach the API server, with the certificates that verify it; without it, the address that the
 * platform's own pods use. `builder`: the build service, if there is one. `sleepAfterSeconds`: after how long idle
 * namespaces sleep; absent: never. `previewSeconds`: how long a preview stays that is not deployed again; 0: forever.
 * `releases`: the address of a release of devtool, for its users. `maxRuns`: how many runs may be under way.
 */
export type PlatformInstallation = {
  readonly image: string
  readonly domain: string
  readonly registry?: string
  readonly ingressClass?: string
  readonly tls: PlatformTls
  readonly issuer: string
  readonly client: string
  /** Whether the issuer may be reached by plain HTTP. */
  readonly isInsecureIssuer?: boolean
  readonly admins: ReadonlyArray<string>
  readonly allowedDomains: ReadonlyArray<string>
  readonly allowedGroups: ReadonlyArray<string>
  readonly proxies: ReadonlyArray<string>
  readonly kubernetes?: { readonly server: string; readonly authority?: string }
  readonly builder?: BuilderInstallation
  readonly sleepAfterSeconds?: number
  readonly previewSeconds?: number
  readonly maxRuns?: number
  readonly releases?: string
}

/** The minor version of Kubernetes 1.x from which admission policies are stable. */
export const OLDEST_MINOR = 30

export const HTTP_PORT = 8080
/** The port of probes and metrics, which users cannot reach. */
export const HEALTH_PORT = 9090

/** Whether other machines can reach a server at this address. */
export const isPublicAddress = (url: string): boolean => {
  const { hostname } = new URL(url)
  const isThisMachine = /^(?:127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\]|localhost|(?:host|kubernetes)\.docker\.internal)$/
  return !isThisMachine.test(hostname) && !hostname.endsWith('.localhost')
}

/** The environment in the platform's namespace, for `why`, `list` and the other commands. */
export const PLATFORM_ENVIRONMENT = 'platform'

export const OIDC_SECRET = 'devtool-oidc'
export const CLUSTER_AUTHORITY = 'devtool-cluster-ca'
/** Tells cert-manager that a certificate is wanted, and from which issuer. */
export const ISSUER_ANNOTATION = 'cert-manager.io/cluster-issuer'

/** Secrets of the platform's own authority, and of the certificate that it signed. */
export const AUTHORITY_SECRET = 'devtool-ca'
export const CERTIFICATE_SECRET = 'devtool-self-signed'
export const SESSION_SECRET = 'devtool-session'

export const hostOf = (domain: string): string => `devtool.${domain}`
/** Without TLS of its own, the platform is behind a proxy that terminates TLS, so the URL is https all the same. */
export const urlOf = ({ domain }: Pick<PlatformInstallation, 'domain'>): string => `https://${hostOf(domain)}`
