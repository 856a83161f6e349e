import { Command, Option } from 'clipanion'
import { dataForms } from '../../app/output/forms.ts'
import type { Outcome } from '../../app/output/outcome.ts'
import * as C from '../../domain/checked.ts'
import { oneOf, reports } from '../options.ts'
import { ProjectCommand } from '../project.ts'

export class ValidateCommand extends ProjectCommand {
  static override paths = [['validate']]

  static override usage = Command.Usage({
    category: 'Environment',
    description: 'tell everything that is wrong with a Compose file',
    details: `
      Reads what \`deploy\` reads and prints every error and warning with its place. Status 3 when there is an error.

      With \`-o json\` the findings are printed as one JSON document, with \`-o yaml\` as YAML.
    `,
    examples: [
      ['Check the Compose file of this folder', '$0 validate'],
      ['Refuse warnings too, and tell GitHub', '$0 validate --strict --report sarif=devtool.sarif'],
    ],
  })

  output = Option.String('-o,--output', 'text', { description: 'text, json or yaml' })

  override isJson(): boolean {
    return this.output === 'json'
  }

  async useCase(): Promise<Outcome> {
    const options = C.struct({
      output: oneOf('--output', this.output, dataForms),
      wanted: this.wanted([], {}),
      reports: reports('--report', this.report),
    })
    return this.given(options, async ({ output = 'text', reports: files, wanted }) => {
      if (wanted === undefined) return { findings: [] }
      const { validate } = await import('../../app/project/validate.ts')
      const { version } = this.context
      return validate(await this.context.ports())({ wanted, output, reports: files ?? [], version })
    })
  }
}
