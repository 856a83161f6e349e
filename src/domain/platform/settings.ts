/** What an installation of the platform was told, in environment variables. */
import * as E from 'fp-ts/lib/Either.js'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'

/** `url`: where users reach the platform. `authority`: PEM of what verifies the API server, for users. */
export type PlatformSettings = {
  readonly version: string
  readonly url: string
  readonly domain: string
  readonly registry: string
  readonly kubernetes: { readonly server: string; readonly authority: string }
}

/** `server` and `authority`: how the platform itself reaches its cluster, which users do unless told otherwise. */
export const readSettings = (
  env: (name: string) => string | undefined,
  own: PlatformSettings['kubernetes'] & { readonly version: string },
): E.Either<Diagnostic, PlatformSettings> => {
  const url = env('DEVTOOL_URL') ?? ''
  if (!/^https?:\/\/[^/?#@\s]+$/.test(url)) {
    return E.left(error('DT2001', 'DEVTOOL_URL must be the address of the platform, like https://devtool.example.com'))
  }
  return E.right({
    version: own.version,
    url,
    domain: env('DEVTOOL_DOMAIN') ?? '',
    registry: env('DEVTOOL_REGISTRY') ?? '',
    kubernetes: { server: env('DEVTOOL_KUBERNETES_URL') || own.server, authority: own.authority },
  })
}
