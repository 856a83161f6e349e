import { Command, Option } from 'clipanion'
import type { Outcome } from '../../app/output/outcome.ts'
import { PlaceCommand } from '../place.ts'

export class NamespaceUseCommand extends PlaceCommand {
  static override paths = [['namespace', 'use']]

  static override usage = Command.Usage({
    category: 'Contexts',
    description: 'make a namespace the one that commands work in',
    details: 'It is remembered with the context. That it exists is checked, unless the cluster cannot be asked.',
    examples: [
      ['In the context in use', '$0 namespace use shop'],
      ['In another one', '$0 namespace use shop --context staging'],
    ],
  })

  name = Option.String({ name: 'name' })

  async useCase(): Promise<Outcome> {
    const { useNamespace } = await import('../../app/context/namespaces.ts')
    const { env, interruption } = this.context
    return useNamespace(await this.context.ports())(this.name, this.reach(), env, interruption())
  }
}
