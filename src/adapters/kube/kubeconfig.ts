/**
 * Kubeconfig files, merged as kubectl merges them: the first file that defines a name wins, and missing files are
 * ignored.
 */

import { openSync, statSync } from 'node:fs'
import { devNull } from 'node:os'
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as C from '../../domain/checked.ts'
import { at, isObject, type JsonObject, listAt, textAt } from '../../domain/cluster/json.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import { type Place, placeOf, source } from '../../domain/text/source.ts'
import { jsonOf } from '../../domain/yaml/json.ts'
import { isNull } from '../../domain/yaml/node.ts'
import { readYaml } from '../../domain/yaml/read.ts'
import type { Clock } from '../../ports/clock.ts'
import { readPipe } from '../paths/pipe.ts'
import { readOnly, readRegular, refusal } from '../paths/regular.ts'

/**
 * `env` and `home` are those of the process; paths on the command line are relative to `cwd`. `accountFolder`: where
 * the service account of a pod is mounted, if not in the usual place. `interruption` is asked for only while a pipe is
 * waited for.
 */
export type KubeconfigOptions = {
  readonly clock: Pick<Clock, 'timeout'>
  readonly accountFolder?: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly cwd: string
  readonly interruption?: () => AbortSignal
}

export type KubeconfigEntry = { readonly name: string; readonly file: string; readonly value: JsonObject }

/** `currentFile`: the file that sets the current context. */
export type MergedKubeconfig = {
  readonly files: ReadonlyArray<string>
  readonly current?: string
  readonly currentFile?: string
  readonly contexts: ReadonlyArray<KubeconfigEntry>
  readonly clusters: ReadonlyArray<KubeconfigEntry>
  readonly users: ReadonlyArray<KubeconfigEntry>
}

type KubeconfigFile = { readonly file: string; readonly json: JsonObject }

const codeOf = (cause: unknown): string =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : String(cause)

const noKubeconfig = (files: ReadonlyArray<string>): Diagnostic =>
  error('DT3008', `no kubeconfig found: ${files.join(', ')} ${files.length === 1 ? 'does' : 'do'} not exist`, {
    help: 'set KUBECONFIG, or pass a file with --kubeconfig',
  })

/** An excerpt of the file could show credentials, so only the place is reported. */
const invalid = (file: string, reason: string, place: Place | undefined): Diagnostic => {
  const where = place === undefined ? '' : ` in line ${place.line}, column ${place.col}`
  return error('DT3008', `kubeconfig ${file} cannot be read${where}: ${reason}`)
}

/** A pipe can be read only once, and a run may need its text again. */
const pipes = new Map<string, Promise<Buffer>>()

type Waiting = Pick<KubeconfigOptions, 'clock' | 'interruption'>

const pipeLimits = { quietMs: 10_000, limitBytes: 16 * 1024 * 1024 }

const contentOfPipe = async (file: string, { clock, interruption }: Waiting): Promise<Buffer> => {
  const [late, interrupted] = [clock.timeout(pipeLimits.quietMs), interruption?.()]
  const signal = interrupted === undefined ? late : AbortSignal.any([late, interrupted])
  const read = await readPipe(openSync(file, readOnly), { ...pipeLimits, signal })()
  if (E.isRight(read)) return read.right
  if (interrupted?.aborted === true) throw refusal('interrupted')
  if (late.aborted || read.left._tag === 'Quiet') throw refusal('its end was not reached within 10 s')
  throw read.left._tag === 'TooLarge' ? refusal('it is larger than 16 MiB') : read.left.cause
}

/**
 * Of a regular file, or of a pipe: `--kubeconfig <(...)`. `KUBECONFIG=/dev/null` means none. Throws what the file
 * system throws.
 */
const contentOf = async (file: string, waiting: Waiting): Promise<Buffer> => {
  if (file === devNull) return Buffer.alloc(0)
  const known = pipes.get(file)
  if (known !== undefined) return known
  if (!statSync(file).isFIFO()) return readRegular(file)
  const content = contentOfPipe(file, waiting)
  pipes.set(file, content)
  return content
}

const unreadable = (file: string, cause: unknown): Diagnostic => {
  const code = codeOf(cause)
  const reason = code === 'EACCES' ? 'permission denied' : code
  return error('DT3008', `kubeconfig ${file} cannot be read: ${reason}`)
}

