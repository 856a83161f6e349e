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
    Shows the development containers of this folder, or the one that is named: their workload, pod and state, how much of their files is synchronised, and who has developed them since when. Files are at 100 % when both ends have been compared and nothing is left to do. Questions about deletions, conflicts, and what is not synchronised are listed below. The exit status is 5 if there is none.

    \`--info\` prints, for each folder, the addresses of pages with the counters and latest actions of both ends, with their user name and password. They are on this machine, and only available while \`up\` runs.
  `,
  examples: [
    ['Those of this folder', '$0 status'],
    ['Watch the synchronisation', '$0 status --watch'],
    ['Where both ends can be inspected', '$0 status api --info'],
    ['One of them, as JSON', '$0 status api -o json'],
  ],
  words: { dev: devName },
  flags: {
    ...devFlags,
    timeout: readTimeout,
    watch: flag('-w,--watch', 'keep it up to date until Ctrl-C'),
    info: flag('--info', 'show where both ends of the synchronisation can be inspected'),
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
