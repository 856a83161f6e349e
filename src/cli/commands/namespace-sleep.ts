import { defined } from '../../domain/object/defined.ts'
import { command } from '../command.ts'
import { clusterFlags, reachOf, yes } from '../flags/cluster.ts'
import { may } from '../flags/flag.ts'
import { dataForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { inTarget } from '../target.ts'
import { viewed } from '../view/view.ts'

export const namespaceSleep = command({
  name: 'namespace sleep',
  group: 'Contexts',
  about: 'stop everything that runs in a namespace, until it is woken',
  details: `
    Deployments and StatefulSets are scaled to zero, DaemonSets get no node, and CronJobs are suspended. Jobs that run are left to end, and volumes stay. The previous state is recorded in the namespace: \`devtool namespace wake\` restores it, and so do \`deploy\` and \`up\`. A namespace with a development container does not sleep. It asks before it stops what devtool has not deployed.
  `,
  examples: [
    ['The current namespace', '$0 namespace sleep'],
    ['Another one', '$0 namespace sleep shop'],
  ],
  words: { name: may('name', { offers: 'namespaces' }) },
  flags: { ...clusterFlags, yes, output: output(dataForms, 'text') },
  run: (given, call) => {
    const reach = { ...reachOf(given), ...defined({ namespace: given.name }) }
    return inTarget(call, { reach, use: 'Change' }, async ({ ports, signal, target }) => {
      const { sleepNamespace } = await import('../../app/sleep/sleep.ts')
      const { showSlept } = await import('../view/sleep.ts')
      return viewed(await sleepNamespace(ports)({ target, isYes: given.yes, signal }), (change) =>
        showSlept(given.output, change),
      )
    })
  },
})
