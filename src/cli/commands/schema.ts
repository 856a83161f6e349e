import { Command } from 'clipanion'
import type { Outcome } from '../../app/outcome.ts'
import { DevtoolCommand } from '../base.ts'

export class SchemaCommand extends DevtoolCommand {
  static override paths = [['schema']]

  static override usage = Command.Usage({
    category: 'Help',
    description: 'print the JSON Schema of the Compose file, for editors',
    details: 'It knows every field that `deploy` reads, with a description.',
    examples: [['Keep it where an editor finds it', '$0 schema > compose.schema.json']],
  })

  async useCase(): Promise<Outcome> {
    const { jsonSchema } = await import('../../domain/compose/json-schema.ts')
    const { printJson } = await import('../../domain/print/json.ts')
    return { findings: [], output: printJson(jsonSchema()) }
  }
}
