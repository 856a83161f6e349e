import { recordForms } from '../../app/output/forms.ts'
import { command } from '../command.ts'
import { clusterFlags } from '../flags/cluster.ts'
import { output } from '../flags/output.ts'

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
    const { showContext } = await import('../../app/context/contexts.ts')
    return showContext(await ports())({ env, context, kubeconfig, namespace }, form)
  },
})
