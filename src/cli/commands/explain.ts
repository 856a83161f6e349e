import { Command, Option } from 'clipanion'
import { type DataForm, dataForms } from '../../app/output/forms.ts'
import type { Outcome } from '../../app/output/outcome.ts'
import { DevtoolCommand } from '../base.ts'
import { usage } from '../mistake.ts'
import { oneOf } from '../options.ts'

export class ExplainCommand extends DevtoolCommand {
  static override paths = [['explain']]

  static override usage = Command.Usage({
    category: 'Help',
    description: 'explain a code of a message, or a field of the Compose file',
    details: `
      Without an argument it lists everything that can be explained.

      With \`-o json\` or \`-o yaml\` it is a document with topic and text; the list has the key topics.
    `,
    examples: [
      ['A code', '$0 explain DT1012'],
      ['A field', '$0 explain services.healthcheck.interval'],
      ['A code, for a program', '$0 explain DT1012 -o json'],
    ],
  })

  topic = Option.String({ name: 'topic', required: false })

  output = Option.String('-o,--output', 'text', { description: 'text, json or yaml' })

  override isJson(): boolean {
    return this.output === 'json'
  }

  private async explain(form: DataForm): Promise<Outcome> {
    const { explanationOf, nearest, showExplanation, topics } = await import('../../domain/explain/explain.ts')
    const { printData } = await import('../../app/output/data.ts')
    if (this.topic === undefined) {
      const text = form === 'text' ? `${topics().join('\n')}\n` : printData(form, { topics: topics() })
      return { findings: [], output: text }
    }
    const found = explanationOf(this.topic)
    if (found !== undefined) {
      return { findings: [], output: form === 'text' ? `${showExplanation(found)}\n` : printData(form, found) }
    }
    const near = nearest(this.topic)
    const help = near === undefined ? '`devtool explain` lists what there is' : `did you mean "${near}"?`
    return { findings: [usage(`there is nothing to explain about "${this.topic}"`, help)] }
  }

  useCase(): Promise<Outcome> {
    return this.given(oneOf('--output', this.output, dataForms), (form) => this.explain(form))
  }
}
