import { Command, Option } from 'clipanion'
import type { Outcome } from '../../app/output/outcome.ts'
import { DevtoolCommand } from '../base.ts'
import { switchVariable } from '../options.ts'

export class InitCommand extends DevtoolCommand {
  static override paths = [['init']]

  static override usage = Command.Usage({
    category: 'Environment',
    description: 'write a devtool.yml for this folder',
    details: `
      Looks for a Compose file, a Helm chart, manifests and Dockerfiles, here and in the folders below, and tells the language of what is built. On a terminal it asks; else, and with \`--yes\`, its guesses count. What it writes passes \`validate\`.
    `,
    examples: [
      ['Write devtool.yml', '$0 init'],
      ['Write it anew without a question', '$0 init --replace --yes'],
    ],
  })

  file = Option.String('-f,--file', 'devtool.yml', { description: 'the file to write; default devtool.yml' })
  environment = Option.String('--name', { description: 'name of the environment; default: repository or folder name' })
  replace = Option.String('--replace', false, { tolerateBoolean: true, description: 'overwrite the file' })
  yes = Option.Boolean('--yes', false, { description: 'ask nothing' })
  v1 = Option.Boolean('-v1', false, { description: 'the older form: one development container, nothing to deploy' })
  namespace = Option.String('-n,--namespace', { description: 'no effect: no cluster is asked' })
  contextName = Option.String('--context', { description: 'no effect: no cluster is asked' })

  async useCase(): Promise<Outcome> {
    const isReplacing = switchVariable('--replace', String(this.replace))
    return this.given(isReplacing, async (replaces) => {
      const { init } = await import('../../app/project/init.ts')
      const { environment, file, v1, yes } = this
      const { cwd } = this.context
      const named = environment === undefined ? {} : { name: environment }
      return init(await this.context.ports())({
        cwd,
        file,
        ...named,
        isReplacing: replaces,
        isDevOnly: v1,
        isAsking: !yes,
      })
    })
  }
}
