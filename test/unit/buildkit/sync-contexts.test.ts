/** What a build context weighs, and whether it is still the same. */
import { chmodSync, copyFileSync, linkSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { buildContexts } from '../../../src/adapters/buildkit/contexts.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { memoryBuildContexts } from '../../memory/build-contexts.ts'
import { memoryHome } from '../../memory/home.ts'
import { asOrdinaryUser, inFolder, plant, plantEveryKind } from '../../support/build/tree.ts'

const contexts = buildContexts({ clock: systemClock, home: memoryHome() })
const signal = new AbortController().signal

const hash = async (folder: string, ignore = ''): Promise<string> => {
  const result = await contexts.hash({ folder, ignore }, signal)()
  if (E.isLeft(result)) throw new Error(result.left.message)
  return result.right
}

const weigh = async (folder: string, ignore = '') => {
  const result = await contexts.weigh({ folder, ignore }, signal)()
  if (E.isLeft(result)) throw new Error(result.left.message)
  return result.right
}

const refusal = async (folder: string, ignore = '', by: AbortSignal = signal) => {
  const result = await contexts.hash({ folder, ignore }, by)()
  assert.equal(await contexts.weigh({ folder, ignore }, by)().then(E.isLeft), E.isLeft(result))
  return E.isLeft(result) ? [result.left.code, result.left.message] : undefined
}

test('the context hash depends only on names, kinds, permissions and contents', () =>
  inFolder((one) =>
    inFolder(async (other) => {
      await plantEveryKind(one)
      await plantEveryKind(other)
      const first = await hash(one)
      assert.match(first, /^[0-9a-f]{64}$/)
      assert.is(await hash(other), first)
      utimesSync(join(other, 'a.txt'), 1, 1)
      assert.is(await hash(other), first, 'times')
      rmSync(join(other, 'hard-link'))
      copyFileSync(join(other, 'a/one.txt'), join(other, 'hard-link'))
      assert.is(await hash(other), first, 'a copy in place of a hard link')
      linkSync(join(other, 'a.txt'), join(other, 'a/another'))
      assert.is.not(await hash(other), first, 'another name')
      assert.is(await hash(other, 'a/another'), first, 'which is ignored')
    }),
  ))

const changes: ReadonlyArray<readonly [title: string, change: (root: string) => void]> = [
  ['a content of the same size', (root) => plant(root, { 'd/file': 'two' })],
  ['a longer content', (root) => plant(root, { 'd/file': 'one\n' })],
  ['a permission', (root) => chmodSync(join(root, 'd/file'), 0o755)],
  ['a permission of a folder', (root) => chmodSync(join(root, 'd'), 0o700)],
  ['an empty folder', (root) => plant(root, { 'd/new/': '' })],
  ['a file less', (root) => rmSync(join(root, 'd/file'))],
  [
    'the target of a link',
    (root) => {
      rmSync(join(root, 'link'))
      symlinkSync('elsewhere', join(root, 'link'))
    },
  ],
  [
    'a file in place of a link',
    (root) => {
      rmSync(join(root, 'link'))
      plant(root, { link: 'd/file' })
    },
  ],
  [
    'a content that moves to another file',
    (root) => plant(root, { 'd/file': '', 'd/large': `one${'x'.repeat(100_000)}` }),
  ],
]

for (const [title, change] of changes) {
  test(`the context hash changes with ${title}, unless it is ignored`, () =>
    inFolder(async (root) => {
      plant(root, { 'd/file': 'one', 'd/large': 'x'.repeat(100_000), 'e/file': '' })
      symlinkSync('d/file', join(root, 'link'))
      const ignore = '# comment\n\nd\n/link\n'
      const [before, without] = [await hash(root), await hash(root, ignore)]
      assert.is.not(before, without)
      change(root)
      assert.is.not(await hash(root), before)
      assert.is(await hash(root, ignore), without)
    }))
}

test('the weight is what is sent, with its largest parts', () =>
  inFolder(async (root) => {
    plant(root, {
      'small.txt': 'x',
      'web/node_modules/a/index.js': 'x'.repeat(5000),
      'web/node_modules/b/index.js': 'x'.repeat(3000),
      'web/node_modules/b/other.js': 'x'.repeat(500),
      'web/src/main.ts': 'x'.repeat(200),
      'web/empty': '',
      'logs/today.log': 'x'.repeat(100),
    })
    linkSync(join(root, 'web/node_modules/a/index.js'), join(root, 'web/node_modules/c'))
    symlinkSync('web', join(root, 'link'))
    assert.equal(await weigh(root), {
      files: 8,
      bytes: 8801,
      largest: [
        { path: 'web/node_modules/a', bytes: 5000 },
        { path: 'web/node_modules/b', bytes: 3500 },
        { path: 'web/src', bytes: 200 },
        { path: 'logs', bytes: 100 },
        { path: 'small.txt', bytes: 1 },
      ],
    })
    assert.equal(await weigh(root, '**/node_modules\n*.txt'), {
      files: 3,
      bytes: 300,
      largest: [
        { path: 'web', bytes: 200 },
        { path: 'logs', bytes: 100 },
      ],
    })
    assert.equal(await weigh(root, '*'), { files: 0, bytes: 0, largest: [] })
  }))

test('of many entries the ten largest are named', () =>
  inFolder(async (root) => {
    plant(
      root,
      Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}/x`, 'x'.repeat(100 + ((at * 7) % 30))])),
    )
    const { largest, bytes, files } = await weigh(root)
    assert.equal([files, bytes], [30, 3435])
    assert.equal(
      largest.map((part) => part.bytes),
      [129, 128, 127, 126, 125, 124, 123, 122, 121, 120],
    )
  }))

test('unreadable and missing files, invalid patterns and interrupts are failures', () =>
  inFolder(async (root) => {
    plant(root, { 'd/secret': 's', 'd/other': '', 'closed/x': '' })
    chmodSync(join(root, 'd/secret'), 0)
    await asOrdinaryUser(async () => {
      const result = await contexts.hash({ folder: root, ignore: '' }, signal)()
      assert.equal(E.isLeft(result) && [result.left.code, result.left.message], [
        'DT4010',
        `d/secret in ${root}: permission denied`,
      ])
      assert.ok(E.isRight(await contexts.hash({ folder: root, ignore: '**/secret' }, signal)()))
    })
    chmodSync(join(root, 'closed'), 0)
    await asOrdinaryUser(async () => {
      assert.equal(await refusal(root, 'd'), ['DT4010', `closed in ${root}: permission denied`])
    })
    chmodSync(join(root, 'closed'), 0o755)
    assert.equal(await refusal(`${root}/missing`), ['DT4032', `build context ${root}/missing: it does not exist`])
    assert.equal(await refusal(`${root}/d/other`), ['DT4032', `build context ${root}/d/other: it is not a folder`])
    assert.equal(await refusal(root, 'fine\n[\n'), [
      'DT4010',
      `${root}/.dockerignore: "[" is not a pattern that BuildKit understands`,
    ])
    assert.equal((await refusal(root, '', AbortSignal.abort()))?.[0], 'DT4016')
  }))

test('the in-memory contexts obey the contract', async () => {
  const memory = memoryBuildContexts(
    new Map([
      ['/work/a/Dockerfile', 'FROM x'],
      ['/work/a/src/main', 'xy'],
      ['/work/b/main', ''],
    ]),
  )
  const choice = { folder: '/work/a', ignore: '' }
  const [all, less] = await Promise.all([
    memory.hash(choice, signal)(),
    memory.hash({ ...choice, ignore: 'src' }, signal)(),
  ])
  assert.ok(E.isRight(all) && E.isRight(less) && all.right !== less.right)
  assert.equal(
    await memory.weigh({ ...choice, ignore: '*\n!src' }, signal)(),
    E.right({ files: 1, bytes: 2, largest: [{ path: 'src/main', bytes: 2 }] }),
  )
  assert.ok(E.isLeft(await memory.hash({ folder: '/work/c', ignore: '' }, signal)()))
  assert.ok(E.isLeft(await memory.weigh({ folder: '/work/a', ignore: '[' }, signal)()))
})

test.run()
