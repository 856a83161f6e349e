import { checked, command } from '../command.ts'
import { fieldsOf, rememberedFlags } from '../flags/remembered.ts'

export const context = command({
  name: 'context',
  group: 'Contexts',
  about: 'choose the context that commands use, from a list',
  details: `
    A context is one of the kubeconfig, or the URL of a platform, with a namespace and what the cluster does not tell of itself: domain, registry, builder. The flags are remembered with it; an empty value forgets one.

    \`context use NAME\` does the same without a question. Contexts are kept in $HOME/.devtool, or in the folder that DEVTOOL_HOME names; the kubeconfig is not changed. DEVTOOL_CONTEXT, DEVTOOL_NAMESPACE and DEVTOOL_TOKEN win over what is kept, flags over both.
  `,
  examples: [
    ['Choose from a list', '$0 context'],
    ['Choose, and remember a domain', '$0 context --domain apps.example.com'],
  ],
  words: {},
  flags: rememberedFlags,
  run: (given, { env, ports }) =>
    checked(fieldsOf(given), async (fields) => {
      const { useContext } = await import('../../app/context/contexts.ts')
      return useContext(await ports())({ fields }, { env, kubeconfig: given.kubeconfig })
    }),
})
