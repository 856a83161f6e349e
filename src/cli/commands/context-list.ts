import { command } from '../command.ts'
import { kubeconfig } from '../flags/cluster.ts'
import { listForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { viewed } from '../view/view.ts'

export const contextList = command({
  name: 'context list',
  group: 'Contexts',
  about: 'list the contexts of the kubeconfig and the stored ones',
  details: `
    The current context is marked with *. No cluster is contacted.
  `,
  examples: [
    ['As a table', '$0 context list'],
    ['Names only', '$0 context list -o name'],
  ],
  words: {},
  flags: { kubeconfig, output: output(listForms, 'text') },
  run: async (given, { env, ports }) => {
    const { listContexts } = await import('../../app/context/contexts.ts')
    const { showContexts } = await import('../view/context.ts')
    const listed = await listContexts(await ports())({ env, kubeconfig: given.kubeconfig })
    return viewed(listed, (list) => showContexts(given.output, list))
  },
})
