/** `--host-files=config`: what must not be seen by others, and what cannot be judged, is in no ConfigMap. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Entry } from '../../memory/files.ts'
import { type Disk, mounting, translated } from '../../support/compose/host-files.ts'

const hidden: ReadonlyArray<readonly [string, Disk]> = [
  ['./.git/config:/x/config', { '.git/config': 'tell-tale' }],
  ['./.git/hooks:/h:ro', { '.git/hooks/post-commit': 'tell-tale' }],
  ['./.GIT/hooks:/h:ro', { '.GIT/hooks/post-commit': 'tell-tale' }],
  ['./mirror.git/config:/x/config', { 'mirror.git/config': 'tell-tale' }],
  ['./.envs/prod:/x:ro', { '.envs/prod/web': 'tell-tale' }],
  ['./.envs/prod/web:/x', { '.envs/prod/web': 'tell-tale' }],
  ['./secrets/a/b.conf:/x', { 'secrets/a/b.conf': 'tell-tale' }],
  ['./.aws/config:/x', { '.aws/config': 'tell-tale' }],
  ['./conf:/x:ro', { 'conf/gitcfg': { _tag: 'Link', to: '../.git/config' }, '.git/config': 'tell-tale' }],
  ['./conf:/x:ro', { 'conf/hooks': { _tag: 'Link', to: '../.git/hooks' }, '.git/hooks/a': 'tell-tale' }],
  ['./conf:/x:ro', { conf: { _tag: 'Link', to: '.envs/prod' }, '.envs/prod/a': 'tell-tale' }],
  ['./conf/../.git/config:/x', { '.git/config': 'tell-tale', 'conf/a': 'a' }],
]

for (const [volume, files] of hidden) {
  test(`nothing below an excluded folder is in a ConfigMap: ${volume} with ${Object.keys(files)[0]}`, async () => {
    const { maps, said } = await translated({ 'compose.yaml': mounting(volume), ...files })
    assert.not.match(maps, 'tell-tale')
    assert.match(said.join('\n'), /of git|variables|a credential/)
  })
}

test('a file named in secrets: is left out of the folder that contains it, also through a link', async () => {
  const { maps, said } = await translated({
    'compose.yaml': `${mounting('./conf:/x:ro')}    secrets: [one]\nsecrets: {one: {file: ./conf/one}}\n`,
    'conf/one': 'tell-tale',
    'conf/alias': { _tag: 'Link', to: 'one' },
    'conf/a.conf': 'a',
  })
  assert.not.match(maps, 'tell-tale')
  assert.match(maps, 'a.conf: a')
  assert.match(said.join(), 'conf/alias and conf/one (a file of secrets:)')
})

/** Folders that link to the next one twice: 2^14 ways. */
const doubled = (levels: number): Disk =>
  Object.fromEntries(
    Array.from({ length: levels }, (_, at) => {
      const next: Entry = { _tag: 'Link', to: `../d${at + 1}` }
      return [[`d${at}/a`, next] as const, [`d${at}/b`, next] as const]
    }).flat(),
  )

test('folders that can be reached in countless ways are left out', async () => {
  const { maps, said } = await translated({ ...doubled(14), 'd14/end': 'x', 'compose.yaml': mounting('./d0:/x:ro') })
  assert.is(maps, '')
  assert.match(said.join(), 'more than')
})

for (const volume of ['./.docker/web:/x:ro', './.github/web:/x:ro', './tokenizer:/x:ro']) {
  test(`an ordinary folder becomes a ConfigMap: ${volume}`, async () => {
    const [place = ''] = volume.split(':')
    const { maps } = await translated({ 'compose.yaml': mounting(volume), [`${place.slice(2)}/a.conf`]: 'plain' })
    assert.match(maps, 'a.conf: plain')
  })
}

test('a long list of excluded files is shortened', async () => {
  const disk = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`conf/${at}/.env`, 'A=1']))
  const { said } = await translated({ ...disk, 'conf/a': 'a', 'compose.yaml': mounting('./conf:/x:ro') })
  const [message = ''] = said
  assert.match(message, '(variables) and 440 more')
  assert.ok(message.length < 2000, message)
})

const unreadable: ReadonlyArray<readonly [string, Disk, string]> = [
  ['a rule of git that is not understood', { 'conf/.gitignore': '[[:nope:]]x\n' }, 'invalid pattern'],
  ['a rule of git that ends in a backslash', { 'conf/.gitignore': 'x\\\n' }, 'invalid pattern'],
  ['a pattern of Docker that is not understood', { '.dockerignore': '[\n' }, 'invalid pattern'],
  [
    'a .gitignore that is no text',
    { 'conf/.gitignore': { _tag: 'File', bytes: Uint8Array.of(0xff) } },
    '.gitignore that cannot',
  ],
]

for (const [what, files, why] of unreadable) {
  test(`${what} excludes the folder`, async () => {
    const { maps, said } = await translated({ 'compose.yaml': mounting('./conf:/x:ro'), 'conf/a': 'a', ...files })
    assert.is(maps, '')
    assert.match(said.join(), why)
  })
}

test('in a worktree, the exclude file of the main repository applies', async () => {
  const { maps, said } = await translated({
    'compose.yaml': mounting('./conf:/x:ro'),
    '.git': 'gitdir: /main/.git/worktrees/shop\n',
    '/main/.git/worktrees/shop/commondir': '../..\n',
    '/main/.git/info/exclude': 'private\n',
    'conf/private': 'x',
    'conf/a.conf': 'a',
  })
  assert.not.match(maps, 'private')
  assert.match(said.join(), 'conf/private (ignored')
})

test.run()
