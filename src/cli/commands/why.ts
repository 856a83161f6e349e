import { command } from '../command.ts'
import { clusterFlags } from '../flags/cluster.ts'
import { may } from '../flags/flag.ts'
import { dataForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { namingFlags } from '../flags/project.ts'
import { inEnvironment } from '../session.ts'
import { viewed } from '../view/view.ts'

export const why = command({
  name: 'why',
  group: 'Environment',
  about: 'tell what keeps the services of an environment from running',
  details: `
    Looks at the environment of this folder, or that of \`--name\`, and tells every cause that it finds: what others
    depend on first, each with what the cluster says of it, the last lines of the log, what to do, and the command that
    shows more. With a service it tells of that one and of what it depends on.

    The status is 0 when nothing is wrong, 1 when something is, 5 when there is no such environment. Nothing is changed,
    and what you are not allowed to read is left out.
  `,
  examples: [
    ['Tell what is wrong in the environment of this folder', '$0 why'],
    ['Tell why one service does not come up', '$0 why web'],
    ['The same for programs', '$0 why -o json'],
  ],
  words: { service: may('service', { offers: 'services' }) },
  flags: { ...namingFlags, ...clusterFlags, output: output(dataForms, 'text') },
  run: (given, call) =>
    inEnvironment(call, given, async ({ environment, ports, session }) => {
      const { why: diagnose } = await import('../../app/inspect/why.ts')
      const { output: form, service } = given
      const { showWhy } = await import('../view/why.ts')
      const found = await diagnose(ports)({ session, environment, ...(service === undefined ? {} : { service }) })
      return viewed(found, (told) => showWhy(form, told))
    }),
})