export const readText = (file: string, text: string): E.Either<Diagnostic, KubeconfigFile> => {
  const read = readYaml(source(file, dirname(file), text))
  const fault = C.findings(read).find(({ severity }) => severity === 'error')
  if (fault !== undefined) {
    return E.left(invalid(file, fault.code === 'DT1006' ? 'it is too large' : fault.message, fault.at))
  }
  const [document, second] = C.valueOf(read) ?? []
  if (document === undefined || isNull(document)) return E.right({ file, json: {} })
  const json = jsonOf(document)
  if (second === undefined && isObject(json)) return E.right({ file, json })
  const reason = second === undefined ? 'it is not a mapping' : 'it has several documents'
  return E.left(invalid(file, reason, placeOf(second ?? document)))
}

/** `undefined` when there is no such file. */
const readFile =
  (options: KubeconfigOptions, file: string): TE.TaskEither<Diagnostic, KubeconfigFile | undefined> =>
  async () => {
    try {
      return readText(file, (await contentOf(file, options)).toString())
    } catch (cause) {
      return codeOf(cause) === 'ENOENT' ? E.right(undefined) : E.left(unreadable(file, cause))
    }
  }

const namedIn = ({ file, json }: KubeconfigFile, list: string, member: string): ReadonlyArray<KubeconfigEntry> =>
  listAt(json, list).flatMap((item) => {
    const [name, value] = [textAt(item, 'name'), at(item, member)]
    return name === undefined ? [] : [{ name, file, value: isObject(value) ? value : {} }]
  })

const firstOfEach = (entries: ReadonlyArray<KubeconfigEntry>): ReadonlyArray<KubeconfigEntry> => {
  const first = new Map<string, KubeconfigEntry>()
  for (const entry of entries) if (!first.has(entry.name)) first.set(entry.name, entry)
  return [...first.values()]
}

export const merge = (reads: ReadonlyArray<KubeconfigFile>): MergedKubeconfig => {
  const all = (list: string, member: string) => firstOfEach(reads.flatMap((read) => namedIn(read, list, member)))
  const decides = reads.find(({ json }) => (textAt(json, 'current-context') ?? '') !== '')
  const current = textAt(decides?.json, 'current-context')
  return {
    files: reads.map(({ file }) => file),
    ...defined({ current, currentFile: decides?.file }),
    contexts: all('contexts', 'context'),
    clusters: all('clusters', 'cluster'),
    users: all('users', 'user'),
  }
}

export const filesOf = ({ cwd, env, home }: KubeconfigOptions, file: string | undefined): ReadonlyArray<string> => {
  if (file !== undefined) return [resolve(cwd, file)]
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '')
  return listed.length > 0 ? [...new Set(listed.map((path) => resolve(cwd, path)))] : [join(home, '.kube', 'config')]
}

/** The contents of the files that exist, if any. Fails with DT3008 when one is not a kubeconfig. */
export const readFiles =
  (options: KubeconfigOptions, file: string | undefined): TE.TaskEither<Diagnostic, MergedKubeconfig> =>
  async () => {
    const reads: Array<KubeconfigFile> = []
    for (const path of filesOf(options, file)) {
      const read = await readFile(options, path)()
      if (E.isLeft(read)) return read
      if (read.right !== undefined) reads.push(read.right)
    }
    return E.right(merge(reads))
  }

/** As {@link readFiles}; also fails with DT3008 when no file exists. */
export const readKubeconfig = (
  options: KubeconfigOptions,
  file: string | undefined,
): TE.TaskEither<Diagnostic, MergedKubeconfig> =>
  pipe(
    readFiles(options, file),
    TE.filterOrElse(
      ({ files }) => files.length > 0,
      () => noKubeconfig(filesOf(options, file)),
    ),
  )

/** The named entry with absolute paths: in it they are relative to its file. */
export const withPaths = ({ file, value }: KubeconfigEntry, keys: ReadonlyArray<string>): JsonObject => ({
  ...value,
  ...Object.fromEntries(
    keys.flatMap((key) => {
      const path = textAt(value, key) ?? ''
      return path === '' || isAbsolute(path) ? [] : [[key, join(dirname(file), path)]]
    }),
  ),
})
