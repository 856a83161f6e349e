import { Command, Option } from 'clipanion'
import { endpointForms } from '../../app/output/forms.ts'
import type { Outcome } from '../../app/output/outcome.ts'
import { oneOf } from '../options.ts'
import { SeenCommand } from '../seen.ts'

export class EndpointsCommand extends SeenCommand {
  static override paths = [['endpoints']]

  static override usage = Command.Usage({
    category: 'Environment',
    description: 'list the public addresses of the environment, each with whether it answers',
    details: `
      Each address is asked once, for at most 3 seconds. Whatever it answers, it answers; else the table says why not: the name has no address, nobody listens there, TLS failed, or nobody answered in time. \`-o name\` asks none.
    `,
    examples: [
      ['Addresses of the environment of this folder', '$0 endpoints'],
      ['For a comment on a merge request', '$0 endpoints -o md'],
    ],
  })

  output = Option.String('-o,--output', 'text', { description: 'text, json, yaml, name or md' })

  override isJson(): boolean {
    return this.output === 'json'
  }

  async useCase(): Promise<Outcome> {
    return this.given(oneOf('--output', this.output, endpointForms), (output) =>
      this.inEnvironment(async ({ environment, ports, session }) => {
        const { endpoints } = await import('../../app/inspect/endpoints.ts')
        return endpoints(ports)({ session, environment, output })
      }),
    )
  }
}
