import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ProjectOptions } from '../../../src/app/project/choose.ts'
import type { Translation } from '../../../src/app/project/translation.ts'
import type { Manifest } from '../../../src/domain/manifest/model.ts'
import { type Files, objectsOf, translateFiles } from '../../support/compose/project.ts'

const read = (text: string, wanted: Partial<ProjectOptions> = {}, files: Files = {}): Translation =>
  translateFiles({ 'devtool.yml': text, ...files }, wanted)

const manifestOf = (text: string, wanted: Partial<ProjectOptions> = {}, files: Files = {}): Manifest => {
  const { findings, manifest } = read(text, wanted, files)
  assert.ok(manifest, JSON.stringify(findings, undefined, 1))
  return manifest
}

const codesOf = ({ findings }: Translation): ReadonlyArray<string> => findings.map(({ code }) => code)
const namesOf = (translation: Translation): ReadonlyArray<string> =>
  objectsOf(translation).map(({ kind, metadata }) => `${kind}/${metadata.name}`)

const commands = (text: string): ReadonlyArray<readonly [string, string]> =>
  manifestOf(text).deploy.commands.map(({ command, name }) => [name, command])

test('all notations of commands mean the same', () => {
  const expected = [['make all', 'make all']]
  for (const text of [
    'deploy: [make all]',
    'deploy: [{command: make all}]',
    'deploy: {commands: [make all]}',
    'deploy: {commands: [{name: make all, command: make all}]}',
  ]) {
    assert.equal(commands(text), expected, text)
  }
  for (const text of ['destroy: [make all]', 'destroy: {commands: [{command: make all}]}']) {
    assert.equal(
      manifestOf(text).destroy.map(({ command, name }) => [name, command]),
      expected,
      text,
    )
  }
})

test('a command of several lines is named by its first', () => {
  assert.equal(commands('deploy:\n  - |\n    # one\n    two\n'), [['# one', '# one\ntwo\n']])
})

test('all notations of compose name the same file', () => {
  const compose = { 'c.yaml': 'services: {web: {image: nginx}}' }
  for (const text of [
    'deploy: {compose: c.yaml}',
    'deploy: {compose: [c.yaml]}',
    'deploy: {compose: {file: c.yaml}}',
    'deploy: {compose: [{file: ./c.yaml}]}',
    'deploy: {compose: {manifest: c.yaml}}',
    'deploy: {compose: {manifest: [{file: c.yaml}]}}',
    'deploy: {compose: {file: c.yaml, services: web}}',
    'deploy: {compose: {file: c.yaml, services: [web]}}',
  ]) {
    const translation = read(text, {}, compose)
    assert.equal(
      translation.manifest?.deploy.compose.map(({ file }) => file),
      ['c.yaml'],
      text,
    )
    assert.equal(namesOf(translation), ['Deployment/web', 'Service/web'], text)
  }
})

test('limiting the services of one file keeps those of other files and of the manifest', () => {
  const translation = read(
    'deploy: {compose: [{file: a.yaml, services: [one]}, b.yaml]}\nservices: {own: {image: x}}',
    {},
    {
      'a.yaml': 'services: {one: {image: x}, two: {image: x}}',
      'b.yaml': 'services: {three: {image: x}, four: {image: x, profiles: [more]}}',
    },
  )
  assert.equal(
    namesOf(translation).filter((name) => name.startsWith('Deployment')),
    ['Deployment/one', 'Deployment/three', 'Deployment/own'],
  )
})

test('services named on the command line take precedence over those of the manifest', () => {
  const files = { 'a.yaml': 'services: {one: {image: x}, two: {image: x}}' }
  const translation = read('deploy: {compose: {file: a.yaml, services: one}}', { services: ['two'] }, files)
  assert.equal(namesOf(translation)[0], 'Deployment/two')
})

