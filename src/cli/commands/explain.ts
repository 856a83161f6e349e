import { Command, Option } from 'clipanion'
import type { Outcome } from '../../app/outcome.ts'
import { DevtoolCommand } from '../base.ts'
import { usage } from '../mistake.ts'

export class ExplainCommand extends DevtoolCommand {
  static override paths = [['explain']]

  static override usage = Command.Usage({
    category: 'Help',
    description: 'explain a code of a message, or a field of the Compose file',
    details: 'Without an argument it lists everything that can be explained.',
    examples: [
      ['A code', '$0 explain DT1012'],
      ['A field', '$0 explain services.healthcheck.interval'],
    ],
  })

  topic = Option.String({ name: 'topic', required: false })

  async useCase(): Promise<Outcome> {
    const { explain, nearest, topics } = await import('../../domain/diagnostic/explain.ts')
    if (this.topic === undefined) return { findings: [], output: `${topics().join('\n')}\n` }
    const text = explain(this.topic)
    if (text !== undefined) return { findings: [], output: `${text}\n` }
    const near = nearest(this.topic)
    const help = near === undefined ? '`devtool explain` lists what there is' : `did you mean "${near}"?`
    return { findings: [usage(`there is nothing to explain about "${this.topic}"`, help)] }
  }
}
