/**
 * The container image of a release: built by the command itself on a slim Debian, and run in the cluster without root.
 * DEVTOOL_E2E_DEBIAN is what debian.sh wrote before, and DEVTOOL_E2E_IMAGE the folder `image` of a release; without them, both are
 * made here.
 */
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/command.ts'
import { pushImage } from '../../scripts/release/push.ts'
import { usualBase, writeImage } from '../../scripts/release/share.ts'
import { hostSingle } from '../../scripts/release/single.ts'
import { textAt } from '../../src/domain/cluster/json.ts'
import { startBuildkitd } from '../support/build/buildkitd.ts'
import { needPrograms } from '../support/build/programs.ts'
import { scenarios } from '../support/e2e/scenarios.ts'
import { until } from '../support/process/until.ts'

const { DEVTOOL_E2E_DEBIAN: debian, DEVTOOL_E2E_IMAGE: released, DEVTOOL_E2E_REGISTRY: registry = '' } = process.env
if (registry === '') {
  throw new Error('DEVTOOL_E2E_REGISTRY is not set: HOST:PORT of a registry that the nodes of the cluster pull from')
}
needPrograms()
const execute = promisify(execFile)
const daemon = await startBuildkitd({ registries: [registry], mirror: registry })
const image = `${registry}/devtool-ci:e2e-${Date.now().toString(36)}`

/** What a job of CI does first. */
const job = `
  test "$(id -u)" = 65532
  (cd /usr/local/share/doc/devtool && test -s LICENSE && test -s NOTICES.txt && test -s LICENSE.node)
  test -s /etc/debian_version
  test -s /etc/ssl/certs/ca-certificates.crt
  git init --quiet shop
  cd shop
  printf 'name: shop\\nservices: {web: {image: nginx}}\\n' >compose.yaml
  devtool version -o json
  devtool deploy --dry-run --golden manifests.yaml --update
  grep 'kind: Deployment' manifests.yaml
  devtool-ci goldens
`

const minutes = 60_000

/** Under the name that the release's Dockerfile has for it, from where the builder fetches images of Docker Hub. */
const pushBase = async (folder: string, env: NodeJS.ProcessEnv): Promise<void> => {
  mkdirSync(folder)
  const archive = join(folder, 'debian.tar')
  if (debian === undefined) await execute(join(root, 'test/e2e/debian.sh'), [archive], { timeout: 5 * minutes })
  else copyFileSync(debian, archive)
  writeFileSync(join(folder, 'Dockerfile'), 'FROM scratch\nADD debian.tar /\nCMD ["bash"]\n')
  const base = `${registry}/library/${usualBase}`
  const services = { debian: { image: base, build: '.' } }
  writeFileSync(join(folder, 'compose.yaml'), JSON.stringify({ name: 'debian', services }))
  pushImage(folder, base, env)
}

const test = suite('the container image')
test.after(() => daemon.end())

await scenarios(
  test,
  [
    {
      title: 'the image of a release is built by devtool, and runs a CI job without root',
      space: 'image',
      run: async ({ create, folder, get }) => {
        const env = { ...process.env, BUILDKIT_HOST: daemon.address }
        const context = released ?? join(folder, 'image')
        if (released === undefined) writeImage(context, await hostSingle())
        await pushBase(join(folder, 'base'), env)
        pushImage(context, image, env)
        const container = { name: 'job', image, command: ['sh', '-euc', job] }
        await create('Pod', {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'job' },
          spec: { restartPolicy: 'Never', securityContext: { runAsNonRoot: true }, containers: [container] },
        })
        const phase = async (): Promise<string | undefined> =>
          textAt((await get('Pod', 'job')) ?? {}, 'status', 'phase')
        await until('the job ends', async () => ['Succeeded', 'Failed'].includes((await phase()) ?? ''), 3 * minutes)
        assert.is(await phase(), 'Succeeded')
      },
    },
  ],
  1,
)

test.run()
