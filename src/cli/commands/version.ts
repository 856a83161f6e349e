import { Command } from 'clipanion'
import type { Outcome } from '../../app/outcome.ts'
import { DevtoolCommand } from '../base.ts'

export class VersionCommand extends DevtoolCommand {
  static override paths = [['version'], ['--version']]

  static override usage = Command.Usage({
    category: 'Help',
    description: 'print the version',
    examples: [['The installed version', '$0 version']],
  })

  useCase(): Promise<Outcome> {
    return Promise.resolve({ findings: [], output: `${this.context.version}\n` })
  }
}
