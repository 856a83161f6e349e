import type { Target } from '../../app/context/target.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Ports } from '../../ports/ports.ts'
import { checked, command } from '../command.ts'
import { reachOf } from '../flags/cluster.ts'
import { devFlags, devName, projectFor } from '../flags/dev.ts'
import { dataForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { inTarget } from '../target.ts'
import { viewed } from '../view/view.ts'

export const restart = command({
  name: 'restart',
  group: 'Environment',
  about: 'restart a development container and its services',
  details: `
    Replaces the pods of the development container of this folder, or of the one that is named, and of the services beside it. What runs in them ends. \`devtool up\` connects to the new pod. When the workload was changed during development, the change takes effect.
  `,
  examples: [['Restart the development container of this folder', '$0 restart']],
  words: { dev: devName },
  flags: { ...devFlags, output: output(dataForms, 'text') },
  run: (given, call) =>
    checked(projectFor(call, given), (project) => {
      const wanted = { project, ...defined({ name: given.dev }) }
      const choice = {
        reach: reachOf(given),
        use: 'Change',
        form: 'auto',
        isSound: (ports: Ports) => (target: Target) => async () => {
          const { isRestartable } = await import('../../app/dev/restart.ts')
          return isRestartable(ports)({ ...wanted, target, signal: call.interruption() })()
        },
      } as const
      return inTarget(call, choice, async ({ ports, target, signal }) => {
        const { restartDev } = await import('../../app/dev/restart.ts')
        const { showRestarted } = await import('../view/dev.ts')
        const done = await restartDev(ports)({ ...wanted, target, signal })
        return viewed(done, (value) => showRestarted(given.output, value))
      })
    }),
})
