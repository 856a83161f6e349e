/** Where a builder runs. */

import * as E from 'fp-ts/lib/Either.js'
import { type Checked, fail, ok } from '../checked.ts'
import { error } from '../diagnostic/diagnostic.ts'
import { defined } from '../object/defined.ts'
import { isIpv6 } from '../text/ip.ts'

/**
 * The Docker daemon: a `unix` path, TCP with or without TLS, or an `ssh://` URL as written. `certificates`: the folder
 * of a Docker context's certificates; without it, DOCKER_CERT_PATH or the Docker configuration's. `isUnverified`:
 * accept any server certificate.
 */
export type DockerHost =
  | { readonly _tag: 'Unix'; readonly path: string }
  | {
      readonly _tag: 'Tcp'
      readonly host: string
      readonly port: number
      readonly isTls: boolean
      readonly certificates?: string
      readonly isUnverified?: boolean
    }
  | { readonly _tag: 'Ssh'; readonly url: string }

/** Without `context` or `namespace`, the current ones are used. */
export type PodAddress = {
  readonly _tag: 'KubePod'
  readonly pod: string
  readonly port: number
  readonly namespace?: string
  readonly context?: string
}

/** Docker without a `host`: where the Docker CLI on this machine would look for its daemon. */
export type BuilderAddress =
  | { readonly _tag: 'Tcp'; readonly host: string; readonly port: number }
  | { readonly _tag: 'Unix'; readonly path: string }
  | PodAddress
  | { readonly _tag: 'Docker'; readonly host?: DockerHost }

type AddressResult<A> = E.Either<{ readonly why: string; readonly help?: string }, A>

const forms = 'write tcp://HOST:PORT, HOST:PORT, unix:///PATH, kube-pod://POD, or docker'
const usualPort = 1234

const bad = (why: string, help?: string): AddressResult<never> => E.left(help === undefined ? { why } : { why, help })

/** Passwords in an address are never shown, nor anything that might be one. That of a pod has a query of its own. */
const shown = (text: string): string => {
  const bare = text.replace(/^((?:[^/?]*:\/\/)?)[^/?]*@/, '$1…@')
  return `"${bare.startsWith('kube-pod:') ? bare : bare.replace(/\?.*/s, '?…')}"`
}

const portOf = (text: string): number | undefined => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return port >= 1 && port <= 65_535 ? port : undefined
}

const hostOf = (text: string): string | undefined => {
  const bare = /^\[(.+)\]$/.exec(text)?.[1]
  if (bare !== undefined) return isIpv6(bare) ? bare : undefined
  return /^\w[\w.-]*$/.test(text) ? text : undefined
}

const readTcp = (text: string): AddressResult<BuilderAddress> => {
  const [, name = '', digits = ''] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(text.replace(/\/$/, '')) ?? []
  const host = hostOf(name)
  if (text.includes('@')) return bad('contains a user or password, which BuildKit does not use')
  if (host === undefined && text.split(':').length > 2 && !text.startsWith('[')) {
    return bad('is not a valid address', `put an IPv6 address in brackets: tcp://[::1]:${usualPort}`)
  }
  if (host === undefined) return bad('has no host')
  if (digits === '')
    return bad('has no port', `BuildKit usually listens on ${usualPort}: write tcp://${name}:${usualPort}`)
  const port = portOf(digits)
  return port === undefined ? bad('has no port from 1 to 65535') : E.right({ _tag: 'Tcp', host, port })
}

const readUnix = (path: string): AddressResult<BuilderAddress> =>
  path.startsWith('/') && path !== '/' && !path.includes('\0')
    ? E.right({ _tag: 'Unix', path })
    : bad('has no absolute path', 'write unix:///PATH, with three slashes')

const decoded = (text: string): AddressResult<string> =>
  E.tryCatch(
    () => decodeURIComponent(text),
    () => ({ why: `holds "${text}", which cannot be decoded` }),
  )

const parameters: ReadonlyArray<string> = ['namespace', 'context', 'container', 'port']

/** Empty values count as absent. */
const readQuery = (query: string): AddressResult<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>()
  for (const pair of query.split('&').filter((part) => part !== '')) {
    const [name = '', ...rest] = pair.split('=')
    const value = decoded(rest.join('='))
    if (E.isLeft(value)) return value
    if (!parameters.includes(name))
      return bad(`has "${name}", which is unknown`, `the parameters are ${parameters.join(', ')}`)
    if (value.right !== '') found.set(name, value.right)
  }
  return E.right(found)
}

const podName = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/
const namespaceName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

/** Ports belong to the whole pod, so `container` makes no difference. */
const checkPod = (pod: string, given: ReadonlyMap<string, string>): AddressResult<BuilderAddress> => {
  const [context, namespace] = [given.get('context'), given.get('namespace')]
  const port = portOf(given.get('port') ?? `${usualPort}`)
  if (!podName.test(pod)) return bad('has no pod name', 'write kube-pod://POD?namespace=NAMESPACE')
  if (namespace !== undefined && !namespaceName.test(namespace)) return bad(`has an invalid namespace, "${namespace}"`)
  if (port === undefined) return bad('has no port from 1 to 65535')
  return E.right({
    _tag: 'KubePod',
    pod,
    port,
    ...defined({ namespace, context }),
  })
}

const readPod = (text: string): AddressResult<BuilderAddress> => {
  const [, pod = '', query = ''] = /^([^?/]*)\/?(?:\?(.*))?$/s.exec(text) ?? []
  return E.flatMap((given: ReadonlyMap<string, string>) => checkPod(pod, given))(readQuery(query))
}

const withPort = (host: string): string => (/:\d+$/.test(host) ? host : `${host || 'HOST'}:${usualPort}`)

const readScheme = (scheme: string, rest: string): AddressResult<BuilderAddress> => {
  switch (scheme) {
    case 'tcp':
      return readTcp(rest)
    case 'unix':
      return readUnix(rest)
    case 'kube-pod':
      return readPod(rest)
    case 'docker-container':
    case 'podman-container': {
      const tool = scheme === 'docker-container' ? 'docker' : 'podman'
      return bad(
        'is a container, which cannot be reached by its name',
        `publish its port (${tool} run -p 127.0.0.1:${usualPort}:${usualPort} …) and write tcp://127.0.0.1:${usualPort}`,
      )
    }
    case 'http':
    case 'https':
      return bad(
        'is a URL, which BuildKit does not use',
        `write tcp://${withPort(rest.slice(rest.lastIndexOf('@') + 1).split(/[/?]/)[0] ?? '')}`,
      )
    case 'ssh':
      return bad('is an address for ssh', 'write docker, and name the machine in DOCKER_HOST')
    default:
      return bad('has an unknown scheme')
  }
}

const read = (text: string): AddressResult<BuilderAddress> => {
  if (text === 'docker') return E.right({ _tag: 'Docker' })
  const [, scheme, rest = ''] = /^([A-Za-z][\w+.-]*):\/\/(.*)$/s.exec(text) ?? []
  return scheme === undefined ? readTcp(text) : readScheme(scheme.toLowerCase(), rest)
}

/** `from`: where the text comes from, in the user's terms (BUILDKIT_HOST, --builder). Finds DT4020. */
export const readBuilder = (text: string, from: string): Checked<BuilderAddress> => {
  const address = read(text.trim())
  if (E.isRight(address)) return ok(address.right)
  const { help = forms, why } = address.left
  return fail(error('DT4020', `${from}: ${shown(text.trim())} ${why}`, { help }))
}
