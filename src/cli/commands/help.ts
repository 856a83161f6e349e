import { command } from '../command.ts'
import { rest } from '../flags/flag.ts'

export const help = command({
  name: 'help',
  group: 'Help',
  about: 'list the commands, or describe one or a topic',
  examples: [
    ['All commands', '$0 help'],
    ['One command', '$0 help deploy'],
    ['A subcommand', '$0 help context use'],
    ['The environment variables that devtool reads', '$0 help variables'],
  ],
  isSilent: true,
  words: { topic: rest('command or topic', { offers: 'commands' }) },
  flags: {},
  run: ({ topic }, call) => call.help(topic.length === 0 ? undefined : topic.join(' ')),
})
