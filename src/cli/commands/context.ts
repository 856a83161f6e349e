import { checked, command } from '../command.ts'
import { fieldsOf, rememberedFlags } from '../flags/remembered.ts'
import { viewed } from '../view/view.ts'

export const context = command({
  name: 'context',
  group: 'Contexts',
  about: 'select a context from a list',
  details: `
    A context is a context of the kubeconfig, or the URL of a platform, together with a namespace and settings such as domain, registry and builder. The flags are stored with the context; an empty value removes a setting.

    \`context use NAME\` does the same without asking. Contexts are stored in $HOME/.devtool, or in the folder set by DEVTOOL_HOME; the kubeconfig is not changed. DEVTOOL_CONTEXT, DEVTOOL_NAMESPACE and DEVTOOL_TOKEN take precedence over stored settings, flags over both.
  `,
  examples: [
    ['Select from a list', '$0 context'],
    ['Select a context, and store a domain with it', '$0 context --domain apps.example.com'],
  ],
  words: {},
  flags: rememberedFlags,
  run: (given, { env, interruption, ports }) =>
    checked(fieldsOf(given), async (fields) => {
      const { useContext } = await import('../../app/context/contexts.ts')
      const { showContextUsed } = await import('../view/context.ts')
      const look = { env, kubeconfig: given.kubeconfig }
      const used = await useContext(await ports())({ fields }, look, interruption())
      return viewed(used, showContextUsed)
    }),
})
