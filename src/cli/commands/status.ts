import { defined } from '../../domain/object/defined.ts'
import { checked, command } from '../command.ts'
import { reachOf } from '../flags/cluster.ts'
import { devFlags, devName, projectFor } from '../flags/dev.ts'
import { flag, without } from '../flags/flag.ts'
import { dataForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { readTimeout } from '../flags/run.ts'
import { inTarget } from '../target.ts'
import { viewed } from '../view/view.ts'

export const status = command({
  name: 'status',
  group: 'Environment',
  about: 'show the development containers that are active',
  details: `
    Shows the development containers of this folder, or the one that is named: their workload, pod and state, and who develops them since when. The exit status is 5 if there is none.
  `,
  examples: [
    ['Those of this folder', '$0 status'],
    ['One of them, as JSON', '$0 status api -o json'],
  ],
  words: { dev: devName },
  flags: {
    ...devFlags,
    timeout: readTimeout,
    watch: without(flag('-w,--watch', 'watch the synchronisation'), 'files are not synchronised yet'),
    info: without(flag('--info', 'show where the synchronisation is served'), 'files are not synchronised yet'),
    output: output(dataForms, 'text'),
  },
  run: (given, call) =>
    checked(projectFor(call, given), (project) =>
      inTarget(call, { reach: reachOf(given), use: 'Read', reading: given }, async ({ ports, target, signal }) => {
        const { devStatus } = await import('../../app/dev/status.ts')
        const { showDevStatus } = await import('../view/dev.ts')
        const found = await devStatus(ports)({ target, project, signal, ...defined({ name: given.dev }) })
        return viewed(found, (value) => showDevStatus(given.output, value))
      }),
    ),
})
