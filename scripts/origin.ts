/** What a build is made from: the commit and its date, or SOURCE_DATE_EPOCH. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './command.ts'

const git = (...args: ReadonlyArray<string>): string | undefined => {
  if (!existsSync(join(root, '.git'))) return undefined
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** Undefined outside of a clone. */
export const commit = (): string | undefined => {
  const hash = git('rev-parse', 'HEAD')
  if (hash === undefined) return undefined
  return git('status', '--porcelain', '--untracked-files=no') === '' ? hash : `${hash}-dirty`
}

/** Seconds since 1970. */
export const epoch = (): number | undefined => {
  const given = process.env['SOURCE_DATE_EPOCH'] ?? git('show', '--no-patch', '--format=%ct', 'HEAD')
  return given === undefined || !/^\d+$/.test(given) ? undefined : Number(given)
}

/** In the form of RFC 3339. */
export const date = (): string | undefined => {
  const seconds = epoch()
  return seconds === undefined ? undefined : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
}
