import type { Outcome } from '../../app/output/outcome.ts'
import { error } from '../../domain/diagnostic/diagnostic.ts'
import { DevtoolCommand } from '../base.ts'
import { insteadOf, platformNames } from '../platform-names.ts'

/** It has no usage, so it is not in the help. What else was typed does not matter: nothing of it can be done. */
export class PlatformCommand extends DevtoolCommand {
  static override paths = platformNames.map((name) => name.split(' '))

  async useCase(): Promise<Outcome> {
    const name = this.path.join(' ')
    const message = `\`devtool ${name}\` is done by the platform, which no context of this version reaches`
    return { findings: [error('DT2107', message, { help: insteadOf(name) })] }
  }
}
