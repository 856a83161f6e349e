import { command } from '../command.ts'
import { clusterFlags } from '../flags/cluster.ts'
import { endpointForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { namingFlags } from '../flags/project.ts'
import { readTimeout } from '../flags/run.ts'
import { inEnvironment } from '../target.ts'
import { viewed } from '../view/view.ts'

export const endpoints = command({
  name: 'endpoints',
  group: 'Environment',
  about: 'list the public addresses of the environment and whether they respond',
  details: `
    Each address is requested once, for at most 3 seconds. Any HTTP response counts as an answer; otherwise the table shows the reason: the name does not resolve, the connection is refused, TLS fails, or the request times out. \`-o name\` makes no requests.
  `,
  examples: [
    ['The addresses of the environment of this folder', '$0 endpoints'],
    ['As Markdown, for a comment on a pull request', '$0 endpoints -o md'],
  ],
  words: {},
  flags: { ...namingFlags, ...clusterFlags, timeout: readTimeout, output: output(endpointForms, 'text') },
  run: (given, call) =>
    inEnvironment(
      call,
      given,
      async ({ environment, ports, target }) => {
        const { endpoints: ask, findEndpoints } = await import('../../app/inspect/endpoints.ts')
        const { showEndpoints, showUrls } = await import('../view/endpoints.ts')
        const { output: form } = given
        return form === 'name'
          ? viewed(await findEndpoints({ target, environment }), showUrls)
          : viewed(await ask(ports)({ target, environment }), (found) => showEndpoints(form, found))
      },
      given,
    ),
})
