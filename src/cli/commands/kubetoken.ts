import { defined } from '../../domain/object/defined.ts'
import { command } from '../command.ts'
import { context } from '../flags/cluster.ts'
import { viewed } from '../view/view.ts'

export const kubetoken = command({
  name: 'kubetoken',
  group: 'Contexts',
  about: 'print a token for kubectl, as its credential plugins do',
  details: `
    \`devtool kubeconfig\` writes this command into the kubeconfig of users of a platform, and kubectl runs it. The token ends with the login, and within an hour.
  `,
  examples: [['For kubectl', '$0 kubetoken --context https://devtool.example.com']],
  isSilent: true,
  words: {},
  flags: { context },
  run: async (given, { env, interruption, ports }) => {
    const { kubetoken: print } = await import('../../app/context/kubetoken.ts')
    const { showExecCredential } = await import('../view/team.ts')
    const reach = { ...defined({ context: given.context }), isYes: false }
    return viewed(await print(await ports())(reach, env, interruption()), showExecCredential)
  },
})
