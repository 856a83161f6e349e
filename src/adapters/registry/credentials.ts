/** The port `Credentials`: the Docker configuration of this machine and its credential helpers. */

import { join } from 'node:path'
import {
  credentialKey,
  type DockerConfig,
  emptyDockerConfig,
  type RegistryCredential,
  readDockerConfig,
  sourceOf,
} from '../../domain/build/docker-config.ts'
import * as C from '../../domain/checked.ts'
import { type Diagnostic, warning } from '../../domain/diagnostic/diagnostic.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Credentials } from '../../ports/credentials.ts'
import { readRegular } from '../paths/regular.ts'
import { askHelper, type HelperEnv } from './helper.ts'

/**
 * `home`: the user's home folder. `onWarning` reports each DT4030 once. `interruption`: asked for when a helper is
 * started, which it ends.
 */
type CredentialOptions = {
  readonly clock: Clock
  readonly env: HelperEnv
  readonly home: string
  readonly onWarning?: ((found: Diagnostic) => void) | undefined
  readonly helperTimeoutMs?: number
  readonly interruption?: () => AbortSignal
}

const longestHelperMs = 10_000
const help = 'registries are accessed without credentials; `docker login` stores them again'

const limitBytes = 1024 * 1024

const codeOf = (cause: unknown): string =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : 'unknown error'

const unread = (path: string, reason: string): C.Checked<undefined> =>
  C.note(undefined, [warning('DT4030', `the Docker configuration ${path} cannot be read: ${reason}`, { help })])

/** `undefined` when there is none, which counts as an empty one. */
const textOf = (path: string): C.Checked<string | undefined> => {
  try {
    return C.ok(readRegular(path, limitBytes).toString())
  } catch (cause) {
    const code = codeOf(cause)
    if (code === 'ENOENT' || code === 'ENOTDIR') return C.ok(undefined)
    return unread(path, code === 'EACCES' || code === 'EPERM' ? 'permission denied' : code)
  }
}

const readConfig = (path: string): C.Checked<DockerConfig> =>
  C.andThen((text: string | undefined) =>
    text === undefined ? C.ok(emptyDockerConfig) : readDockerConfig(path, text),
  )(textOf(path))

/** Reads nothing before the first request, and everything once. */
export const dockerCredentials = ({
  clock,
  env,
  helperTimeoutMs = longestHelperMs,
  home,
  interruption,
  onWarning = () => {},
}: CredentialOptions): Credentials => {
  const told = new Set<string>()
  const tell = (found: ReadonlyArray<Diagnostic>): void => {
    for (const one of found) {
      if (told.has(one.message)) continue
      told.add(one.message)
      onWarning(one)
    }
  }
  const folder = env['DOCKER_CONFIG']
  const path = join(folder === undefined || folder === '' ? join(home, '.docker') : folder, 'config.json')
  const load = async (): Promise<DockerConfig> => {
    const read = readConfig(path)
    tell(C.findings(read))
    return C.valueOf(read) ?? emptyDockerConfig
  }
  let config: Promise<DockerConfig> | undefined
  const find = async (host: string): Promise<RegistryCredential | undefined> => {
    config ??= load()
    const { helper, key, stored } = sourceOf(await config, host)
    if (helper === undefined) return stored
    const kept = await askHelper(helper, key, env, { clock, timeoutMs: helperTimeoutMs, signal: interruption?.() })
    if (kept._tag === 'Found') return kept.credential
    if (kept._tag === 'Failed') tell([warning('DT4030', `the credentials of registries: ${kept.cause}`, { help })])
    return stored
  }
  const asked = new Map<string, Promise<RegistryCredential | undefined>>()
  return {
    of: (host) => {
      const key = credentialKey(host)
      const known = asked.get(key) ?? find(host)
      asked.set(key, known)
      return known
    },
  }
}
