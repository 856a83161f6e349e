import { Command, Option } from 'clipanion'
import type { Outcome } from '../../app/outcome.ts'
import { DevtoolCommand } from '../base.ts'
import { unknownCommand } from '../mistake.ts'

export class HelpCommand extends DevtoolCommand {
  static override paths = [['help']]

  static override usage = Command.Usage({
    category: 'Help',
    description: 'list the commands, or describe one',
    examples: [
      ['All commands', '$0 help'],
      ['One command', '$0 help deploy'],
    ],
  })

  topic = Option.String({ name: 'command', required: false })

  async useCase(): Promise<Outcome> {
    const text = await this.context.help(this.topic)
    if (text !== undefined) return { findings: [], output: text }
    const definitions = await this.context.definitions()
    const names = definitions.map(({ path }) => path.split(' ').slice(1).join(' '))
    return { findings: [unknownCommand(this.topic ?? '', names)] }
  }
}
