/**
 * The first container of a run: clones, and leaves the result for the next container, which is permitted to report it.
 * It has no permissions in the cluster.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import {
  CLONE_FILE,
  type CloneOutcome,
  type Cloning,
  cloneArguments,
  cloneFailure,
  cloneRefusal,
  cloneVariables,
  SOURCE_FOLDER,
} from '../domain/platform/run/clone.ts'
import { GIT_AUTHORITY_FILE, GIT_SOURCES, GIT_TOKEN_FILE } from '../domain/platform/run/git-credentials.ts'
import { GIT_FOLDER } from '../domain/platform/run/request.ts'
import { spawned } from './spawned.ts'

const MOST_MS = 240_000
const MOST_LINES = 200
const SYSTEM_AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt'
const AUTHORITIES = '/tmp/authorities.crt'

const read = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, 'utf8') : undefined)

const some = (text = ''): string | undefined => (text === '' ? undefined : text)

const credential = (file: string): string | undefined =>
  GIT_SOURCES.map((source) => some(read(`${GIT_FOLDER}/${source}/${file}`))).find((text) => text !== undefined)

/** The certificates that were configured in addition to those of the image. */
const authorityOf = (): string | undefined => {
  const own = credential(GIT_AUTHORITY_FILE)
  if (own === undefined) return undefined
  writeFileSync(AUTHORITIES, `${read(SYSTEM_AUTHORITIES) ?? ''}\n${own}\n`)
  return AUTHORITIES
}

const git = async (
  args: ReadonlyArray<string>,
  cloning: Cloning,
): Promise<{ readonly status: number; readonly lines: ReadonlyArray<string> }> => {
  const lines: Array<string> = []
  const env = { PATH: process.env['PATH'], HOME: '/tmp', LC_ALL: 'C', ...cloneVariables(cloning) }
  const child = spawned(['git', ...args], { cwd: '/', env }, (line) => {
    if (lines.length < MOST_LINES) lines.push(line)
  })
  const timer = setTimeout(child.stop, MOST_MS)
  process.once('SIGTERM', child.stop)
  const status = await child.ended
  clearTimeout(timer)
  return { status, lines }
}

const cloned = async (cloning: Cloning): Promise<CloneOutcome> => {
  const refusal = cloneRefusal(cloning)
  if (refusal !== undefined) return { lines: [], failure: refusal }
  const { lines, status } = await git(cloneArguments(cloning), cloning)
  if (status !== 0) return { lines, failure: cloneFailure(cloning, lines.join('\n')) }
  const head = await git(['-C', SOURCE_FOLDER, 'rev-parse', 'HEAD'], cloning)
  return { lines, commit: head.lines[0] ?? '' }
}

export const clone = async (env: NodeJS.ProcessEnv): Promise<void> => {
  const [branch, token, authority] = [some(env['DEVTOOL_BRANCH']), credential(GIT_TOKEN_FILE), authorityOf()]
  const outcome = await cloned({
    repository: env['DEVTOOL_REPOSITORY'] ?? '',
    ...(branch && { branch }),
    ...(token && { token: token.trim() }),
    ...(authority && { authority }),
  })
  writeFileSync(CLONE_FILE, JSON.stringify(outcome))
}
