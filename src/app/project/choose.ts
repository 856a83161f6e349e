/** The user's choice of a project: which files it consists of, and what to read from them. */
import type * as E from 'fp-ts/lib/Either.js'
import * as C from '../../domain/checked.ts'
import type { AssembleRequest } from '../../domain/compose/assemble.ts'
import { type Chosen, candidates, chooseFiles } from '../../domain/compose/choose.ts'
import { textOf } from '../../domain/compose/file-content.ts'
import type { Files } from '../../domain/compose/files.ts'
import { readVariables, variablesFrom } from '../../domain/compose/variables.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { baseName, resolvePath } from '../../domain/text/path.ts'
import { STDIN, source } from '../../domain/text/source.ts'
import { givenName } from './environment-name.ts'
import { guessName } from './guess.ts'
import type { Settings } from './settings.ts'

/**
 * The user's input. `cwd` is absolute, with forward slashes; `guess`, when given, is the last resort for a name and no
 * repository is looked for. `settings` are those of the command line, which take precedence over variables.
 */
export type ProjectOptions = {
  readonly cwd: string
  readonly files: ReadonlyArray<string>
  readonly envFiles?: ReadonlyArray<string> | undefined
  readonly name?: string | undefined
  readonly guess?: string | undefined
  readonly given: ReadonlyMap<string, string>
  readonly shell: ReadonlyMap<string, string>
  readonly separator: string
  readonly services: ReadonlyArray<string>
  readonly settings: Partial<Settings>
  /** Settings of the context; flags and variables take precedence. */
  readonly defaults?: Partial<Settings> | undefined
  /** Variables of the platform, with the lowest precedence. */
  readonly platform?: ReadonlyMap<string, string> | undefined
  readonly isConfined: boolean
  readonly isStrict: boolean
  /**
   * Images that were built: references by `path` of the {@link Image}, with a digest (`repository:tag@digest`) or
   * without.
   */
  readonly built?: ReadonlyMap<string, string> | undefined
  /** `false` when origins of objects are not needed. */
  readonly withOrigins?: boolean
}

/** COMPOSE_FILE and its separator may be set in the `.env` of this folder, which is read only when needed. */
const listedFiles = (
  { shell, separator }: ProjectOptions,
  files: Files,
): Pick<ProjectOptions, 'separator'> & { listed?: string | undefined } => {
  const fromShell = shell.get('COMPOSE_FILE')
  if (fromShell !== undefined) return { listed: fromShell, separator: shell.get('COMPOSE_PATH_SEPARATOR') || separator }
  const content = files.want('.env')
  const text = content?._tag === 'File' ? textOf(content.bytes) : undefined
  if (text === undefined) return { separator }
  const variables = C.valueOf(readVariables(source('.env', '.', text), variablesFrom(shell))) ?? []
  const last = (name: string) => variables.findLast((variable) => variable.name === name)?.value
  const between = shell.get('COMPOSE_PATH_SEPARATOR') || last('COMPOSE_PATH_SEPARATOR') || separator
  return { listed: last('COMPOSE_FILE'), separator: between }
}

/** `-` stands for standard input. */
const fileOf = (path: string): string => (path === '-' ? STDIN : path)

const filesOf = (listed: string, separator: string): string => listed.split(separator).map(fileOf).join(separator)

/** The files to read, and the project folder. */
export const choose = (wanted: ProjectOptions, files: Files): E.Either<Diagnostic, Chosen> => {
  const isGiven = wanted.files.length > 0
  const kinds = new Map(isGiven ? [] : candidates.map((path) => [path, files.kind(path)]))
  const { listed, separator }: Pick<ProjectOptions, 'separator'> & { listed?: string | undefined } = isGiven
    ? wanted
    : listedFiles(wanted, files)
  return chooseFiles({
    listed: listed === undefined ? undefined : filesOf(listed, separator),
    separator,
    given: wanted.files.map(fileOf),
    isFile: (path) => kinds.get(path) === 'File',
    isFolder: (path) => kinds.get(path) === 'Folder',
  })
}

/** Without files, only the variables of the folder are read. */
export const requestOf = (wanted: ProjectOptions, { files: paths, folder }: Chosen, files: Files): AssembleRequest => {
  const name = givenName(wanted)?.text
  const isNamed = name !== undefined || Boolean(wanted.shell.get('COMPOSE_PROJECT_NAME')) || wanted.guess !== undefined
  const full = resolvePath(wanted.cwd, folder)
  const repository = isNamed ? undefined : guessName(wanted.isConfined ? undefined : full, folder, files)
  const { envFiles, given, shell } = wanted
  return {
    files: paths.map((path) => ({ path })),
    folder,
    name,
    guess: wanted.guess ?? repository ?? baseName(full),
    envFiles,
    given,
    shell,
    platform: wanted.platform ?? new Map(),
  }
}
