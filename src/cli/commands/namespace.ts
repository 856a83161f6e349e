import { command } from '../command.ts'
import { contextFlags, reachOf } from '../flags/cluster.ts'
import { viewed } from '../view/view.ts'

export const namespace = command({
  name: 'namespace',
  group: 'Contexts',
  about: 'select a namespace from a list',
  details: `
    The namespace is stored with the context. If you may not list namespaces, use \`namespace use NAME\`. To create one, run \`kubectl create namespace NAME\`.
  `,
  examples: [['Select from a list', '$0 namespace']],
  words: {},
  flags: contextFlags,
  run: async (given, { env, interruption, ports }) => {
    const { useNamespace } = await import('../../app/context/namespaces.ts')
    const { showNamespaceUsed } = await import('../view/namespace.ts')
    const used = await useNamespace(await ports())(undefined, reachOf(given), env, interruption())
    return viewed(used, showNamespaceUsed)
  },
})
