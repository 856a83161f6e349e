import { readForwardPorts } from '../../domain/forward/ports.ts'
import { checked, command } from '../command.ts'
import { clusterFlags } from '../flags/cluster.ts'
import { must, rest } from '../flags/flag.ts'
import { dataForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { namingFlags } from '../flags/project.ts'
import { inEnvironment } from '../target.ts'
import { viewed } from '../view/view.ts'

export const forward = command({
  name: 'forward',
  group: 'Environment',
  about: 'make private ports of a service available on this machine',
  details: `
    Listens on 127.0.0.1 and passes TCP connections on to a pod of the service, until Ctrl-C. A port is written PORT or LOCAL:PORT. PORT is one of the service; other ports of its pods can be given as well. The local port is the same unless LOCAL is given; \`:PORT\` takes any free one.

    Each connection goes to a pod that is ready, if there is one. After a rollout or a restart, new connections reach the new pod; while there is none, they wait for up to 30 seconds. Connections to a pod that ends are closed.
  `,
  examples: [
    ['The database of the environment of this folder', '$0 forward db 5432'],
    ['On another local port, and a second one', '$0 forward web 8080:80 9229'],
    ['On any free port, as JSON', '$0 forward db :5432 -o json'],
  ],
  words: { service: must('service', { offers: 'services' }), ports: rest('port') },
  flags: { ...namingFlags, ...clusterFlags, output: output(dataForms, 'text') },
  run: (given, call) =>
    checked(readForwardPorts(given.ports), (ports) =>
      inEnvironment(call, given, async ({ environment, ports: world, signal, target }) => {
        const { forward: run } = await import('../../app/forward/forward.ts')
        const { showForwards } = await import('../view/forward.ts')
        const { output: form, service } = given
        const opened = (list: Parameters<typeof showForwards>[1]) => call.stdout(showForwards(form, list))
        return viewed(await run(world)({ target, environment, service, ports, signal, opened }), () => ({}))
      }),
    ),
})
