/**
 * The README's chapter about images and the page of the examples, typed as they are. The builder, the registry and the namespace have names of this test,
 * and lines that ask a person get `--yes`.
 */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startBuildkitd } from '../support/build/buildkitd.ts'
import { needPrograms } from '../support/build/programs.ts'
import { blocksIn, docLines } from '../support/cli/doc-commands.ts'
import type { Lab, Space } from '../support/e2e/e2e.ts'
import { scenarios } from '../support/e2e/scenarios.ts'
import { shellIn } from '../support/e2e/typed.ts'

const { DEVTOOL_E2E_REGISTRY: registry = '' } = process.env
if (registry === '') {
  throw new Error('DEVTOOL_E2E_REGISTRY is not set: HOST:PORT of a registry that the nodes of the cluster pull from')
}
needPrograms()
const daemon = await startBuildkitd({ registries: [registry], mirror: registry })

const chapter = { page: 'README.md', heading: 'Images' }

/** Of this run: what an earlier one has pushed is not built again. */
const team = `${registry}/doc-${Date.now().toString(36)}`

const readImages = async (space: Space, { context }: Lab): Promise<void> => {
  cpSync(join(import.meta.dirname, '../../examples'), join(space.folder, 'examples'), { recursive: true })
  const shell = shellIn({ home: space.folder, context, env: { BUILDKIT_HOST: daemon.address } })
  const lines = docLines([chapter, { page: 'examples/README.md' }], {
    'kubectl create namespace notes': 'it is there',
    'devtool up web': 'test/e2e/dev-hot-reload does',
  })
  const adapted = (line: string): string =>
    lines
      .the(line)
      .replace('registry.example.com/team', team)
      .replace(/--namespace (notes|hot-reload)/, `--namespace ${space.namespace}`)
      .replace(/namespace vote/, `namespace ${space.namespace}-vote`)
      .replace(/^devtool deploy /, 'devtool deploy --yes ')

  await shell.must(`devtool context use staging --namespace ${space.namespace}`)
  shell.enter('examples')
  await shell.must(adapted('kubectl create namespace vote'))
  await shell.must(adapted('devtool deploy --namespace vote -f vote/compose.yaml --wait'))
  await shell.must(`kubectl delete namespace ${space.namespace}-vote --wait=false`)
  const notes = 'devtool deploy --registry registry.example.com/team --namespace notes -f notes/compose.yaml --wait'
  await shell.must(adapted(notes))
  await shell.must('devtool destroy --wait -f notes/compose.yaml')
  await shell.must(
    adapted('devtool deploy --namespace hot-reload -f hot-reload/compose.yaml --host-files=config --wait'),
  )
  await shell.must('devtool destroy --wait -f hot-reload/compose.yaml')
  shell.enter('notes')
  const deploy =
    'devtool deploy --namespace notes --registry registry.example.com/team --domain apps.example.com --wait'
  const first = await shell.must(adapted(deploy))
  assert.match(first.stdout, `https://notes-${space.namespace}.apps.example.com`)
  const second = await shell.must(adapted(deploy))
  assert.match(second.stderr, /web.*unchanged, the registry has it[^]*api.*unchanged, the registry has it/)
  await shell.must(adapted('devtool context use staging --registry registry.example.com/team'))
  assert.match((await shell.must(adapted('devtool build'))).stdout, '@sha256:')
  assert.match((await shell.must(adapted('devtool deploy --build'))).stderr, /web.*pushed/)

  shell.enter('web')
  const tag = 'devtool build -f Dockerfile --tag registry.example.com/team/web:1.0'
  assert.match((await shell.must(adapted(tag))).stdout, `${team}/web`)

  space.write('both/compose.yaml', 'services: { page: { build: . } }\n')
  space.write('both/.npmrc', 'token=1\n')
  space.write('both/Dockerfile', 'FROM scratch\nCOPY compose.yaml /\n')
  shell.enter('../../../both')
  const platforms =
    'devtool build --secret id=npm,src=.npmrc --platform linux/amd64,linux/arm64 --cache-from registry.example.com/team/cache'
  await shell.must(adapted(platforms))

  const shown = blocksIn(chapter.page, chapter.heading).find(
    ({ lines: [line] }) => line === '$ devtool build -f Dockerfile',
  )
  space.write('bad/Dockerfile', `FROM scratch\n${'# a comment\n'.repeat(5)}COPY nothere /\n`)
  shell.enter('../bad')
  const failed = await shell.type(adapted('devtool build -f Dockerfile'))
  assert.is(failed.status, 3, failed.stderr)
  for (const line of shown?.lines.slice(1) ?? []) assert.ok(failed.stderr.includes(line), `${line}\n${failed.stderr}`)
  assert.equal(lines.left(), [])
}

const test = suite('doc-images')
test.after(() => daemon.end())

await scenarios(test, [{ title: 'the chapter about images of the README', space: 'doc-images', run: readImages }])

test.run()
