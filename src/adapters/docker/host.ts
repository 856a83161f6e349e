/** Finds the Docker daemon of this machine from variables and the Docker configuration. */

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { DockerHost } from '../../domain/build/address.ts'
import { dockerContextOf, readDockerHost } from '../../domain/build/docker-host.ts'
import { proxyArguments } from '../../domain/build/docker-proxies.ts'
import type { Checked } from '../../domain/checked.ts'
import { type Json, textAt } from '../../domain/cluster/json.ts'
import { defined } from '../../domain/object/defined.ts'
import { readRegular } from '../paths/regular.ts'

type Env = Readonly<Record<string, string | undefined>>

const given = (text: string | undefined): string | undefined => (text === '' ? undefined : text)

/** The folder of the Docker configuration: $DOCKER_CONFIG, or ~/.docker. */
export const dockerFolder = (env: Env): string =>
  given(env['DOCKER_CONFIG']) ?? join(given(env['HOME']) ?? homedir(), '.docker')

/** A file that cannot be read counts as absent: the defaults apply. */
const textOf = (file: string): string | undefined => {
  try {
    return readRegular(file).toString()
  } catch {
    return undefined
  }
}

const configIn = (folder: string): Json | undefined => {
  try {
    const json: Json = JSON.parse(textOf(join(folder, 'config.json')) ?? '')
    return json
  } catch {
    return undefined
  }
}

/** Build arguments for the builder at `address`. */
export const proxiesFor = (address: string, env: Env): ReadonlyMap<string, string> =>
  proxyArguments(configIn(dockerFolder(env)), address)

/** Errors are DT4020, and name the variable or the context. Does not connect. */
export const findDockerHost = (env: Env): Checked<DockerHost> => {
  const folder = dockerFolder(env)
  const variable = (name: string): string | undefined => env[name]
  const currentContext = textAt(configIn(folder), 'currentContext')
  const config = {
    ...defined({ currentContext }),
    isWindows: process.platform === 'win32',
  }
  const context = dockerContextOf(variable, config)
  if (context === undefined) return readDockerHost(variable, config)
  const id = createHash('sha256').update(context).digest('hex')
  const certificates = join(folder, 'contexts', 'tls', id, 'docker')
  return readDockerHost(
    variable,
    { ...config, ...(existsSync(certificates) ? { certificates } : {}) },
    textOf(join(folder, 'contexts', 'meta', id, 'meta.json')),
  )
}
