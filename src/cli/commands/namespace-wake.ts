import { defined } from '../../domain/object/defined.ts'
import { command } from '../command.ts'
import { clusterFlags, reachOf } from '../flags/cluster.ts'
import { may } from '../flags/flag.ts'
import { dataForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { inTarget } from '../target.ts'
import { viewed } from '../view/view.ts'

export const namespaceWake = command({
  name: 'namespace wake',
  group: 'Contexts',
  about: 'start again what `namespace sleep` has stopped',
  details: `
    Everything gets the number of replicas that it had. Services start in the order of \`depends_on\`: what others depend on is waited for, up to two minutes. What somebody else has scaled meanwhile is left as it is.
  `,
  examples: [
    ['The current namespace', '$0 namespace wake'],
    ['Another one', '$0 namespace wake shop'],
  ],
  words: { name: may('name', { offers: 'namespaces' }) },
  flags: { ...clusterFlags, output: output(dataForms, 'text') },
  run: (given, call) => {
    const reach = { ...reachOf(given), ...defined({ namespace: given.name }) }
    return inTarget(call, { reach, use: 'Restore' }, async ({ ports, signal, target }) => {
      const { wakeNamespace } = await import('../../app/sleep/sleep.ts')
      const { showWoken } = await import('../view/sleep.ts')
      return viewed(await wakeNamespace(ports)({ target, signal }), (change) => showWoken(given.output, change))
    })
  },
})
