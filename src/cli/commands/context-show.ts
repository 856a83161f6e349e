import { command } from '../command.ts'
import { clusterFlags } from '../flags/cluster.ts'
import { recordForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { viewed } from '../view/view.ts'

export const contextShow = command({
  name: 'context show',
  group: 'Contexts',
  about: 'show the context that commands use, as JSON',
  details: `
    Takes flags and environment variables into account, so it shows what other commands would use. The token is redacted. No cluster is contacted.
  `,
  examples: [
    ['The current context', '$0 context show'],
    ['Another context, as YAML', '$0 context show --context staging -o yaml'],
  ],
  isSilent: true,
  words: {},
  flags: { ...clusterFlags, output: output(recordForms, 'json') },
  run: async ({ context, kubeconfig, namespace, output: form }, { env, ports }) => {
    const { currentContext } = await import('../../app/context/contexts.ts')
    const { showContext } = await import('../view/context.ts')
    const found = await currentContext(await ports())({ env, context, kubeconfig, namespace })
    return viewed(found, (one) => showContext(form, one))
  },
})
