import { sshFolderOf } from '../../domain/dev/ssh-config.ts'
import { defined } from '../../domain/object/defined.ts'
import { checked, command } from '../command.ts'
import { reachOf } from '../flags/cluster.ts'
import { devFlags, devName, projectFor, takeOverSession } from '../flags/dev.ts'
import { flag } from '../flags/flag.ts'
import { dataForms } from '../flags/forms.ts'
import { output, progress } from '../flags/output.ts'
import { timeout } from '../flags/run.ts'
import { inTarget } from '../target.ts'
import { viewed } from '../view/view.ts'

export const down = command({
  name: 'down',
  group: 'Environment',
  about: 'end development, and restore the workload',
  details: `
    Ends what \`devtool up\` began: removes the development container and restores the workload as it was. It can be run again at any time, whatever was interrupted before, and with a name from any folder and any machine: what is needed for it is in the cluster.

    The volume of the development container is kept for the next time unless \`--volumes\` is given. Without a name, all development containers of this folder are ended; \`--all\` ends all of yours in the namespace, and so does \`--from-cluster\`, which takes no file into account.
  `,
  examples: [
    ['End the development of this folder', '$0 down'],
    ['End that of one service, from anywhere', '$0 down api'],
    ['Also delete the volume of the development container', '$0 down api --volumes'],
  ],
  words: { dev: devName },
  flags: {
    ...devFlags,
    all: flag('--all', 'end all of yours in the namespace; with --take-over those of others, too'),
    fromCluster: flag('--from-cluster', 'by the records in the namespace alone; without NAME, all of yours'),
    volumes: flag('--volumes', 'also delete the volume of the development container: its data is lost'),
    takeOver: takeOverSession,
    timeout,
    output: output(dataForms, 'text'),
    progress,
  },
  run: (given, call) =>
    checked(projectFor(call, given), (project) => {
      const choice = { reach: reachOf(given), use: 'Restore', form: given.progress, timeoutMs: given.timeout } as const
      return inTarget(call, choice, async ({ ports, target, signal }) => {
        const { takeDown } = await import('../../app/dev/down.ts')
        const { showTakenDown } = await import('../view/dev.ts')
        const done = await takeDown(ports)({
          target,
          project,
          signal,
          isAll: given.all || (given.fromCluster && given.dev === undefined),
          takesOver: given.takeOver,
          withVolumes: given.volumes,
          sshFolder: sshFolderOf(call.env),
          ...defined({ name: given.dev }),
        })
        return viewed(done, (value) => showTakenDown(given.output, value))
      })
    }),
})
