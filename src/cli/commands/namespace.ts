import { command } from '../command.ts'
import { contextFlags, reachOf } from '../flags/cluster.ts'

export const namespace = command({
  name: 'namespace',
  group: 'Contexts',
  about: 'choose the namespace that commands work in, from a list',
  details: `
    It is remembered with the context. Where namespaces may not be listed, \`namespace use NAME\` does the same. A namespace is made with \`kubectl create namespace NAME\`.
  `,
  examples: [['Choose from a list', '$0 namespace']],
  words: {},
  flags: contextFlags,
  run: async (given, { env, interruption, ports }) => {
    const { useNamespace } = await import('../../app/context/namespaces.ts')
    return useNamespace(await ports())(undefined, reachOf(given), env, interruption())
  },
})
