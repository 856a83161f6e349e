import { command } from '../command.ts'
import { contextFlags } from '../flags/cluster.ts'
import { must } from '../flags/flag.ts'
import { teamOf } from '../team.ts'
import { viewed } from '../view/view.ts'

const only = {
  what: 'namespace create',
  instead: 'create it with `kubectl create namespace NAME`, then `devtool namespace use NAME`',
}

export const namespaceCreate = command({
  name: 'namespace create',
  group: 'Platform',
  about: 'create a namespace on the platform, and select it',
  details: `
    You own it: you may add members and delete it. Its limits are those that administrators of the platform set.
  `,
  examples: [['A namespace', '$0 namespace create shop-ann']],
  words: { name: must('name') },
  flags: contextFlags,
  run: async (given, call) => {
    const { createNamespace } = await import('../../app/namespaces/namespaces.ts')
    const { showNamespaceCreated } = await import('../view/team.ts')
    const team = await teamOf(call, given, only)
    return viewed(await createNamespace(team.ports)(given.name, team.call), showNamespaceCreated)
  },
})
