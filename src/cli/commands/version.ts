import { Command, Option } from 'clipanion'
import { dataForms } from '../../app/output/forms.ts'
import type { Outcome } from '../../app/output/outcome.ts'
import { DevtoolCommand } from '../base.ts'
import { oneOf } from '../options.ts'

export class VersionCommand extends DevtoolCommand {
  static override paths = [['version'], ['--version']]

  static override usage = Command.Usage({
    category: 'Help',
    description: 'print the version',
    details: 'With `-o json` or `-o yaml` as a document with the key version.',
    examples: [
      ['The installed version', '$0 version'],
      ['The same for a program', '$0 version -o json'],
    ],
  })

  output = Option.String('-o,--output', 'text', { description: 'text, json or yaml' })

  override isJson(): boolean {
    return this.output === 'json'
  }

  useCase(): Promise<Outcome> {
    return this.given(oneOf('--output', this.output, dataForms), async (form) => {
      const { version } = this.context
      if (form === 'text') return { findings: [], output: `${version}\n` }
      const { printData } = await import('../../app/output/data.ts')
      return { findings: [], output: printData(form, { version }) }
    })
  }
}
