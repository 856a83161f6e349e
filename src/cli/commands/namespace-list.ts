import { command } from '../command.ts'
import { contextFlags } from '../flags/cluster.ts'
import { listForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { teamOf } from '../team.ts'
import { viewed } from '../view/view.ts'

const only = {
  what: 'namespace list',
  instead: '`kubectl get namespaces` lists them, `devtool namespace` chooses one',
}

export const namespaceList = command({
  name: 'namespace list',
  group: 'Platform',
  about: 'list your namespaces on the platform',
  details: `
    The one that commands use is marked with *.
  `,
  examples: [
    ['As a table', '$0 namespace list'],
    ['Names only', '$0 namespace list -o name'],
  ],
  isSilent: true,
  words: {},
  flags: { ...contextFlags, output: output(listForms, 'text') },
  run: async (given, call) => {
    const { listNamespaces } = await import('../../app/namespaces/namespaces.ts')
    const { showNamespaces } = await import('../view/team.ts')
    const team = await teamOf(call, given, only)
    return viewed(await listNamespaces(team.ports)(team.call), (list) => showNamespaces(given.output, list))
  },
})
