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
import { diskOf } from '../../support/cli.ts'
import { corpus } from '../../support/corpus.ts'

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
