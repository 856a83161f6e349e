/**
 * The first container of a run: clones, and leaves the result for the next container, which is permitted to report it.
 * It has no permissions in the cluster.
 */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CLONE_FILE,
  type CloneOutcome,
  type Cloning,
  cloneArguments,
  cloneFailure,
  cloneRefusal,
  cloneVariables,
  largeClone,
  lateClone,
  MOST_CLONE_MEBIBYTES,
  SOURCE_FOLDER,
} from '../domain/platform/run/clone.ts'
import { GIT_AUTHORITY_FILE, GIT_SOURCES, GIT_TOKEN_FILE } from '../domain/platform/run/git-credentials.ts'
import { gitTokenFor, isBranch } from '../domain/platform/run/repository.ts'
import { GIT_FOLDER, MOST_CLONE_SECONDS, WORK_FOLDER } from '../domain/platform/run/request.ts'
import { spawned } from './spawned.ts'

const MOST_LINES = 200
const MEASURE_MS = 500
const SYSTEM_AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt'
const AUTHORITIES = '/tmp/authorities.crt'

const read = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, 'utf8') : undefined)

const some = (text = ''): string | undefined => (text === '' ? undefined : text)

/** The first that there is, in order of precedence. */
const credential = (file: string, of: (text: string) => string | undefined = some): string | undefined =>
  GIT_SOURCES.map((source) => of(read(`${GIT_FOLDER}/${source}/${file}`) ?? '')).find((text) => text !== undefined)

/** The certificates that were configured in addition to those of the image. */
const authorityOf = (): string | undefined => {
  const own = credential(GIT_AUTHORITY_FILE)
  if (own === undefined) return undefined
  writeFileSync(AUTHORITIES, `${read(SYSTEM_AUTHORITIES) ?? ''}\n${own}\n`)
  return AUTHORITIES
}

/** On the disk, as the kubelet counts. */
const isLarge = (): Promise<boolean> =>
  new Promise((resolve) => {
    // While git works, files come and go: what du says of them is no reason to stop.
    execFile('du', ['-sk', WORK_FOLDER], (_, said) => resolve(Number.parseInt(said, 10) > MOST_CLONE_MEBIBYTES * 1024))
  })

/** Returns when there is too much: the kubelet looks rarely, and ends the pod without a word in its log. */
const tooLarge = async (signal: AbortSignal): Promise<boolean> => {
  while (!signal.aborted) {
    if (await isLarge()) return true
    await sleep(MEASURE_MS, undefined, { ref: false })
  }
  return false
}

type Said = { readonly status: number; readonly lines: ReadonlyArray<string>; readonly stopped?: 'late' | 'large' }

/** `seconds`: git is stopped after them, and as soon as `tooMuch` says so. */
const git = async (
  args: ReadonlyArray<string>,
  cloning: Cloning,
  seconds: number,
  tooMuch?: typeof tooLarge,
): Promise<Said> => {
  let stopped: Said['stopped']
  const lines: Array<string> = []
  const env = { PATH: process.env['PATH'], HOME: '/tmp', LC_ALL: 'C', ...cloneVariables(cloning) }
  const child = spawned(['git', ...args], { cwd: '/', env }, (line) => {
    if (lines.length < MOST_LINES) lines.push(line)
  })
  const stop = (why: Said['stopped']): void => {
    stopped ??= why
    child.stop()
  }
  const timer = setTimeout(() => stop('late'), seconds * 1000)
  const ended = new AbortController()
  void tooMuch?.(ended.signal).then((is) => is && stop('large'))
  process.once('SIGTERM', child.stop)
  const status = await child.ended
  clearTimeout(timer)
  ended.abort()
  return { status, lines, ...(stopped && { stopped }) }
}

const cloned = async (cloning: Cloning, seconds: number): Promise<CloneOutcome> => {
  const refusal = cloneRefusal(cloning)
  if (refusal !== undefined) return { lines: [], failure: refusal }
  const { lines, status, stopped } = await git(cloneArguments(cloning), cloning, seconds, tooLarge)
  if (stopped === 'late') return { lines, failure: lateClone(cloning, seconds) }
  if (stopped === 'large' || (await isLarge())) return { lines, failure: largeClone(cloning) }
  if (status !== 0) return { lines, failure: cloneFailure(cloning, lines.join('\n')) }
  const ask = (...args: ReadonlyArray<string>): Promise<Said> => git(['-C', SOURCE_FOLDER, ...args], cloning, seconds)
  const [head, checkedOut] = [await ask('rev-parse', 'HEAD'), await ask('symbolic-ref', '--quiet', '--short', 'HEAD')]
  const branch = checkedOut.status === 0 ? checkedOut.lines.at(-1) : undefined
  return { lines, commit: head.lines[0] ?? '', ...(branch && isBranch(branch) && { branch }) }
}

export const clone = async (env: NodeJS.ProcessEnv): Promise<void> => {
  const [branch, repository, authority] = [some(env['DEVTOOL_BRANCH']), env['DEVTOOL_REPOSITORY'] ?? '', authorityOf()]
  const token = credential(GIT_TOKEN_FILE, (text) => gitTokenFor(text, repository))
  const cloning = {
    ...{ repository, isFork: env['DEVTOOL_FORK'] === 'true' },
    ...(branch && { branch }),
    ...(token && { token }),
    ...(authority && { authority }),
  }
  const begunMs = performance.now()
  const outcome = await cloned(cloning, Number(env['DEVTOOL_CLONE_SECONDS'] ?? MOST_CLONE_SECONDS))
  const seconds = (performance.now() - begunMs) / 1000
  writeFileSync(CLONE_FILE, JSON.stringify({ ...outcome, seconds }))
}
