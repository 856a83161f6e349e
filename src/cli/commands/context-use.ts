import { checked, command } from '../command.ts'
import { may } from '../flags/flag.ts'
import { fieldsOf, rememberedFlags } from '../flags/remembered.ts'
import { viewed } from '../view/view.ts'

export const contextUse = command({
  name: 'context use',
  group: 'Contexts',
  about: 'select the context that commands use',
  details: `
    The name is a context of the kubeconfig, or the URL of a platform. Without a name, it asks. The flags are stored with the context; an empty value removes a setting.

    At a platform it logs in with the browser: the page shows the same two words as the terminal. Where no browser can be opened, it shows an address and a code for a browser elsewhere. \`--token\` or DEVTOOL_TOKEN takes an API token instead. A certificate of an unknown authority is shown with its fingerprint, and trusted from then on if you confirm it. If you have access to several namespaces, it asks which one to use.
  `,
  examples: [
    ['A context of the kubeconfig', '$0 context use kind-dev'],
    ['With a namespace and a domain', '$0 context use staging --namespace shop --domain apps.example.com'],
    ['A platform, with the browser', '$0 context use https://devtool.example.com'],
    ['Remove the domain', '$0 context use staging --domain='],
  ],
  words: { name: may('name', { offers: 'contexts' }) },
  flags: rememberedFlags,
  run: (given, { env, interruption, ports }) =>
    checked(fieldsOf(given), async (fields) => {
      const { useContext } = await import('../../app/context/contexts.ts')
      const { showContextUsed } = await import('../view/context.ts')
      const look = { env, kubeconfig: given.kubeconfig }
      const used = await useContext(await ports())({ name: given.name, fields }, look, interruption())
      return viewed(used, showContextUsed)
    }),
})
