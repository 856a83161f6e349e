/**
 * A builder in a pod, reached by a port-forward of the API server. In the pod stands only a relay: it leads back to a
 * BuildKit of this machine, which pods reach as $DEVTOOL_E2E_HOST.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startBuildkitd } from '../support/build/buildkitd.ts'
import { needPrograms } from '../support/build/programs.ts'
import { startDevtool } from '../support/e2e/command.ts'
import { scenarios } from '../support/e2e/scenarios.ts'

const { DEVTOOL_E2E_HOST: host = '', DEVTOOL_E2E_REGISTRY: registry = '', KUBECONFIG = '', PATH = '' } = process.env
if (host === '' || registry === '') {
  throw new Error('DEVTOOL_E2E_HOST (this machine, for pods) and DEVTOOL_E2E_REGISTRY have to be set')
}
needPrograms()
const daemon = await startBuildkitd({ registries: [registry], mirror: registry })

/** From all addresses of this machine to the builder, which listens on one. */
const relay = createServer((client) => {
  const builder = connect(daemon.port, '127.0.0.1')
  for (const socket of [client, builder]) {
    socket.on('error', () => {})
    socket.on('close', () => [client, builder].forEach((one) => one.destroy()))
  }
  client.pipe(builder).pipe(client)
})
relay.listen(0, '0.0.0.0')
await once(relay, 'listening')
const portOf = (address: AddressInfo | string | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0

const test = suite('a builder in a pod')
test.after(() => {
  relay.close()
  daemon.end()
})

await scenarios(
  test,
  [
    {
      title: 'an image is built, and pushed, through the API server',
      space: 'build-pod',
      run: async (space) => {
        const command = `nc -ll -p 1234 -e nc ${host} ${portOf(relay.address())}`
        space.write(
          'relay.yaml',
          `services:\n  relay:\n    image: busybox\n    command: ${command}\n    ports: [1234]\n`,
        )
        await space.must('deploy', '--file', 'relay.yaml', '--wait')
        const [pod] = await space.list('Pod', 'dev.devtool/service=relay')
        space.write('Dockerfile', 'FROM busybox\nCOPY page /page\nRUN grep -q many /page\n')
        space.write('page', 'many words\n'.repeat(100_000))
        const build = (name: string) => {
          const BUILDKIT_HOST = `kube-pod://${name}?namespace=${space.namespace}`
          const env = { PATH, HOME: space.folder, KUBECONFIG, NO_COLOR: '1', BUILDKIT_HOST }
          const image = `${registry}/e2e-pod:${space.namespace}`
          return startDevtool(['build', '-f', 'Dockerfile', '--tag', image], { cwd: space.folder, env }).ended
        }
        const { status, stderr, stdout } = await build(pod?.metadata.name ?? '')
        assert.is(status, 0, stderr)
        assert.match(stdout, /^\S+\/e2e-pod@sha256:[0-9a-f]{64}\n$/)
        const none = await build('none')
        assert.is(none.status, 8, none.stderr)
        assert.match(none.stderr, /DT4001: .*kube-pod:\/\/none.*not found/)
      },
    },
  ],
  1,
)

test.run()
