import * as C from '../../domain/checked.ts'
import { checked, command } from '../command.ts'
import { clusterFlags } from '../flags/cluster.ts'
import { flag, may } from '../flags/flag.ts'
import { dataForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { namingFlags } from '../flags/project.ts'
import { deploymentNumber } from '../flags/read.ts'
import { inEnvironment } from '../target.ts'
import { viewed } from '../view/view.ts'

export const history = command({
  name: 'history',
  group: 'Environment',
  about: 'list the last deployments of the environment, or show what one applied',
  details: `
    Lists the last ten deployments, the newest first: how they ended, what they changed, who deployed which commit, and whether \`rollback\` can go back to them.

    With a number, it prints the manifests that this deployment applied. Secrets are left out unless \`--show-secrets\` is given. What commands of a manifest and dependencies did is not part of it.
  `,
  examples: [
    ['The deployments of the environment of this folder', '$0 history'],
    ['What deployment 3 applied', '$0 history 3 -o yaml'],
    ['Compare it with what is there', '$0 history 3 -o yaml | kubectl diff -f -'],
  ],
  words: { number: may('number') },
  flags: {
    ...namingFlags,
    ...clusterFlags,
    output: output(dataForms, 'text'),
    showSecrets: flag('--show-secrets', 'with a number: print Secrets with their values'),
  },
  run: (given, call) =>
    checked(C.struct({ number: deploymentNumber(given.number) }), async ({ number }) => {
      if (number === undefined) await call.sayUnused(['showSecrets'], 'without a number')
      return inEnvironment(
        call,
        given,
        async ({ environment, ports, signal, target }) => {
          const { findDeployment, listHistory } = await import('../../app/inspect/history.ts')
          const { showHistory, showPast } = await import('../view/history.ts')
          const { output: form, showSecrets } = given
          const wanted = { target, environment, signal }
          return number === undefined
            ? viewed(await listHistory(wanted), (list) => showHistory(form, list, ports.clock.date()))
            : viewed(await findDeployment(wanted, number), (past) => showPast(form, past, showSecrets))
        },
        { timeout: undefined },
      )
    }),
})
