/** `proxies` of the Docker configuration: what RUN steps need to reach the network, as build arguments. */
import { at, isObject, type Json, textAt } from '../cluster/json.ts'

const names: ReadonlyArray<readonly [key: string, argument: string]> = [
  ['httpProxy', 'HTTP_PROXY'],
  ['httpsProxy', 'HTTPS_PROXY'],
  ['ftpProxy', 'FTP_PROXY'],
  ['allProxy', 'ALL_PROXY'],
  ['noProxy', 'NO_PROXY'],
]

/** User and password in the addresses of proxies, which the output of steps must not show. */
export const proxyCredentials = (proxies: ReadonlyMap<string, string>): ReadonlyArray<string> => [
  ...new Set([...proxies.values()].flatMap((address) => /\/\/([^/@\s]+)@/.exec(address)?.[1] ?? [])),
]

/**
 * The proxies for the builder at `address`, else the default ones, under names in upper and in lower case, since
 * programs read either. Every Dockerfile accepts these arguments without an ARG, and they are part of no image or cache
 * key.
 */
export const proxyArguments = (config: Json | undefined, address: string): ReadonlyMap<string, string> => {
  const proxies = [at(config, 'proxies', address), at(config, 'proxies', 'default')].find(isObject)
  return new Map(
    names.flatMap(([key, argument]) => {
      const value = textAt(proxies, key) ?? ''
      return value === ''
        ? []
        : [
            [argument, value],
            [argument.toLowerCase(), value],
          ]
    }),
  )
}
