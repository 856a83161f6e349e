import { Command, Option } from 'clipanion'
import { listForms } from '../../app/output/forms.ts'
import type { Outcome } from '../../app/output/outcome.ts'
import { EnvironmentCommand } from '../cluster.ts'
import { oneOf } from '../options.ts'

export class ListCommand extends EnvironmentCommand {
  static override paths = [['list']]

  static override usage = Command.Usage({
    category: 'Environment',
    description: 'list the environments of the namespace, or the services of one',
    details: `
      Without an argument: the environments, with their status, the number of their services and public addresses, when they were last deployed and by whom.

      With the name of an environment: its services, how many of their pods are ready, their state with the reason, restarts, age and image.
    `,
    examples: [
      ['Environments of the namespace', '$0 list'],
      ['Services of one', '$0 list shop'],
      ['Names only', '$0 list -o name'],
    ],
  })

  chosen = Option.String({ name: 'environment', required: false })
  output = Option.String('-o,--output', 'text', { description: 'text, json, yaml or name' })

  override isJson(): boolean {
    return this.output === 'json'
  }

  async useCase(): Promise<Outcome> {
    return this.given(oneOf('--output', this.output, listForms), (output) =>
      this.inSession('Read', async ({ ports, session }) => {
        const { list } = await import('../../app/inspect/list.ts')
        const environment = this.chosen ?? this.environment
        return list(ports)({ session, output, ...(environment === undefined ? {} : { environment }) })
      }),
    )
  }
}
