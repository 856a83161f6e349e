import { Command, Option } from 'clipanion'
import type { Outcome } from '../../app/output/outcome.ts'
import * as C from '../../domain/checked.ts'
import { DevtoolCommand } from '../base.ts'
import { shells } from '../flags.ts'
import { usage } from '../mistake.ts'
import { oneOf } from '../options.ts'

export class CompletionCommand extends DevtoolCommand {
  static override paths = [['completion']]

  static override usage = Command.Usage({
    category: 'Help',
    description: 'print a script that completes commands, flags, services and profiles',
    details: 'For bash, zsh, fish or powershell. The script asks devtool itself what may stand at the cursor.',
    examples: [
      ['bash, in ~/.bashrc', 'source <($0 completion bash)'],
      ['zsh, in ~/.zshrc after compinit', 'source <($0 completion zsh)'],
      ['fish', '$0 completion fish > ~/.config/fish/completions/devtool.fish'],
      ['PowerShell, in $PROFILE', '$0 completion powershell | Out-String | Invoke-Expression'],
    ],
  })

  shell = Option.String({ name: 'shell', required: false })

  useCase(): Promise<Outcome> {
    const shell =
      this.shell === undefined
        ? C.fail(usage('completion needs the name of a shell', `use ${shells.join(', ')}`))
        : oneOf('completion', this.shell, shells)
    return this.given(shell, async (known) => {
      const { completionScript } = await import('../completion-scripts.ts')
      return { findings: [], output: completionScript(known) }
    })
  }
}
