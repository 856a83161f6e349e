import { command } from '../command.ts'
import { kubeconfig } from '../flags/cluster.ts'
import { must } from '../flags/flag.ts'

export const contextDelete = command({
  name: 'context delete',
  group: 'Contexts',
  about: 'forget what is kept of a context, its token too',
  details: 'The kubeconfig is not changed: a context that it has can be chosen again.',
  examples: [['Forget a platform', '$0 context delete https://devtool.example.com']],
  words: { name: must('name', { offers: 'contexts' }) },
  flags: { kubeconfig },
  run: async (given, { env, ports }) => {
    const { deleteContext } = await import('../../app/context/contexts.ts')
    return deleteContext(await ports())(given.name, { env, kubeconfig: given.kubeconfig })
  },
})
