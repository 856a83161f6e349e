import { command } from '../command.ts'
import { mustBe } from '../flags/flag.ts'

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const

export const completion = command({
  name: 'completion',
  group: 'Help',
  about: 'print a shell completion script',
  details: `
    The script completes commands, flags and values by calling devtool, which reads services and profiles from the files, and environments, namespaces and services from the cluster if it responds within 2 seconds.
  `,
  examples: [
    ['bash, in ~/.bashrc', 'source <($0 completion bash)'],
    ['zsh, in ~/.zshrc after compinit', 'source <($0 completion zsh)'],
    ['fish', '$0 completion fish > ~/.config/fish/completions/devtool.fish'],
    ['PowerShell, in $PROFILE', '$0 completion powershell | Out-String | Invoke-Expression'],
  ],
  isSilent: true,
  words: { shell: mustBe('shell', shells) },
  flags: {},
  run: async ({ shell }) => {
    const { completionScripts } = await import('../completion-scripts.ts')
    return { findings: [], output: completionScripts[shell] }
  },
})