test('the environment is named by --name, then by the manifest, then by its Compose file', () => {
  const files = { 'a.yaml': 'name: from-compose\nservices: {one: {image: x}}' }
  const environment = (translation: Translation): string | undefined =>
    objectsOf(translation)[0]?.metadata.labels?.get('dev.devtool/environment')
  assert.is(environment(read('name: own\ndeploy: {compose: a.yaml}', { name: 'given' }, files)), 'given')
  assert.is(environment(read('name: own\ndeploy: {compose: a.yaml}', {}, files)), 'own')
  assert.is(environment(read('deploy: {compose: a.yaml}', {}, files)), 'from-compose')
  assert.is(read('deploy: [make]').isGuessed, true)
  assert.is(read('name: own\ndeploy: [make]').isGuessed, false)
})

test('a manifest without services has an empty plan', () => {
  const translation = read('deploy: [make]')
  assert.equal(translation.findings, [])
  assert.equal(translation.plan?.actions, [])
})

test('services disabled by profiles are not an error in a manifest with commands', () => {
  const translation = read('deploy: [make]\nservices: {debug: {image: x, profiles: [debug]}}')
  assert.equal(codesOf(translation), [])
  assert.equal(translation.switchedOff, ['debug'])
})

test('variables are replaced everywhere but in commands', () => {
  const shell = new Map([['A', 'b']])
  const { deploy, destroy, dev } = manifestOf(
    `
deploy:
  - name: $A
    command: $A \${B:?} $$
destroy: {commands: [$A]}
dev:
  api: {command: $A, args: [$A], container: $A, lifecycle: {postStart: {command: $A}}, services: [{name: w, command: [$A]}]}
`,
    { shell },
  )
  assert.equal(
    deploy.commands.map(({ command, name }) => [name, command]),
    [['b', '$A ${B:?} $$']],
  )
  assert.equal(
    destroy.map(({ command }) => command),
    ['$A'],
  )
  const [api] = dev
  assert.equal(api?.command?.value, { _tag: 'Shell', text: '$A' })
  assert.equal(api?.args?.value, { _tag: 'Words', words: ['$A'] })
  assert.equal(api?.container?.value, 'b')
  assert.equal(api?.lifecycle.postStart.command?.value, { _tag: 'Shell', text: '$A' })
  assert.equal(api?.services[0]?.command?.value, { _tag: 'Words', words: ['$A'] })
})

test('a variable that is not set is warned about, unless a deploy sets it', () => {
  assert.equal(codesOf(read('dev: {api: {image: "$NOBODY/x"}}')), ['DT1011'])
  const late = read('dev: {api: {image: "${DEVTOOL_BUILD_API_IMAGE}"}}')
  assert.equal(codesOf(late), [])
  assert.is(late.manifest?.dev[0]?.image?.value, '${DEVTOOL_BUILD_API_IMAGE}')
})

const built = `built@sha256:${'a'.repeat(64)}`

test('a variable of a build is the name of the image until it is built', () => {
  const image = (build: string, wanted: Partial<ProjectOptions> = {}): string => {
    const [object] = objectsOf(
      read(`build: ${build}\nservices: {a: {image: "\${DEVTOOL_BUILD_MY_API_IMAGE}"}}`, wanted),
    )
    return object?.kind === 'Deployment' ? (object.spec.template.spec.containers[0]?.image ?? '') : ''
  }
  assert.is(image('{my-api: .}'), 'shop-my-api:dev')
  assert.is(image('{my-api: .}', { settings: { registry: 'r.example.com/x' } }), 'r.example.com/x/shop-my-api:dev')
  assert.is(image('{my-api: {image: "r.example.com/api:1"}}'), 'r.example.com/api:1')
  assert.is(image('{my-api: .}', { given: new Map([['DEVTOOL_BUILD_MY_API_IMAGE', built]]) }), built)
})

