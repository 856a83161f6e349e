import { Command, Option } from 'clipanion'
import type { Outcome } from '../../app/output/outcome.ts'
import { DevtoolCommand } from '../base.ts'

export class ContextDeleteCommand extends DevtoolCommand {
  static override paths = [['context', 'delete']]

  static override usage = Command.Usage({
    category: 'Contexts',
    description: 'forget what is kept of a context, its token too',
    details: 'The kubeconfig is not changed: a context that it has can be chosen again.',
    examples: [['Forget a platform', '$0 context delete https://devtool.example.com']],
  })

  name = Option.String({ name: 'name' })
  kubeconfig = Option.String('--kubeconfig', { description: 'kubeconfig, in place of those of KUBECONFIG' })

  async useCase(): Promise<Outcome> {
    const { deleteContext } = await import('../../app/context/contexts.ts')
    return deleteContext(await this.context.ports())(this.name, { env: this.context.env, kubeconfig: this.kubeconfig })
  }
}
