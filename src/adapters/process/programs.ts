/** Finds programs as the platform does, before one is started: afterwards a missing program looks like other errors. */
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, resolve, sep } from 'node:path'

export type ProcessEnv = ReadonlyMap<string, string>

export const envMap = (env: Readonly<Record<string, string | undefined>>): ProcessEnv =>
  new Map(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])))

const isWindows = process.platform === 'win32'

/** Names of variables are case-insensitive on Windows. */
const variable = (env: ProcessEnv, name: string): string =>
  env.get(name) ?? (isWindows ? [...env].find(([key]) => key.toUpperCase() === name)?.[1] : undefined) ?? ''

const isProgram = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

/**
 * The path of a program: a name is looked up on the PATH of `env`, a path is relative to `folder`. Empty and relative
 * entries of PATH, which mean the current folder, are skipped: its files came with the project and are not the user's
 * choice.
 */
export const findProgram = async (name: string, env: ProcessEnv, folder: string): Promise<string | undefined> => {
  const isPath = name.includes('/') || name.includes(sep)
  const extensions = isWindows ? ['', ...variable(env, 'PATHEXT').split(';')] : ['']
  const folders = isPath ? [folder] : variable(env, 'PATH').split(delimiter).filter(isAbsolute)
  for (const place of folders) {
    const path = resolve(place, name)
    for (const extension of extensions) if (await isProgram(path + extension)) return path + extension
  }
  return undefined
}

/** Where a program is certainly looked for when PATH names no folder. */
const usualPath = isWindows ? '' : '/usr/bin:/bin'

/**
 * For programs that start others by their names, as git starts ssh: they, too, find none in the current folder. The
 * user's own commands keep their PATH.
 */
export const withoutCurrentFolder = (env: ProcessEnv): ProcessEnv =>
  new Map(
    [...env].map(([name, value]) => {
      if (name !== 'PATH' && !(isWindows && name.toUpperCase() === 'PATH')) return [name, value]
      return [name, value.split(delimiter).filter(isAbsolute).join(delimiter) || usualPath]
    }),
  )

export const isFolder = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    return false
  }
}
