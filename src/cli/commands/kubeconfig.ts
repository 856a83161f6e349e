import { command } from '../command.ts'
import { clusterFlags, reachOf } from '../flags/cluster.ts'

export const kubeconfig = command({
  name: 'kubeconfig',
  group: 'Contexts',
  about: 'make kubectl use the same context and namespace',
  details: `
    Sets current-context, and the namespace of that context, in the kubeconfig; nothing else of it changes. This is the only command that writes there.
  `,
  examples: [
    ['What devtool uses', '$0 kubeconfig'],
    ['Another namespace', '$0 kubeconfig --namespace shop'],
  ],
  words: {},
  flags: clusterFlags,
  run: async (given, { env, ports }) => {
    const { updateKubeconfig } = await import('../../app/context/namespaces.ts')
    return updateKubeconfig(await ports())(reachOf(given), env)
  },
})
