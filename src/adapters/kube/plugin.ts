/**
 * Credential plugins: commands in a kubeconfig that print an ExecCredential (Kubernetes, "client-go credential
 * plugins"). Only those of the user's own kubeconfig are ever run.
 */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { dirname } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { at, type Json, type JsonObject, listAt, textAt } from '../../domain/cluster/json.ts'
import { defined } from '../../domain/object/defined.ts'
import { ExecCredential } from '../../domain/platform/exec-credential.ts'
import type { Clock } from '../../ports/clock.ts'
import { guard } from '../process/guard.ts'
import { inOwnGroup, ownGroup } from '../process/own-group.ts'
import { envMap, findProgram, withoutCurrentFolder } from '../process/programs.ts'
import { readObject } from './api/answer.ts'

/** `expiresMs`: milliseconds since 1970. */
export type PluginCredential = {
  readonly token?: string
  readonly cert?: string
  readonly key?: string
  readonly expiresMs?: number
}

/** `isTerminal`: a user can answer its questions. */
type Plugin = {
  readonly exec: JsonObject
  readonly file: string
  readonly cluster: JsonObject
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isTerminal: boolean
  readonly interruption?: (() => AbortSignal) | undefined
}

const longestMs = 60_000
/** The time for a user to log in. */
const longestAskingMs = 300_000
const outputLimit = 1024 * 1024

const infoOf = ({ cluster, exec }: Plugin, interactive: boolean): string =>
  JSON.stringify({
    kind: 'ExecCredential',
    apiVersion: textAt(exec, 'apiVersion') ?? 'client.authentication.k8s.io/v1',
    spec: { interactive, ...(at(exec, 'provideClusterInfo') === true ? { cluster } : {}) },
  })

const variables = (list: ReadonlyArray<Json>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    list.flatMap((item) => {
      const [name, value] = [textAt(item, 'name'), textAt(item, 'value')]
      return name === undefined || value === undefined ? [] : [[name, value]]
    }),
  )

type PluginRun = { readonly status: number | undefined; readonly stdout: string; readonly problem: string }

type Limit = { readonly clock: Pick<Clock, 'after'>; readonly limitMs: number; readonly signal?: AbortSignal }

/** A program that asks its user has to stay in the group that owns the terminal. */
const inTerminal = (child: ChildProcess) => ({ kill: () => child.kill('SIGKILL'), release: guard(child) })

const run = (
  command: string,
  args: ReadonlyArray<string>,
  options: SpawnOptions,
  { clock, limitMs, signal }: Limit,
): Promise<PluginRun> =>
  new Promise((resolve) => {
    const texts = { stdout: '', stderr: '' }
    const child = spawn(command, args, options)
    const { kill, release } = options.detached === true ? ownGroup(child) : inTerminal(child)
    const end = (status: number | undefined, problem: string): void => {
      cancel()
      release()
      signal?.removeEventListener('abort', interrupted)
      // Processes started by the plugin may still hold its pipes open.
      child.stdout?.destroy()
      child.stderr?.destroy()
      resolve({ status, stdout: texts.stdout, problem })
    }
    const stop = (problem: string): void => {
      kill()
      end(undefined, problem)
    }
    const cancel = clock.after(limitMs, () => stop(`did not finish within ${limitMs / 1000} s`))
    const interrupted = (): void => stop('was interrupted')
    signal?.addEventListener('abort', interrupted, { once: true })
    if (signal?.aborted === true) interrupted()
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.setEncoding('utf8').on('data', (text: string) => {
        if (texts[name].length < outputLimit) texts[name] += text
      })
    }
    child.once('error', (cause) => end(undefined, `cannot be started: ${cause.message}`))
    child.once('close', (status) => {
      const last = texts.stderr.trim().split('\n').at(-1) ?? ''
      end(
        status ?? undefined,
        `failed with status ${status ?? 'unknown'}${last === '' ? '' : `: ${last.slice(0, 300)}`}`,
      )
    })
  })

const notInstalled: PluginRun = { status: undefined, stdout: '', problem: 'is not installed' }

const credentialOf = ({ status }: ExecCredential): PluginCredential | undefined => {
  const { clientCertificateData, clientKeyData, expirationTimestamp } = status
  const [token, cert, key] = [status.token ?? undefined, clientCertificateData ?? '', clientKeyData ?? '']
  const isPair = cert !== '' && key !== ''
  if (token === undefined && !isPair) return undefined
  const expiresMs = Date.parse(expirationTimestamp ?? '')
  return {
    ...defined({ token }),
    ...(isPair ? { cert, key } : {}),
    ...(Number.isNaN(expiresMs) ? {} : { expiresMs }),
  }
}

const credentialIn = (stdout: string): PluginCredential | undefined =>
  pipe(
    ExecCredential.decode(readObject(stdout)),
    E.match(() => undefined, credentialOf),
  )

/** Its stderr is shown while it runs when a user may have to act on it; otherwise only the last line, when it fails. */
export const runPlugin =
  (plugin: Plugin, clock: Pick<Clock, 'after'>): TE.TaskEither<string, PluginCredential> =>
  async () => {
    const { env, exec, file, interruption, isTerminal } = plugin
    const command = textAt(exec, 'command') ?? ''
    const mode = textAt(exec, 'interactiveMode') ?? 'IfAvailable'
    const isInteractive = isTerminal && mode !== 'Never'
    const name = `the credential plugin "${command}"`
    if (command === '') return E.left(`kubeconfig ${file} has no command for its credential plugin`)
    if (mode === 'Always' && !isTerminal) return E.left(`${name} is interactive, but there is no terminal`)
    const args = listAt(exec, 'args').filter((arg) => typeof arg === 'string')
    const options: SpawnOptions = {
      ...(isInteractive ? {} : inOwnGroup),
      env: {
        ...Object.fromEntries(withoutCurrentFolder(envMap(env))),
        ...variables(listAt(exec, 'env')),
        KUBERNETES_EXEC_INFO: infoOf(plugin, isInteractive),
      },
      stdio: [isInteractive ? 'inherit' : 'ignore', 'pipe', isInteractive ? 'inherit' : 'pipe'],
    }
    const limitMs = isInteractive ? longestAskingMs : longestMs
    // A path is relative to the kubeconfig; a bare name is looked up in PATH.
    const found = await findProgram(command, envMap(env), dirname(file))
    const { problem, status, stdout } =
      found === undefined
        ? notInstalled
        : await run(found, args, options, { clock, limitMs, ...defined({ signal: interruption?.() }) })
    if (status !== 0) {
      const hint = textAt(exec, 'installHint')
      return E.left(`${name} ${problem}${hint === undefined || status !== undefined ? '' : `; ${hint.trim()}`}`)
    }
    const credential = credentialIn(stdout)
    return credential === undefined ? E.left(`${name} did not print an ExecCredential`) : E.right(credential)
  }
