/** The flags of every command that reads a project, and what they mean. */
import { Option } from 'clipanion'
import type { Wanted } from '../app/project/choose.ts'
import { readItems, type Settings } from '../app/project/settings.ts'
import type { Checked } from '../domain/checked.ts'
import * as C from '../domain/checked.ts'
import { DevtoolCommand } from './base.ts'
import { assignments, switchVariable } from './options.ts'

const definedOf = (env: Readonly<Record<string, string | undefined>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])))

/** As `--env-file`, when that is not given (Compose, COMPOSE_ENV_FILES). */
const listedEnvFiles = (shell: ReadonlyMap<string, string>): ReadonlyArray<string> | undefined => {
  const files = readItems([shell.get('COMPOSE_ENV_FILES') ?? ''])
  return files.length === 0 ? undefined : files
}

export abstract class ProjectCommand extends DevtoolCommand {
  file = Option.Array('-f,--file', [], {
    description:
      'the Compose file or manifest, `-` for the standard input; repeatable, later ones are merged over earlier ones',
  })

  environment = Option.String('--name', { description: 'name of the environment; default: repository or folder name' })
  namespace = Option.String('-n,--namespace', { description: 'namespace that the manifests name' })
  profile = Option.Array('--profile', { description: 'profiles to enable, separated by commas; repeatable' })
  envFile = Option.Array('--env-file', { description: 'file of variables, in place of `.env`; repeatable' })
  var = Option.Array('--var', [], { description: 'variable for the Compose file; wins over all others; repeatable' })
  strict = Option.Boolean('--strict', false, { description: 'warnings are errors' })
  report = Option.Array('--report', [], {
    description: 'also write what was found to a file: sarif=FILE or codequality=FILE; repeatable',
  })

  /** `settings` are those of the command's own flags. */
  wanted(services: ReadonlyArray<string>, settings: Partial<Settings>): Checked<Wanted> {
    const { cwd, env, separator } = this.context
    const shell = definedOf(env)
    const options = C.struct({
      given: assignments('--var', this.var),
      isConfined: switchVariable('DEVTOOL_CONFINED', shell.get('DEVTOOL_CONFINED')),
    })
    const read = ({
      given = new Map(),
      isConfined = true,
    }: {
      given?: ReadonlyMap<string, string>
      isConfined?: boolean
    }): Wanted => ({
      cwd,
      files: this.file,
      envFiles: this.envFile ?? listedEnvFiles(shell),
      name: this.environment,
      given,
      shell,
      separator,
      services,
      settings: {
        ...settings,
        ...(this.namespace === undefined ? {} : { namespace: this.namespace }),
        ...(this.profile === undefined ? {} : { profiles: readItems(this.profile) }),
      },
      isConfined,
      isStrict: this.strict,
    })
    return C.map(read)(options)
  }
}
