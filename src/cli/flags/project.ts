/** Flags for the files, variables and name of a project, and their values. */

import type { ProjectOptions } from '../../app/project/choose.ts'
import { readItems, type Settings } from '../../app/project/settings.ts'
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import { defined } from '../../domain/object/defined.ts'
import { flag, list, parsed, text, texts, type Values } from './flag.ts'
import { assignments, oneOf, switchVariable } from './read.ts'

const file = texts('-f,--file', {
  value: 'FILE',
  offers: 'files',
  about: 'Compose file or manifest, `-` for standard input; repeatable, later files are merged over earlier ones',
})

export const name = text('--name', {
  value: 'NAME',
  offers: 'environments',
  about: 'name of the environment; default: repository or folder name',
})

const variableFlags = {
  envFile: texts('--env-file', {
    value: 'FILE',
    offers: 'files',
    about: 'file with variables, instead of `.env`; repeatable',
  }),
  var: list(
    '--var',
    { value: 'NAME=VALUE', about: 'variable for the Compose file; takes precedence over all others; repeatable' },
    assignments,
  ),
}

/** Flags that determine the name of an environment. */
export const namingFlags = { file, name, ...variableFlags }

const hostFileChoices = ['config', 'ignore'] as const

export const hostFiles = parsed(
  '--host-files',
  {
    value: 'WHAT',
    values: hostFileChoices,
    about: 'files of the project that services mount: config makes ConfigMaps of them, ignore (default) does not',
  },
  (flagName, written) => oneOf(flagName, written, hostFileChoices),
)

/** Flags that determine the whole project. */
export const projectFlags = {
  ...namingFlags,
  profile: texts('--profile', {
    value: 'NAME',
    offers: 'profiles',
    about: 'profiles to enable, separated by commas; repeatable',
  }),
  strict: flag('--strict', 'treat warnings as errors'),
}

export const definedOf = (env: Readonly<Record<string, string | undefined>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])))

/** Used when `--env-file` is not given (Compose, COMPOSE_ENV_FILES). */
const listedEnvFiles = (shell: ReadonlyMap<string, string>): ReadonlyArray<string> | undefined => {
  const files = readItems([shell.get('COMPOSE_ENV_FILES') ?? ''])
  return files.length === 0 ? undefined : files
}

/** `cwd` is absolute; `separator` separates paths in a variable. */
type WorkingPlace = {
  readonly cwd: string
  readonly separator: string
  readonly env: Readonly<Record<string, string | undefined>>
}

type ProjectFlags = Values<typeof namingFlags> &
  Partial<Values<typeof projectFlags>> & { readonly namespace?: string | undefined }

/** `settings`: those of the command's own flags. Finds DT2001. */
export const wantedOf = (
  { cwd, env, separator }: WorkingPlace,
  given: ProjectFlags,
  services: ReadonlyArray<string> = [],
  settings: Partial<Settings> = {},
): Checked<ProjectOptions> => {
  const shell = definedOf(env)
  const { envFile, namespace, profile = [], strict = false } = given
  return C.map(
    (isConfined: boolean): ProjectOptions => ({
      cwd,
      files: given.file,
      envFiles: envFile.length === 0 ? listedEnvFiles(shell) : envFile,
      name: given.name,
      given: given.var,
      shell,
      separator,
      services,
      settings: {
        ...settings,
        ...defined({ namespace }),
        ...(profile.length === 0 ? {} : { profiles: readItems(profile) }),
      },
      isConfined,
      isStrict: strict,
    }),
  )(switchVariable('DEVTOOL_CONFINED', shell.get('DEVTOOL_CONFINED')))
}
