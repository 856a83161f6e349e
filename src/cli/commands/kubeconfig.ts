import { command } from '../command.ts'
import { clusterFlags, reachOf } from '../flags/cluster.ts'
import { viewed } from '../view/view.ts'

export const kubeconfig = command({
  name: 'kubeconfig',
  group: 'Contexts',
  about: 'point kubectl at the same context and namespace',
  details: `
    Sets current-context, and the namespace of that context, in the kubeconfig and changes nothing else. No other command writes to the kubeconfig.

    A platform is added as a cluster, a user and a context named after its host. The file gets no token: kubectl runs \`devtool kubetoken\`, which asks the platform for one that ends within an hour.
  `,
  examples: [
    ['What devtool uses', '$0 kubeconfig'],
    ['Another namespace', '$0 kubeconfig --namespace shop'],
  ],
  words: {},
  flags: clusterFlags,
  run: async (given, { env, interruption, ports, program }) => {
    const { updateKubeconfig } = await import('../../app/context/namespaces.ts')
    const { showKubeconfigUpdate } = await import('../view/namespace.ts')
    const updated = await updateKubeconfig(await ports())(reachOf(given), env, program, interruption())
    return viewed(updated, showKubeconfigUpdate)
  },
})
