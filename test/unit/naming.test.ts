/** The name that destroy, logs and others find is the one that deploy gives, and is found where deploy cannot go on. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ProjectOptions } from '../../src/app/project/choose.ts'
import { openProject } from '../../src/app/project/project.ts'
import { memoryFiles } from '../memory/files.ts'
import { diskOf } from '../support/cli/cli.ts'

type NamingOptions = Partial<Pick<ProjectOptions, 'files' | 'name'>> & {
  readonly env?: Readonly<Record<string, string>>
}
type Files = Readonly<Record<string, string>>

const wantedOf = ({ env = {}, files = [], name }: NamingOptions): ProjectOptions => ({
  cwd: '/home/me/My_Shop',
  files,
  name,
  given: new Map(),
  shell: new Map(Object.entries(env)),
  separator: ':',
  services: [],
  settings: {},
  isConfined: false,
  isStrict: false,
})

const find = (files: Files, given: NamingOptions = {}) =>
  openProject({ files: memoryFiles(diskOf(files)) })(wantedOf(given)).name()

const web = 'services:\n  web: { image: a }\n'
const git = { '/home/me/My_Shop/.git/config': '[remote "origin"]\n  url = https://example.com/team/Repo.git\n' }

const layouts: ReadonlyArray<readonly [string, Files, NamingOptions]> = [
  ['flag', { 'compose.yaml': `name: file\n${web}` }, { name: 'flag', env: { DEVTOOL_NAME: 'variable' } }],
  [
    'variable',
    { 'compose.yaml': `name: file\n${web}` },
    { env: { DEVTOOL_NAME: 'variable', COMPOSE_PROJECT_NAME: 'c' } },
  ],
  ['compose', { 'compose.yaml': `name: file\n${web}` }, { env: { COMPOSE_PROJECT_NAME: 'compose' } }],
  ['dotenv', { 'compose.yaml': `name: file\n${web}`, '.env': 'COMPOSE_PROJECT_NAME=dotenv\n' }, {}],
  ['c-d', { 'compose.yaml': web }, { env: { COMPOSE_PROJECT_NAME: 'c_d' } }],
  ['file', { 'compose.yaml': `name: file\n${web}`, ...git }, {}],
  ['my-file', { 'compose.yaml': `name: my_file\n${web}` }, {}],
  ['file-x', { 'compose.yaml': `name: file-\${TAIL:-x}\n${web}` }, {}],
  ['over', { 'compose.yaml': `name: file\n${web}`, 'compose.override.yaml': 'name: over\nservices: {}\n' }, {}],
  ['other', { 'sub/app.yaml': `name: other\n${web}`, 'compose.yaml': web }, { files: ['sub/app.yaml'] }],
  [
    'manifest',
    { 'devtool.yml': `name: manifest\ndeploy: { compose: compose.yaml }\n`, 'compose.yaml': `name: file\n${web}` },
    {},
  ],
  ['file', { 'devtool.yml': 'deploy: { compose: compose.yaml }\n', 'compose.yaml': `name: file\n${web}` }, {}],
  ['repo', { 'compose.yaml': web, ...git }, {}],
  ['my-shop', { 'compose.yaml': web }, {}],
]

for (const [name, files, given] of layouts) {
  test(`the name is ${name} in guesses and translations: ${Object.keys(files).join(', ')} ${JSON.stringify(given)}`, async () => {
    const found = await find(files, given)
    const translated = await openProject({ files: memoryFiles(diskOf(files)) })(wantedOf(given)).translate()
    assert.is(found.name, name, JSON.stringify(found.findings))
    assert.is(translated.plan?.environment, name, JSON.stringify(translated.findings))
    assert.is(found.isGuessed, translated.isGuessed)
    assert.ok(found.findings.every(({ severity }) => severity !== 'error'))
  })
}

test('without any file, the name comes from variables, the repository or the folder', async () => {
  assert.is((await find(git)).name, 'repo')
  assert.is((await find({})).name, 'my-shop')
  assert.is((await find({})).isGuessed, true)
  assert.is((await find({ '.env': 'COMPOSE_PROJECT_NAME=dotenv\n' })).name, 'dotenv')
  assert.is((await find({}, { name: 'shop' })).chosen, undefined)
})

test('an unreadable file does not matter if the name is given', async () => {
  for (const given of [
    { name: 'shop' },
    { env: { DEVTOOL_NAME: 'shop' } },
    { env: { COMPOSE_PROJECT_NAME: 'shop' } },
  ]) {
    for (const files of [{ 'compose.yaml': 'services: [\n' }, { 'devtool.yml': 'deploy: {compose: 5}\n' }]) {
      const found = await find(files, given)
      assert.is(found.name, 'shop')
      assert.equal(found.findings, [])
    }
  }
  assert.is((await find({}, { name: 'shop', files: ['gone.yaml'] })).name, 'shop')
})

test('an unreadable file might contain the name, so none is guessed', async () => {
  for (const files of [
    { 'compose.yaml': 'services: [\n', ...git },
    { 'compose.yaml': `name: file\n${web}`, 'compose.override.yaml': '{' },
    { 'devtool.yml': 'deploy: { compose: 5 }\n' },
  ]) {
    const found = await find(files)
    assert.is(found.name, undefined, JSON.stringify(files))
    assert.is(found.findings[0]?.severity, 'error')
  }
  assert.is((await find({}, { files: ['gone.yaml'] })).findings[0]?.code, 'DT1007')
})

test('an invalid name is refused with its source', async () => {
  const codeOf = async (files: Files, given: NamingOptions = {}) => (await find(files, given)).findings[0]?.code
  assert.is(await codeOf({}, { name: 'No!' }), 'DT2001')
  assert.is(await codeOf({}, { env: { DEVTOOL_NAME: 'No!' } }), 'DT2001')
  assert.is(await codeOf({}, { env: { COMPOSE_PROJECT_NAME: 'No!' } }), 'DT2001')
  assert.is(await codeOf({ 'compose.yaml': `name: No!\n${web}` }), 'DT1031')
})

test.run()
