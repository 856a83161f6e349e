import { Command, Option } from 'clipanion'
import type { Outcome } from '../../app/output/outcome.ts'
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
      ['One that has two words', '$0 help context use'],
    ],
  })

  topic = Option.Rest({ name: 'command' })

  async useCase(): Promise<Outcome> {
    const topic = this.topic.length === 0 ? undefined : this.topic.join(' ')
    const text = await this.context.help(topic)
    if (text !== undefined) return { findings: [], output: text }
    const definitions = await this.context.definitions()
    const names = definitions.map(({ path }) => path.split(' ').slice(1).join(' '))
    return { findings: [unknownCommand(topic ?? '', names)] }
  }
}
