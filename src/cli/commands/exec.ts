import { defined } from '../../domain/object/defined.ts'
import { checked, command } from '../command.ts'
import { reachOf } from '../flags/cluster.ts'
import { devFlags, devName, projectFor } from '../flags/dev.ts'
import { commandWords } from '../flags/flag.ts'
import { inTarget } from '../target.ts'
import { viewed } from '../view/view.ts'

export const exec = command({
  name: 'exec',
  group: 'Environment',
  about: 'run a command in a development container',
  details: `
    Runs the command in the development container that \`devtool up\` has started for this folder, or in the one that is named. On a terminal, the command gets a terminal, too, and keeps running while a lost connection is restored. Otherwise its standard input, output and error are passed through separately.

    The exit status is that of the command, 125 when the connection to it failed, and 5 when there is no development container.
  `,
  examples: [
    ['Run the tests', '$0 exec -- npm test'],
    ['Open a second shell', '$0 exec api -- sh'],
    ['Copy a file out of the container', '$0 exec -- cat /data/dump.sql > dump.sql'],
  ],
  words: { dev: devName, command: commandWords('command') },
  flags: devFlags,
  run: (given, call) =>
    checked(projectFor(call, given), (project) =>
      inTarget(call, { reach: reachOf(given), use: 'Read', form: 'auto' }, async ({ ports, target, signal }) => {
        const { execInDev } = await import('../../app/dev/exec.ts')
        const ran = await execInDev(ports)({
          target,
          project,
          signal,
          command: given.command,
          ...defined({ name: given.dev }),
        })
        return { ...viewed(ran, () => ({})), ...defined({ status: ran.value?.status }) }
      }),
    ),
})
