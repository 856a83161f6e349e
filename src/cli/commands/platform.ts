import { error } from '../../domain/diagnostic/diagnostic.ts'
import { type CliCommand, command } from '../command.ts'

/** Commands that only a platform carries out, and the closest alternative on a plain cluster. */
const instead: Readonly<Record<string, string>> = {
  pipeline: 'run `devtool deploy` or `devtool destroy` in a job of your CI',
  'pipeline deploy': 'run `devtool deploy` in a job of your CI',
  'pipeline destroy': 'run `devtool destroy` in a job of your CI',
  preview: 'deploy a branch under a name of its own: `devtool deploy --name NAME`',
  'preview deploy': 'deploy the branch under a name of its own: `devtool deploy --name NAME`',
  'preview destroy': 'take it down with `devtool destroy --name NAME`',
  'preview endpoints': '`devtool endpoints --name NAME` lists them',
  'preview list': '`devtool list` lists the environments of the namespace',
}

export const platform: ReadonlyArray<CliCommand> = Object.entries(instead).map(([name, help]) =>
  command({
    name,
    group: 'Environment',
    about: 'is done by the platform',
    examples: [],
    isHidden: true,
    words: {},
    flags: {},
    run: async () => ({
      findings: [
        error('DT2107', `\`devtool ${name}\` requires the platform, which this version does not support`, {
          help,
        }),
      ],
    }),
  }),
)
