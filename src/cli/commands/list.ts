import { command } from '../command.ts'
import { clusterFlags, reachOf } from '../flags/cluster.ts'
import { may } from '../flags/flag.ts'
import { listForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { readTimeout } from '../flags/run.ts'
import { inTarget, toldElsewhere } from '../target.ts'
import { viewed } from '../view/view.ts'

export const list = command({
  name: 'list',
  group: 'Environment',
  about: 'list the environments in the namespace, or the services of one',
  details: `
    Without an argument, it lists the environments with their status, the number of services and public addresses, and when and by whom they were last deployed.

    With the name of an environment, it lists its services with ready pods, state and reason, restarts, age and image.
  `,
  examples: [
    ['Environments of the namespace', '$0 list'],
    ['Services of one', '$0 list shop'],
    ['Names only', '$0 list -o name'],
  ],
  words: { environment: may('environment') },
  flags: { ...clusterFlags, timeout: readTimeout, output: output(listForms, 'text') },
  run: (given, call) =>
    inTarget(call, { reach: reachOf(given), use: 'Read', reading: given }, async ({ ports, signal, target }) => {
      const { listEnvironments, listServices } = await import('../../app/inspect/list.ts')
      const { showEnvironments, showServices } = await import('../view/list.ts')
      const { environment, output: form } = given
      return environment === undefined
        ? viewed(await listEnvironments(ports)(target), (found) => showEnvironments(form, found))
        : toldElsewhere(
            { signal, target },
            environment,
            viewed(await listServices(ports)(target, environment), (found) => showServices(form, found)),
          )
    }),
})
