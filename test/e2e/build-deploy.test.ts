/**
 * A deploy that builds: the example with two Dockerfiles, then a change to one of its files. The builder and the cluster
 * both reach the registry in $DEVTOOL_E2E_REGISTRY, which has a `busybox` in place of that of Docker Hub.
 */
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { textAt } from '../../src/domain/cluster/json.ts'
import { startBuildkitd } from '../support/build/buildkitd.ts'
import { needPrograms } from '../support/build/programs.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { visit } from '../support/e2e/http.ts'
import { scenarios } from '../support/e2e/scenarios.ts'
import { sleeping } from '../support/e2e/sleeping.ts'

const { DEVTOOL_E2E_REGISTRY: registry = '' } = process.env
if (registry === '') {
  throw new Error('DEVTOOL_E2E_REGISTRY is not set: HOST:PORT of a registry that the nodes of the cluster pull from')
}
needPrograms()
const daemon = await startBuildkitd({ registries: [registry], mirror: registry })
/** Of this run: what an earlier one has pushed is not built again. */
const prefix = `${registry}/e2e-${Date.now().toString(36)}`
const example = join(import.meta.dirname, '../../examples/notes')

/** How many builds the builder has done. */
const builds = async (): Promise<number> => {
  const { status, stderr, stdout } = await daemon.buildctl('debug', 'histories')
  assert.is(status, 0, stderr)
  return stdout.match(/^COMPLETE\s/gm)?.length ?? 0
}

/** `UID image` of the pods of a service that stay. */
const pods = async ({ list }: Space, service: string): Promise<ReadonlyArray<string>> => {
  const found = await list('Pod', `dev.devtool/service=${service}`)
  return found
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map((pod) => `${pod.metadata.uid} ${textAt(pod, 'spec', 'containers', 0, 'image')}`)
}

const deploy = (space: Space, ...more: ReadonlyArray<string>) =>
  space.must('deploy', '--registry', prefix, '--wait', '--timeout', '10m', ...more)

const test = suite('deploy --build')
test.after(() => daemon.end())

// One after the other, since builds are counted.
await scenarios(
  test,
  [
    {
      title:
        'two images are built, pushed and deployed; after a change only one is, and only its workload is restarted',
      space: 'build',
      options: { env: { BUILDKIT_HOST: daemon.address } },
      run: async (space) => {
        cpSync(example, space.folder, { recursive: true })
        await deploy(space, '--build')
        assert.is(await builds(), 2)
        const host = `notes-${space.namespace}.localhost`
        assert.match(await visit(space, host), '<h1>My notes</h1>')
        await visit(space, host, { path: '/cgi-bin/notes', form: 'note=milk' })
        const first = { web: await pods(space, 'web'), api: await pods(space, 'api') }
        for (const service of ['web', 'api'] as const) {
          assert.is(first[service].length, 1)
          assert.match(first[service].join(), new RegExp(`${prefix}/notes-${service}(:\\w+)?@sha256:\\w{64}`))
        }

        space.write('web/index.html', readFileSync(join(example, 'web/index.html'), 'utf8').replace('Keep', 'Remember'))
        await deploy(space)
        assert.is(await builds(), 3, 'only what changed is built')
        assert.match(await visit(space, host, {}, (body) => body.includes('Remember')), '<h1>My notes</h1>')
        const second = { web: await pods(space, 'web'), api: await pods(space, 'api') }
        assert.equal(second.api, first.api, 'the other workload stays')
        assert.is.not(second.web.join(), first.web.join())
        assert.match(await visit(space, host, { path: '/cgi-bin/notes' }), 'milk')

        await deploy(space, '--build')
        assert.is(await builds(), 5, 'with --build all are built')
        assert.equal({ web: await pods(space, 'web'), api: await pods(space, 'api') }, second, 'the same images')
      },
    },
    {
      title: 'a development container runs an image that the manifest builds',
      space: 'build-up',
      options: { env: { BUILDKIT_HOST: daemon.address, DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } },
      run: async (space) => {
        space.write('Dockerfile', 'FROM busybox\nRUN echo tools >/built\n')
        space.write(
          'devtool.yml',
          `build:\n  tools: { image: "${prefix}/tools:1" }\ndev:\n  api: { image: "\${DEVTOOL_BUILD_TOOLS_IMAGE}" }\n`,
        )
        await space.create('Deployment', sleeping({ replicas: 1 }))
        const up = await space.run('up', '--yes', '--command', 'cat /built')
        assert.equal([up.status, up.stdout], [0, 'tools\n'], up.stderr)
        await space.must('down')
      },
    },
    {
      title: 'up builds and deploys a service that is missing',
      space: 'build-missing',
      options: { env: { BUILDKIT_HOST: daemon.address, DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } },
      run: async (space) => {
        space.write('Dockerfile', 'FROM busybox\nRUN echo fresh >/built\nCMD ["sleep", "3600"]\n')
        space.write(
          'compose.yml',
          `services:\n  api: { build: ., image: "${prefix}/missing:1", stop_grace_period: 0s }\n`,
        )
        const before = await builds()
        const up = await space.run('up', 'api', '--yes', '--command', 'cat /built')
        assert.equal([up.status, up.stdout], [0, 'fresh\n'], up.stderr)
        assert.is(await builds(), before + 1)
        await space.must('up', 'api', '--yes', '--command', 'true')
        assert.is(await builds(), before + 1, 'nothing is missing any more')
        await space.must('down')
      },
    },
    {
      title: 'a build that fails deploys nothing',
      space: 'build-fails',
      options: { env: { BUILDKIT_HOST: daemon.address } },
      run: async (space) => {
        cpSync(example, space.folder, { recursive: true })
        space.write('api/Dockerfile', 'FROM busybox\nRUN echo no luck; exit 9\n')
        const { status, stderr, stdout } = await space.run('deploy', '--build', '--registry', prefix)
        assert.is(status, 1, stderr)
        assert.match(stderr, /DT4006[^]*Dockerfile:2\b/)
        assert.is(stdout, '')
        for (const kind of ['Deployment', 'StatefulSet', 'Service'] as const) assert.equal(await space.list(kind), [])
      },
    },
  ],
  1,
)

test.run()
