/** Where the Docker daemon is, according to the Docker CLI's variables and contexts. */

import * as E from 'fp-ts/lib/Either.js'
import { type Checked, fail, ok } from '../checked.ts'
import { at, type Json, textAt } from '../cluster/json.ts'
import { error } from '../diagnostic/diagnostic.ts'
import { defined } from '../object/defined.ts'
import { isIpv6 } from '../text/ip.ts'
import { publicUrl } from '../text/public-url.ts'
import type { DockerHost } from './address.ts'

type Env = (name: string) => string | undefined

/** `certificates`: the folder of the context's certificates, if it has one. */
export type DockerHostConfig = {
  readonly currentContext?: string
  readonly certificates?: string
  readonly isWindows?: boolean
}

/** A daemon reached over SSH; `path` of its socket on that host, unless it is the default. */
export type SshHost = {
  readonly host: string
  readonly user?: string
  readonly port?: number
  readonly path?: string
}

const usualSocket = '/var/run/docker.sock'
const instead = 'set BUILDKIT_HOST to use a BuildKit of its own'
const forms = 'unix:///PATH, tcp://HOST:PORT or ssh://HOST'

const given = (text: string | undefined): string | undefined => (text === undefined || text === '' ? undefined : text)

/** The context in use; none when DOCKER_HOST is set, or for the built-in default context. */
export const dockerContextOf = (env: Env, config: DockerHostConfig = {}): string | undefined => {
  if (given(env('DOCKER_HOST')) !== undefined) return undefined
  const name = given(env('DOCKER_CONTEXT')) ?? given(config.currentContext)
  return name === 'default' ? undefined : name
}

/** In the notation of DOCKER_HOST. */
export const showDockerHost = (host: DockerHost): string => {
  switch (host._tag) {
    case 'Unix':
      return `unix://${host.path}`
    case 'Tcp':
      return `tcp://${host.host.includes(':') ? `[${host.host}]` : host.host}:${host.port}`
    case 'Ssh':
      return publicUrl(host.url)
  }
}

/** A password in an address is not shown. */
const shownAddress = (text: string): string => `"${text.replace(/^((?:[^/]*\/\/)?[^:/@]*):.*@/, '$1:…@')}"`

const refuse = (origin: string, message: string, help: string): Checked<never> =>
  fail(error('DT4020', `${origin}: ${message}`, { help }))

const portOf = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const port = Number(text)
  return port >= 1 && port <= 65_535 ? port : Number.NaN
}

const hostOf = (text: string): string | undefined => {
  const bare = /^\[(.+)\]$/.exec(text)?.[1]
  if (bare !== undefined) return isIpv6(bare) ? bare : undefined
  return /^\w[\w.-]*$/.test(text) ? text : undefined
}

const authority = /^(?:([^@/]*)@)?(\[[^\]]*\]|[^:/@[\]]*)(?::(\d{1,6}))?(\/.*)?$/

type Secure = { readonly isTls: boolean; readonly certificates?: string; readonly isUnverified?: boolean }

const readTcp = (rest: string, secure: Secure): DockerHost | undefined => {
  const found = authority.exec(rest)
  if (found === null) return undefined
  const [, user, name = '', digits, path = '/'] = found
  const host = name === '' ? 'localhost' : hostOf(name)
  const port = portOf(digits) ?? (secure.isTls ? 2376 : 2375)
  if (rest === '' || host === undefined || user !== undefined || path !== '/' || Number.isNaN(port)) return undefined
  return { _tag: 'Tcp', host, port, ...secure }
}

/**
 * `undefined` for invalid addresses: those with a password, or with anything that a shell or ssh could take for an
 * option.
 */
