/** Finds programs as the platform does, before one is started: afterwards a missing program looks like other errors. */
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import nodePath from 'node:path'

export type ProcessEnv = ReadonlyMap<string, string>

export const envMap = (env: Readonly<Record<string, string | undefined>>): ProcessEnv =>
  new Map(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])))

/** How a platform names programs. */
export type System = {
  readonly isWindows: boolean
  readonly path: Pick<typeof nodePath, 'delimiter' | 'isAbsolute' | 'resolve' | 'sep'>
}

const here: System = { isWindows: process.platform === 'win32', path: nodePath }

/** Names of variables are case-insensitive on Windows. */
const isCalled = (key: string, name: string, { isWindows }: System): boolean =>
  key === name || (isWindows && key.toUpperCase() === name)

const variable = (env: ProcessEnv, name: string, system: System): string =>
  [...env].find(([key]) => isCalled(key, name, system))?.[1] ?? ''

/** Empty and relative entries mean the current folder: its files came with the project and are not the user's choice. */
const foldersOn = (path: string, { path: { delimiter, isAbsolute } }: System): ReadonlyArray<string> =>
  path.split(delimiter).filter(isAbsolute)

const isProgram = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

/** Where a program may be: a name is looked up on the PATH of `env`, a path is relative to `folder`. */
export const placesOf = (name: string, env: ProcessEnv, folder: string, system = here): ReadonlyArray<string> => {
  const { resolve, sep } = system.path
  const isPath = name.includes('/') || name.includes(sep)
  const extensions = system.isWindows ? ['', ...variable(env, 'PATHEXT', system).split(';')] : ['']
  const folders = isPath ? [folder] : foldersOn(variable(env, 'PATH', system), system)
  return folders.flatMap((place) => extensions.map((extension) => resolve(place, name) + extension))
}

export const findProgram = async (name: string, env: ProcessEnv, folder: string): Promise<string | undefined> => {
  for (const path of placesOf(name, env, folder)) if (await isProgram(path)) return path
  return undefined
}

/**
 * For programs that start others by their names, as git starts ssh: they, too, find none in the current folder. The
 * user's own commands keep their PATH.
 */
export const withoutCurrentFolder = (env: ProcessEnv, system = here): ProcessEnv => {
  // Where a program is certainly looked for when PATH names no folder.
  const usual = system.isWindows ? '' : '/usr/bin:/bin'
  return new Map(
    [...env].map(([name, value]) => {
      if (!isCalled(name, 'PATH', system)) return [name, value]
      return [name, foldersOn(value, system).join(system.path.delimiter) || usual]
    }),
  )
}

export const isFolder = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    return false
  }
}
