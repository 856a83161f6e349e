import { command } from '../command.ts'
import { rest } from '../flags/flag.ts'

export const help = command({
  name: 'help',
  group: 'Help',
  about: 'list the commands, or describe one',
  examples: [
    ['All commands', '$0 help'],
    ['One command', '$0 help deploy'],
    ['A subcommand', '$0 help context use'],
  ],
  isSilent: true,
  words: { topic: rest('command', { offers: 'commands' }) },
  flags: {},
  run: ({ topic }, call) => call.help(topic.length === 0 ? undefined : topic.join(' ')),
})