export const readSsh = (url: string): SshHost | undefined => {
  if (!url.startsWith('ssh://')) return undefined
  const [, user, name = '', digits, path = '/'] = authority.exec(url.slice('ssh://'.length)) ?? []
  const host = hostOf(name)
  const port = portOf(digits)
  if (host === undefined || Number.isNaN(port) || !/^[\w./-]+$/.test(path)) return undefined
  if (user !== undefined && !/^\w[\w.+-]*$/.test(user)) return undefined
  return {
    host,
    ...defined({ user, port }),
    ...(path === '/' ? {} : { path }),
  }
}

const readAddress = (origin: string, text: string, secure: Secure): Checked<DockerHost> => {
  const [, scheme = 'tcp', rest = ''] = /^(?:([A-Za-z][\w+.-]*):\/\/)?(.*)$/s.exec(text) ?? []
  const bad = (why: string): Checked<never> => refuse(origin, `${shownAddress(text)} ${why}`, `write ${forms}`)
  switch (scheme) {
    case 'unix': {
      const path = rest === '' ? usualSocket : rest
      return path.startsWith('/') && !path.includes('\0') ? ok({ _tag: 'Unix', path }) : bad('is not an absolute path')
    }
    case 'tcp': {
      const host = readTcp(rest, secure)
      return host === undefined ? bad('is not a Docker daemon address') : ok(host)
    }
    case 'ssh': {
      if (readSsh(text) !== undefined) return ok({ _tag: 'Ssh', url: text })
      return /:[^:@/]*@/.test(rest)
        ? bad('contains a password, which ssh does not accept')
        : bad('is not a valid ssh address')
    }
    case 'npipe':
      return refuse(
        origin,
        `${shownAddress(text)} is a named pipe, which cannot be used here`,
        `let Docker listen on tcp://localhost:2375 and set DOCKER_HOST to that, or ${instead}`,
      )
    default:
      return bad('has an unknown scheme')
  }
}

const readContext = (
  origin: string,
  name: string,
  meta: string | undefined,
  certificates: string | undefined,
): Checked<DockerHost> => {
  const context = `the Docker context "${name}"`
  const help = '`docker context ls` lists the contexts'
  if (meta === undefined) return refuse(origin, `${context} is not there`, help)
  const parsed = E.tryCatch(
    (): Json => JSON.parse(meta),
    () => undefined,
  )
  const endpoint = at(E.toUnion(parsed), 'Endpoints', 'docker')
  const host = textAt(endpoint, 'Host')
  if (host === undefined) return refuse(origin, `${context} has no host`, help)
  const isUnverified = at(endpoint, 'SkipTLSVerify') === true
  return readAddress(`${origin}, ${context}`, host === '' ? `unix://${usualSocket}` : host, {
    isTls: isUnverified || certificates !== undefined,
    ...defined({ certificates }),
    ...(isUnverified ? { isUnverified } : {}),
  })
}

/** `contextMeta`: the text of meta.json of {@link dockerContextOf}, if there is one. Errors name the variable. */
export const readDockerHost = (env: Env, config: DockerHostConfig = {}, contextMeta?: string): Checked<DockerHost> => {
  const host = given(env('DOCKER_HOST'))
  const isVerified = given(env('DOCKER_TLS_VERIFY')) !== undefined
  const isUnverified = !isVerified && given(env('DOCKER_TLS')) !== undefined
  if (host !== undefined) {
    const secure = { isTls: isVerified || isUnverified, ...(isUnverified ? { isUnverified } : {}) }
    return readAddress('DOCKER_HOST', host, secure)
  }
  const context = dockerContextOf(env, config)
  if (context !== undefined) {
    const origin = given(env('DOCKER_CONTEXT')) === undefined ? 'currentContext in config.json' : 'DOCKER_CONTEXT'
    return readContext(origin, context, contextMeta, config.certificates)
  }
  if (config.isWindows !== true) return ok({ _tag: 'Unix', path: usualSocket })
  return refuse(
    'DOCKER_HOST',
    'not set; Docker on Windows listens on a named pipe, which cannot be used here',
    `let Docker listen on tcp://localhost:2375 and set DOCKER_HOST to that, or ${instead}`,
  )
}
