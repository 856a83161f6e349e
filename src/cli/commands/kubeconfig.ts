import { Command, Option } from 'clipanion'
import type { Outcome } from '../../app/output/outcome.ts'
import { PlaceCommand } from '../place.ts'

export class KubeconfigCommand extends PlaceCommand {
  static override paths = [['kubeconfig']]

  static override usage = Command.Usage({
    category: 'Contexts',
    description: 'make kubectl use the same context and namespace',
    details: `
      Sets current-context, and the namespace of that context, in the kubeconfig; nothing else of it changes. This is the only command that writes there.
    `,
    examples: [
      ['What devtool uses', '$0 kubeconfig'],
      ['Another namespace', '$0 kubeconfig --namespace shop'],
    ],
  })

  namespace = Option.String('-n,--namespace', { description: 'namespace; default: that of the context' })

  async useCase(): Promise<Outcome> {
    const { updateKubeconfig } = await import('../../app/context/namespaces.ts')
    const { namespace } = this
    const reach = { ...this.reach(), ...(namespace === undefined ? {} : { namespace }) }
    return updateKubeconfig(await this.context.ports())(reach, this.context.env)
  }
}
