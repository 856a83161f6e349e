import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { init } from '../../../src/app/project/init.ts'
import { validate } from '../../../src/app/project/validate.ts'
import { commandNames } from '../../../src/cli/registry.ts'
import { error } from '../../../src/domain/diagnostic/diagnostic.ts'
import { languageOf } from '../../../src/domain/init/languages.ts'
import { type Entry, memoryFiles, text } from '../../memory/files.ts'
import { memoryFolders } from '../../memory/folders.ts'
import { diskOf } from '../../support/cli/cli.ts'
import { corpus } from '../../support/compose/corpus.ts'

const portsOf = (disk: Map<string, Entry>) => {
  const files = memoryFiles(disk)
  const nobody = TE.left(error('DT2101', 'there is no terminal'))
  const prompt = { confirm: () => nobody, choose: () => nobody, ask: () => nobody }
  return { files, writer: files, folders: memoryFolders(disk), prompt }
}

const guesses = {
  cwd: '/home/dev/My_Shop',
  file: 'devtool.yml',
  isReplacing: false,
  isDevOnly: false,
  isAsking: true,
}

const written = (disk: ReadonlyMap<string, Entry>, file = 'devtool.yml'): string => {
  const entry = disk.get(file)
  return entry?._tag === 'File' ? new TextDecoder().decode(entry.bytes) : ''
}

/** Codes of what `validate` finds wrong with the manifest that was written. */
const mistakes = async (disk: Map<string, Entry>): Promise<ReadonlyArray<string>> => {
  const wanted = {
    cwd: '/home/dev/shop',
    files: ['devtool.yml'],
    given: new Map(),
    shell: new Map(),
    separator: ':',
    services: [],
    settings: {},
    isConfined: false,
    isStrict: false,
  }
  const { findings } = await validate(portsOf(disk))({ wanted, reports: [], version: '1' })
  return findings.filter(({ severity }) => severity === 'error').map((d) => `${d.code} ${d.message} ${d.at?.file}`)
}

const folders: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  nothing: {},
  'a Compose file with a folder': {
    'compose.yaml': 'services:\n  my_web:\n    build: ./web\n    ports: ["80:3000"]\n  db:\n    image: postgres\n',
    'web/package.json': '{}',
    'web/Dockerfile': 'FROM node\nEXPOSE 3000',
  },
  'Dockerfiles here and below': {
    Dockerfile: 'FROM python\nEXPOSE 80 8000 5678',
    'main.py': '',
    'worker/Dockerfile.dev': 'FROM golang',
    'worker/go.mod': '',
    'worker/Dockerfile.dockerignore': '',
    'node_modules/x/Dockerfile': 'FROM x',
  },
  'a chart': { 'helm/chart/Chart.yaml': 'name: x' },
  'a kustomization': { 'k8s/kustomization.yaml': 'resources: []' },
  'manifests and a Dockerfile': { 'manifests/a.yaml': 'kind: Pod', Dockerfile: 'FROM x' },
}

for (const [name, files] of Object.entries(folders)) {
  for (const isDevOnly of [false, true]) {
    test(`init in a folder with ${name} writes a valid manifest${isDevOnly ? ' (-v1)' : ''}`, async () => {
      const disk = diskOf(files)
      const { findings } = await init(portsOf(disk))({ ...guesses, isDevOnly })
      assert.equal(findings, [])
      const named = [...written(disk).matchAll(/`devtool ([a-z]+)/g)].map(([, command]) => command)
      assert.ok(named.includes('schema'))
      assert.equal(
        named.filter((command) => !commandNames.includes(command ?? '')),
        [],
      )
      assert.not.match(written(disk), 'https://')
      assert.equal(await mistakes(disk), [])
    })
  }
}

for (const { files, name } of corpus) {
  test(`init in ${name} writes a valid manifest`, async () => {
    const bytes = Object.entries(files).map(([path, content]): readonly [string, Entry] => [
      path,
      typeof content === 'string' ? text(content) : { _tag: 'File', bytes: content },
    ])
    const disk = new Map(bytes)
    const { findings } = await init(portsOf(disk))(guesses)
    assert.equal(findings, [])
    assert.match(written(disk), /\ndeploy:\n {2}compose: compose\.ya?ml\n/)
    assert.equal(await mistakes(disk), [])
  })
}

/** What the manifest says about starting a program that is built from a folder with these files. */
const startOf = async (files: Readonly<Record<string, string>>): Promise<string | undefined> => {
  const disk = diskOf({ 'compose.yaml': 'services: {web: {build: ./web}}', ...files })
  await init(portsOf(disk))(guesses)
  return /^# (?:Start|Prepare) .*$/m.exec(written(disk))?.[0]
}

const starts: ReadonlyArray<
  readonly [title: string, files: Readonly<Record<string, string>>, shown: string | undefined]
> = [
  [
    'a script start',
    { 'package.json': '{"scripts":{"start":"x"}}' },
    'Start web there with: npm install, then npm start',
  ],
  [
    'a script dev',
    { 'package.json': '{"scripts":{"dev":"x"}}' },
    'Start web there with: npm install, then npm run dev',
  ],
  ['no script', { 'package.json': '{"name":"start"}' }, 'Prepare web there with: npm install'],
  ['a package.json with mistakes', { 'package.json': '{' }, 'Prepare web there with: npm install'],
  ['scripts only', { 'a.js': '' }, undefined],
  ['a Go program', { 'go.mod': '', 'main.go': '' }, 'Start web there with: go run .'],
  ['a Go library', { 'go.mod': '', 'lib.go': '' }, undefined],
  ['a Rust workspace', { 'Cargo.toml': '[workspace]\n' }, undefined],
  [
    'Spring',
    { 'pom.xml': '<artifactId>spring-boot-maven-plugin</artifactId>' },
    'Start web there with: mvn spring-boot:run',
  ],
  ['Maven without Spring', { 'pom.xml': '<project/>' }, undefined],
  ['pyproject.toml only', { 'pyproject.toml': '' }, 'Prepare web there with: pip install --editable .'],
  ['a solution only', { 'shop.sln': '' }, undefined],
]

for (const [title, files, shown] of starts) {
  test(`init names no command that does not exist: ${title}`, async () => {
    const below = Object.fromEntries(Object.entries(files).map(([name, content]) => [`web/${name}`, content]))
    assert.is(await startOf(below), shown === undefined ? undefined : `# ${shown}`)
  })
}

test('init overwrites only with --replace', async () => {
  const disk = diskOf({ 'devtool.yml': 'name: mine\n' })
  const { findings } = await init(portsOf(disk))(guesses)
  assert.equal(
    findings.map(({ code }) => code),
    ['DT3404'],
  )
  assert.is(written(disk), 'name: mine\n')
  assert.equal((await init(portsOf(disk))({ ...guesses, isReplacing: true })).findings, [])
  assert.match(written(disk), /\nname: my-shop\n/)
})

test('init with a file in another folder looks there', async () => {
  const disk = diskOf({ 'api/compose.yaml': 'services: {web: {image: nginx}}', 'compose.yaml': 'services: {}' })
  await init(portsOf(disk))({ ...guesses, file: 'api/devtool.yml' })
  assert.match(written(disk, 'api/devtool.yml'), /\nname: api\n/)
})

test('a language is recognised by its own files, else by the most frequent file extension', () => {
  assert.is(languageOf(['go.mod', 'package.json'])?.name, 'go')
  assert.is(languageOf(['a.py', 'b.py', 'c.js'])?.name, 'python')
  assert.is(languageOf(['shop.csproj'])?.name, '.net')
  assert.is(languageOf(['README.md']), undefined)
})

test.run()
