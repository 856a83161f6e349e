import { command } from '../command.ts'
import { clusterFlags } from '../flags/cluster.ts'
import { recordForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { viewed } from '../view/view.ts'

export const contextShow = command({
  name: 'context show',
  group: 'Contexts',
  about: 'print the context that commands use, as JSON',
  details: `
    Flags and variables count, as they do for other commands: it prints what those would use. A token is printed as a mark that stands for it. No cluster is asked.
  `,
  examples: [
    ['What would be used', '$0 context show'],
    ['Of another context, as YAML', '$0 context show --context staging -o yaml'],
  ],
  words: {},
  flags: { ...clusterFlags, output: output(recordForms, 'json') },
  run: async ({ context, kubeconfig, namespace, output: form }, { env, ports }) => {
    const { currentContext } = await import('../../app/context/contexts.ts')
    const { showContext } = await import('../view/context.ts')
    const found = await currentContext(await ports())({ env, context, kubeconfig, namespace })
    return viewed(found, (one) => showContext(form, one))
  },
})
