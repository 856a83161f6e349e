import { Command } from 'clipanion'
import type { Outcome } from '../../app/output/outcome.ts'
import { PlaceCommand } from '../place.ts'

export class NamespaceCommand extends PlaceCommand {
  static override paths = [['namespace']]

  static override usage = Command.Usage({
    category: 'Contexts',
    description: 'choose the namespace that commands work in, from a list',
    details: `
      It is remembered with the context. Where namespaces may not be listed, \`namespace use NAME\` does the same. A namespace is made with \`kubectl create namespace NAME\`.
    `,
    examples: [['Choose from a list', '$0 namespace']],
  })

  async useCase(): Promise<Outcome> {
    const { useNamespace } = await import('../../app/context/namespaces.ts')
    const { env, interruption } = this.context
    return useNamespace(await this.context.ports())(undefined, this.reach(), env, interruption())
  }
}
