import { defined } from '../../domain/object/defined.ts'
import { command } from '../command.ts'
import { clusterFlags } from '../flags/cluster.ts'
import { may } from '../flags/flag.ts'
import { dataForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { namingFlags } from '../flags/project.ts'
import { readTimeout } from '../flags/run.ts'
import { inEnvironment } from '../target.ts'
import { viewed } from '../view/view.ts'

export const why = command({
  name: 'why',
  group: 'Environment',
  about: 'show why services are not running',
  details: `
    Examines the environment of this folder, or that of \`--name\`, and shows every cause it finds, starting with those that others depend on: what the cluster reports, the last log lines, how to fix it, and the command that shows more. With a service, it only examines that service and its dependencies.

    The exit status is 0 if nothing is wrong, 1 if something is, and 5 if there is no such environment. Nothing is changed, and what you may not read is skipped.
  `,
  examples: [
    ['Show what is wrong in the environment of this folder', '$0 why'],
    ['Show why one service is not running', '$0 why web'],
    ['The same as JSON', '$0 why -o json'],
  ],
  words: { service: may('service', { offers: 'services' }) },
  flags: { ...namingFlags, ...clusterFlags, timeout: readTimeout, output: output(dataForms, 'text') },
  run: (given, call) =>
    inEnvironment(
      call,
      given,
      async ({ environment, ports, target }) => {
        const { why: diagnose } = await import('../../app/inspect/why.ts')
        const { output: form, service } = given
        const { showWhy } = await import('../view/why.ts')
        const found = await diagnose(ports)({ target, environment, ...defined({ service }) })
        return viewed(found, (told) => showWhy(form, told, call.complete))
      },
      given,
    ),
})
