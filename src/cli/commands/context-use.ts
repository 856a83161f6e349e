import { checked, command } from '../command.ts'
import { may } from '../flags/flag.ts'
import { fieldsOf, rememberedFlags } from '../flags/remembered.ts'
import { viewed } from '../view/view.ts'

export const contextUse = command({
  name: 'context use',
  group: 'Contexts',
  about: 'select the context that commands use',
  details: `
    The name is a context of the kubeconfig, or the URL of a platform, which needs a token. Without a name, it asks. The flags are stored with the context; an empty value removes a setting.
  `,
  examples: [
    ['A context of the kubeconfig', '$0 context use kind-dev'],
    ['With a namespace and a domain', '$0 context use staging --namespace shop --domain apps.example.com'],
    ['Remove the domain', '$0 context use staging --domain='],
  ],
  words: { name: may('name', { offers: 'contexts' }) },
  flags: rememberedFlags,
  run: (given, { env, ports }) =>
    checked(fieldsOf(given), async (fields) => {
      const { useContext } = await import('../../app/context/contexts.ts')
      const { showContextUsed } = await import('../view/context.ts')
      const used = await useContext(await ports())({ name: given.name, fields }, { env, kubeconfig: given.kubeconfig })
      return viewed(used, showContextUsed)
    }),
})