test('paths of a manifest in .devtool are relative to its parent folder', () => {
  const { manifest } = translateFiles({
    '.devtool/devtool.yml': 'build: {api: api}\ndeploy: {compose: compose.yaml}\ndev: {api: {sync: ["src:/src"]}}',
    'compose.yaml': 'services: {web: {image: nginx}}',
  })
  assert.is(manifest?.build[0]?.context.value, 'api')
  assert.is(manifest?.deploy.compose[0]?.file, 'compose.yaml')
  assert.is(manifest?.dev[0]?.folders[0]?.local, 'src')
})

test('the folders of a development container come from sync, workdir, or the whole project', () => {
  const folders = (container: string): ReadonlyArray<string> =>
    (manifestOf(`dev: {api: ${container}}`).dev[0]?.folders ?? []).map(({ local, remote }) => `${local}:${remote}`)
  assert.equal(folders('{}'), ['.:/devtool'])
  assert.equal(folders('{workdir: /app}'), ['.:/app'])
  assert.equal(folders('{workdir: /app, sync: ["a:/b"]}'), ['a:/b'])
  assert.equal(folders('{sync: ["C:\\\\src:/b"]}'), ['C:/src:/b'])
  assert.equal(folders('{mode: hybrid}'), [])
})

test('repositories that are fetched without encryption are a warning', () => {
  const codes = (repository: string) => codesOf(read(`dependencies: {lib: "${repository}"}`))
  for (const repository of ['http://git.test/team/lib', 'git://git.test/team/lib', 'HTTP://ann@git.test/lib']) {
    assert.equal(codes(repository), ['DT3171'], repository)
  }
  for (const repository of [
    'https://git.test/team/lib',
    'git@git.test:lib',
    'ssh://git@git.test/lib',
    'http://localhost:80/lib',
  ]) {
    assert.equal(codes(repository), [], repository)
  }
})

test('build dependencies must not form a cycle', () => {
  assert.equal(codesOf(read('build: {a: {depends_on: b}, b: {depends_on: [c]}, c: {}}')), [])
  assert.equal(codesOf(read('build: {a: {depends_on: a}}')), ['DT1503'])
  assert.equal(
    codesOf(read('build: {a: {depends_on: b}, b: {depends_on: a}, c: {depends_on: c}, d: {depends_on: a}}')),
    ['DT1503', 'DT1503'],
  )
})

test('a Compose file beside a manifest is merged over it', () => {
  const translation = translateFiles(
    {
      'devtool.yml': 'deploy: [make]\nservices: {web: {image: nginx}}',
      'more.yaml': 'services: {web: {image: httpd}, db: {image: postgres}}',
    },
    { files: ['devtool.yml', 'more.yaml'] },
  )
  assert.equal(namesOf(translation), ['Deployment/web', 'Service/web', 'Deployment/db', 'Service/db'])
})

test('a chart and manifests are deployed by one command', () => {
  const command = (...files: ReadonlyArray<string>): string | undefined =>
    translateFiles(Object.fromEntries(files.map((file) => [file, '']))).manifest?.deploy.commands[0]?.command
  assert.is(command('chart/Chart.yaml'), 'helm upgrade --install "$DEVTOOL_NAME" chart')
  assert.is(command('helm/charts/Chart.yaml'), 'helm upgrade --install "$DEVTOOL_NAME" helm/charts')
  assert.is(command('k8s/kustomization.yml'), 'kubectl apply -k k8s')
})

test('nothing of an invalid manifest is executed', () => {
  const { manifest, plan } = read('deploy: [make, {name: nothing}]')
  assert.is(manifest, undefined)
  assert.is(plan, undefined)
})

test('a manifest is returned if only its Compose file is invalid', () => {
  const { manifest, plan } = read('deploy: {compose: a.yaml}\ndestroy: [make]', {}, { 'a.yaml': 'services: {a: {}}' })
  assert.is(plan, undefined)
  assert.is(manifest?.destroy[0]?.command, 'make')
})

test.run()
