import { command } from '../command.ts'
import { contextFlags, reachOf } from '../flags/cluster.ts'
import { viewed } from '../view/view.ts'

export const namespace = command({
  name: 'namespace',
  group: 'Contexts',
  about: 'select a namespace from a list',
  details: `
    The namespace is stored with the context. If you may not list namespaces, use \`namespace use NAME\`. On a platform the list has your namespaces, and offers to create one; on a plain cluster, \`kubectl create namespace NAME\` does.
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
