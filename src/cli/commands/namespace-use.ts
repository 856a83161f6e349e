import { command } from '../command.ts'
import { contextFlags, reachOf } from '../flags/cluster.ts'
import { must } from '../flags/flag.ts'
import { viewed } from '../view/view.ts'

export const namespaceUse = command({
  name: 'namespace use',
  group: 'Contexts',
  about: 'select the namespace that commands use',
  details: `
    The namespace is stored with the context. It must exist, which is checked unless the cluster cannot be reached.
  `,
  examples: [
    ['In the current context', '$0 namespace use shop'],
    ['In another context', '$0 namespace use shop --context staging'],
  ],
  words: { name: must('name', { offers: 'namespaces' }) },
  flags: contextFlags,
  run: async (given, { env, interruption, ports }) => {
    const { useNamespace } = await import('../../app/context/namespaces.ts')
    const { showNamespaceUsed } = await import('../view/namespace.ts')
    const used = await useNamespace(await ports())(given.name, reachOf(given), env, interruption())
    return viewed(used, showNamespaceUsed)
  },
})
