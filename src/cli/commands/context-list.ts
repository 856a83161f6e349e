import { Command, Option } from 'clipanion'
import { listForms } from '../../app/output/forms.ts'
import type { Outcome } from '../../app/output/outcome.ts'
import { DevtoolCommand } from '../base.ts'
import { oneOf } from '../options.ts'

export class ContextListCommand extends DevtoolCommand {
  static override paths = [['context', 'list']]

  static override usage = Command.Usage({
    category: 'Contexts',
    description: 'list the contexts of the kubeconfig and those that are kept',
    details: 'The one that commands use is marked with *. No cluster is asked.',
    examples: [
      ['As a table', '$0 context list'],
      ['Names only', '$0 context list -o name'],
    ],
  })

  kubeconfig = Option.String('--kubeconfig', { description: 'kubeconfig, in place of those of KUBECONFIG' })
  output = Option.String('-o,--output', 'text', { description: 'text, json, yaml or name' })

  override isJson(): boolean {
    return this.output === 'json'
  }

  useCase(): Promise<Outcome> {
    return this.given(oneOf('--output', this.output, listForms), async (form) => {
      const { listContexts } = await import('../../app/context/contexts.ts')
      return listContexts(await this.context.ports())({ env: this.context.env, kubeconfig: this.kubeconfig }, form)
    })
  }
}
