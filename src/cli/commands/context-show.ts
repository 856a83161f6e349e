import { Command, Option } from 'clipanion'
import { recordForms } from '../../app/output/forms.ts'
import type { Outcome } from '../../app/output/outcome.ts'
import { DevtoolCommand } from '../base.ts'
import { oneOf } from '../options.ts'

export class ContextShowCommand extends DevtoolCommand {
  static override paths = [['context', 'show']]

  static override usage = Command.Usage({
    category: 'Contexts',
    description: 'print the context that commands use, as JSON',
    details: `
      Flags and variables count, as they do for other commands: it prints what those would use. A token is printed as a mark that stands for it. No cluster is asked.
    `,
    examples: [
      ['What would be used', '$0 context show'],
      ['Of another context, as YAML', '$0 context show --context staging -o yaml'],
    ],
  })

  contextName = Option.String('--context', { description: 'another context than the one in use' })
  namespace = Option.String('-n,--namespace', { description: 'namespace; default: that of the context' })
  kubeconfig = Option.String('--kubeconfig', { description: 'kubeconfig, in place of those of KUBECONFIG' })
  output = Option.String('-o,--output', 'json', { description: 'json or yaml' })

  override isJson(): boolean {
    return this.output === 'json'
  }

  useCase(): Promise<Outcome> {
    const { contextName: context, kubeconfig, namespace } = this
    return this.given(oneOf('--output', this.output, recordForms), async (form) => {
      const { showContext } = await import('../../app/context/contexts.ts')
      return showContext(await this.context.ports())({ env: this.context.env, context, kubeconfig, namespace }, form)
    })
  }
}
