import { Command, Option } from 'clipanion'
import type { Outcome } from '../../app/output/outcome.ts'
import { RememberingCommand } from '../remembered.ts'

export class ContextUseCommand extends RememberingCommand {
  static override paths = [['context', 'use']]

  static override usage = Command.Usage({
    category: 'Contexts',
    description: 'make a context the one that commands use',
    details: `
      The name is that of a context of the kubeconfig, or the URL of a platform, which needs a token. Without a name it asks. What the flags say is remembered with the context; an empty value forgets it.
    `,
    examples: [
      ['A context of the kubeconfig', '$0 context use kind-dev'],
      ['With a namespace and a domain', '$0 context use staging --namespace shop --domain apps.example.com'],
      ['Forget the domain', '$0 context use staging --domain='],
    ],
  })

  name = Option.String({ name: 'name', required: false })

  useCase(): Promise<Outcome> {
    return this.given(this.fields(), async (fields) => {
      const { useContext } = await import('../../app/context/contexts.ts')
      return useContext(await this.context.ports())({ name: this.name, fields }, this.look())
    })
  }
}
