import { command } from '../command.ts'
import { kubeconfig } from '../flags/cluster.ts'
import { must } from '../flags/flag.ts'
import { viewed } from '../view/view.ts'

export const contextDelete = command({
  name: 'context delete',
  group: 'Contexts',
  about: 'delete the stored settings of a context, including its token',
  details: `
    The kubeconfig is not changed: a context that it contains can be selected again. The token that a login at a platform made is revoked, a token that you gave is not.
  `,
  examples: [['Delete a platform', '$0 context delete https://devtool.example.com']],
  words: { name: must('name', { offers: 'contexts' }) },
  flags: { kubeconfig },
  run: async (given, { env, interruption, ports }) => {
    const { deleteContext } = await import('../../app/context/delete-context.ts')
    const { showContextDeleted } = await import('../view/context.ts')
    const look = { env, kubeconfig: given.kubeconfig }
    const deleted = await deleteContext(await ports())(given.name, look, interruption())
    return viewed(deleted, showContextDeleted)
  },
})
