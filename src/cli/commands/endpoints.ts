import { command } from '../command.ts'
import { clusterFlags } from '../flags/cluster.ts'
import { endpointForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { namingFlags } from '../flags/project.ts'
import { inEnvironment } from '../session.ts'
import { viewed } from '../view/view.ts'

export const endpoints = command({
  name: 'endpoints',
  group: 'Environment',
  about: 'list the public addresses of the environment, each with whether it answers',
  details: `
    Each address is asked once, for at most 3 seconds. Whatever it answers, it answers; else the table says why not: the name has no address, nobody listens there, TLS failed, or nobody answered in time. \`-o name\` asks none.
  `,
  examples: [
    ['Addresses of the environment of this folder', '$0 endpoints'],
    ['For a comment on a merge request', '$0 endpoints -o md'],
  ],
  words: {},
  flags: { ...namingFlags, ...clusterFlags, output: output(endpointForms, 'text') },
  run: (given, call) =>
    inEnvironment(call, given, async ({ environment, ports, session }) => {
      const { endpoints: ask, findEndpoints } = await import('../../app/inspect/endpoints.ts')
      const { showEndpoints, showUrls } = await import('../view/endpoints.ts')
      const { output: form } = given
      return form === 'name'
        ? viewed(await findEndpoints({ session, environment }), showUrls)
        : viewed(await ask(ports)({ session, environment }), (found) => showEndpoints(form, found))
    }),
})
