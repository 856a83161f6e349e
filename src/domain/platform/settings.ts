/** The settings of an installation of the platform, from environment variables. */
import * as E from 'fp-ts/lib/Either.js'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { isNetwork } from '../text/ip.ts'
import type { Admission } from './admission.ts'
import { isReleaseUrl } from './releases.ts'

/** `isInsecure`: whether it may be reached by plain HTTP. `asksGroups`: whether groups decide who may log in. */
export type IssuerSettings = {
  readonly issuer: string
  readonly client: string
  readonly isInsecure: boolean
  readonly asksGroups?: boolean
}

/**
 * `url`: where users reach the platform. `authority`: certificates (PEM) that verify the API server, for users.
 * `proxies`: the networks whose `x-forwarded-for` is trusted. `previewSeconds`: how long a preview stays that is not
 * deployed again; 0: forever. `releases`: the address of a release of devtool.
 */
export type PlatformSettings = {
  readonly version: string
  readonly url: string
  readonly domain: string
  readonly registry: string
  /** The image of the platform's programs, which runs use as well. */
  readonly image: string
  readonly kubernetes: { readonly server: string; readonly authority: string }
  readonly identity: IssuerSettings
  readonly admission: Admission
  readonly proxies: ReadonlyArray<string>
  readonly previewSeconds: number
  /** Absent: idle namespaces do not sleep. */
  readonly sleepAfterSeconds?: number
  /** Absent: as many as usual. */
  readonly maxRuns?: number
  readonly releases?: string
}

const USUAL_PREVIEW_SECONDS = 7 * 86_400

const listOf = (text = ''): ReadonlyArray<string> =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

const address = /^https?:\/\/[^/?#@\s]+$/
const issuerAddress = /^https?:\/\/[^?#@\s]+$/

/** `server` and `authority`: how the platform itself reaches its cluster, and the default for users. */
export const readSettings = (
  env: (name: string) => string | undefined,
  own: PlatformSettings['kubernetes'] & { readonly version: string },
): E.Either<Diagnostic, PlatformSettings> => {
  const text = (name: string): string => env(`DEVTOOL_${name}`) ?? ''
  const refused = (message: string): E.Either<Diagnostic, never> => E.left(error('DT6011', message))
  const [url, issuer, client] = [text('URL'), text('OIDC_ISSUER'), text('OIDC_CLIENT')]
  const isInsecure = text('INSECURE_ISSUER') === 'true'
  const [proxies, groups] = [listOf(text('TRUSTED_PROXIES')), listOf(text('ALLOWED_GROUPS'))]
  const wrong = proxies.find((one) => !isNetwork(one))
  if (!address.test(url)) {
    return refused('DEVTOOL_URL must be the address of the platform, like https://devtool.example.com')
  }
  if (!issuerAddress.test(issuer)) return refused('DEVTOOL_OIDC_ISSUER must be the address of an issuer')
  if (issuer.startsWith('http:') && !isInsecure) {
    return refused('the issuer is reached by plain HTTP, which is only taken with DEVTOOL_INSECURE_ISSUER=true')
  }
  const [lifetime, releases] = [text('PREVIEW_TTL'), text('RELEASE_URL')]
  const [idle, most] = [Number(text('SLEEP_AFTER')), Number(text('MAX_RUNS'))]
  if (!/^\d*$/.test(lifetime)) return refused('DEVTOOL_PREVIEW_TTL must be a number of seconds')
  if (releases !== '' && !isReleaseUrl(releases)) {
    return refused('DEVTOOL_RELEASE_URL must be the https address of a release')
  }
  if (client === '') return refused('DEVTOOL_OIDC_CLIENT must be the id of the platform at its issuer')
  if (wrong !== undefined) return refused(`DEVTOOL_TRUSTED_PROXIES: ${wrong} is no network, like 10.0.0.0/8`)
  return E.right({
    version: own.version,
    url,
    domain: text('DOMAIN'),
    registry: text('REGISTRY'),
    image: text('IMAGE'),
    kubernetes: { server: text('KUBERNETES_URL') || own.server, authority: own.authority },
    identity: { issuer, client, isInsecure, asksGroups: groups.length > 0 },
    admission: {
      admins: listOf(text('ADMINS')),
      domains: listOf(text('ALLOWED_DOMAINS')),
      groups,
    },
    proxies,
    previewSeconds: lifetime === '' ? USUAL_PREVIEW_SECONDS : Number(lifetime),
    ...(releases === '' ? {} : { releases }),
    ...(idle > 0 ? { sleepAfterSeconds: idle } : {}),
    ...(most > 0 ? { maxRuns: most } : {}),
  })
}
