import { command } from '../command.ts'
import { clusterFlags, reachOf } from '../flags/cluster.ts'
import { viewed } from '../view/view.ts'

export const kubeconfig = command({
  name: 'kubeconfig',
  group: 'Contexts',
  about: 'point kubectl at the same context and namespace',
  details: `
    Sets current-context, and the namespace of that context, in the kubeconfig and changes nothing else. No other command writes to the kubeconfig.
  `,
  examples: [
    ['What devtool uses', '$0 kubeconfig'],
    ['Another namespace', '$0 kubeconfig --namespace shop'],
  ],
  words: {},
  flags: clusterFlags,
  run: async (given, { env, ports }) => {
    const { updateKubeconfig } = await import('../../app/context/namespaces.ts')
    const { showKubeconfigUpdate } = await import('../view/namespace.ts')
    return viewed(await updateKubeconfig(await ports())(reachOf(given), env), showKubeconfigUpdate)
  },
})
