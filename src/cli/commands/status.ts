import { defined } from '../../domain/object/defined.ts'
import { checked, command } from '../command.ts'
import { reachOf } from '../flags/cluster.ts'
import { devFlags, devName, projectFor } from '../flags/dev.ts'
import { flag } from '../flags/flag.ts'
import { dataForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { readTimeout } from '../flags/run.ts'
import { inTarget } from '../target.ts'
import { viewed } from '../view/view.ts'

const watchMs = 1000

export const status = command({
  name: 'status',
  group: 'Environment',
  about: 'show the development containers that are active',
  details: `
    Shows the development containers of this folder, or the one that is named: their workload, pod and state, how much of their files is the same here and in the container, and who develops them since when. Files are at 100 % when both ends were looked at and nothing is left to be done. Questions about deletions, conflicts, and what is not synchronised are listed below. The exit status is 5 if there is none.

    \`--info\` prints, for each folder, the addresses at which both ends show their counts and last acts, with the name and the password for them. They are on this machine, and there only while \`up\` runs.

    "devtool help exit-status" lists the exit statuses of all commands.
  `,
  examples: [
    ['Those of this folder', '$0 status'],
    ['Watch how their files are', '$0 status --watch'],
    ['Addresses for a look at both ends', '$0 status api --info'],
    ['One of them, as JSON', '$0 status api -o json'],
  ],
  words: { dev: devName },
  flags: {
    ...devFlags,
    timeout: readTimeout,
    watch: flag('-w,--watch', 'keep it up to date until Ctrl-C'),
    info: flag('--info', 'show where both ends of the synchronisation can be looked at'),
    output: output(dataForms, 'text'),
  },
  run: (given, call) =>
    checked(projectFor(call, given), async (project) => {
      if (given.watch) await call.sayUnused(['timeout'], 'with --watch')
      const choice = { reach: reachOf(given), use: 'Read', ...(given.watch ? {} : { reading: given }) } as const
      return inTarget(call, choice, async ({ ports, target, signal }) => {
        const { devStatus } = await import('../../app/dev/status.ts')
        const { showDevStatus } = await import('../view/dev.ts')
        const look = () =>
          devStatus(ports)({ target, project, signal, withInfo: given.info, ...defined({ name: given.dev }) })
        if (given.watch) {
          const { statusWatchView } = await import('../view/status-watch.ts')
          const { stdout: isTerminal } = call.isTerminal
          const view = statusWatchView(given.output, { isTerminal, size: call.terminalSize })
          for (;;) {
            const { findings, value } = await look()
            if (signal.aborted) return { findings: [] }
            if (value === undefined) return { findings }
            if ((await call.stdout(view(value, ports.clock.date())))._tag !== 'Done') return { findings: [] }
            await ports.clock.sleep(watchMs, signal)
          }
        }
        return viewed(await look(), (value) => showDevStatus(given.output, value, ports.clock.date()))
      })
    }),
})
