/** Docker credential helpers: programs that store passwords (docker/docker-credential-helpers). */
import { spawn } from 'node:child_process'
import type { RegistryCredential } from '../../domain/build/docker-config.ts'
import { isObject, type Json, textAt } from '../../domain/cluster/json.ts'
import type { Clock } from '../../ports/clock.ts'
import { inOwnGroup, ownGroup } from '../process/own-group.ts'
import { envMap, findProgram, withoutCurrentFolder } from '../process/programs.ts'

export type HelperEnv = Readonly<Record<string, string | undefined>>

/** The helper's answer. Failed: why it could not be asked, without any of its output. */
export type HelperAnswer =
  | { readonly _tag: 'Found'; readonly credential: RegistryCredential }
  | { readonly _tag: 'Nothing' }
  | { readonly _tag: 'Failed'; readonly cause: string }

const outputLimit = 1024 * 1024

type HelperRun = { readonly status: number | undefined; readonly stdout: string; readonly cause: string }

type Limit = {
  readonly clock: Pick<Clock, 'after'>
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

const run = (file: string, input: string, env: HelperEnv, { clock, signal, timeoutMs }: Limit): Promise<HelperRun> =>
  new Promise((resolve) => {
    const child = spawn(file, ['get'], {
      ...inOwnGroup,
      env: Object.fromEntries(withoutCurrentFolder(envMap(env))),
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    let stdout = ''
    const group = ownGroup(child)
    const end = (status: number | undefined, cause: string): void => {
      cancel()
      group.release()
      signal?.removeEventListener('abort', interrupted)
      // Processes started by the helper may still hold its pipes open.
      child.stdout.destroy()
      resolve({ status, stdout, cause })
    }
    const stop = (cause: string): void => {
      group.kill()
      end(undefined, cause)
    }
    const cancel = clock.after(timeoutMs, () => stop(`did not finish within ${timeoutMs / 1000} s`))
    const interrupted = (): void => stop('was interrupted')
    signal?.addEventListener('abort', interrupted, { once: true })
    if (signal?.aborted === true) interrupted()
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (stdout.length < outputLimit) stdout += text
    })
    child.once('error', (cause) => {
      const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : 'unknown error'
      end(undefined, `cannot be started (${code})`)
    })
    child.once('close', (status, by) =>
      end(status ?? undefined, status === null ? `was ended by ${by}` : `failed with status ${status}`),
    )
    // A helper that does not read its input causes an error on the pipe, which is ignored.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })

const readObject = (text: string): Json | undefined => {
  try {
    const json: Json = JSON.parse(text)
    return isObject(json) ? json : undefined
  } catch {
    return undefined
  }
}

const keptIn = (program: string, { cause, status, stdout }: HelperRun): HelperAnswer => {
  if (status !== 0) {
    const knowsNothing = status !== undefined && /credentials not found/i.test(stdout)
    return knowsNothing ? { _tag: 'Nothing' } : { _tag: 'Failed', cause: `${program} ${cause}` }
  }
  const json = readObject(stdout)
  const [username, secret] = [textAt(json, 'Username'), textAt(json, 'Secret')]
  if (username === undefined || secret === undefined) {
    return { _tag: 'Failed', cause: `${program} did not print valid credentials` }
  }
  if (secret === '') return { _tag: 'Nothing' }
  return { _tag: 'Found', credential: { username: username === '<token>' ? '' : username, secret } }
}

/** `name` without `docker-credential-`; `key`: the registry's name in the credential store. */
export const askHelper = async (name: string, key: string, env: HelperEnv, limit: Limit): Promise<HelperAnswer> => {
  if (!/^[\w.-]+$/.test(name)) return { _tag: 'Failed', cause: 'its credential helper has an invalid name' }
  const program = `docker-credential-${name}`
  const file = await findProgram(program, envMap(env), '/')
  if (file === undefined) return { _tag: 'Failed', cause: `${program} is not on the PATH` }
  return keptIn(program, await run(file, `${key}\n`, env, limit))
}
