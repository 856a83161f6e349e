import { Command, Option } from 'clipanion'
import type { Outcome } from '../../app/output/outcome.ts'
import { DevtoolCommand } from '../base.ts'
import { schemaForms } from '../flags.ts'
import { oneOf } from '../options.ts'

export class SchemaCommand extends DevtoolCommand {
  static override paths = [['schema']]

  static override usage = Command.Usage({
    category: 'Help',
    description: 'print the JSON Schema of the Compose file or of the manifest, for editors',
    details: `
      It knows every field that \`deploy\` reads, with a description. \`compose\` is that of Compose files, and what is printed without an argument; \`manifest\` is that of devtool.yml.
    `,
    examples: [
      ['Keep it where an editor finds it', '$0 schema > compose.schema.json'],
      ['The one of devtool.yml', '$0 schema manifest > devtool.schema.json'],
    ],
  })

  form = Option.String({ name: 'form', required: false })

  useCase(): Promise<Outcome> {
    return this.given(oneOf('schema', this.form ?? 'compose', schemaForms), async (form) => {
      const { schemaText } = await import('../../app/project/schema.ts')
      return { findings: [], output: schemaText(form) }
    })
  }
}
