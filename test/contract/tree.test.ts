/** What each end of a synchronisation has to do: on the disk, over a stream as in a development container, in memory. */
import { duplexPair } from 'node:stream'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { messages, send } from '../../src/adapters/sync/frames.ts'
import { remoteTree } from '../../src/adapters/sync/remote-tree.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import type { ActOutcome, SyncAct } from '../../src/domain/sync/act.ts'
import type { SeenEntry, TreeLook } from '../../src/domain/sync/entry.ts'
import type { OpenTree } from '../../src/ports/tree.ts'
import { fileWith, rightOf, type TreeWorld, treeWorlds } from './tree-world.ts'

async function* contentOf(text: string): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < text.length; at += 300_000) yield Buffer.from(text.slice(at, at + 300_000))
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)

const shown = ({ listings }: TreeLook): ReadonlyArray<string> =>
  [...listings]
    .toSorted(byName)
    .flatMap(([folder, { entries, isHeld }]) => [
      `${folder}/${isHeld ? ' held' : ''}`,
      ...[...entries].toSorted(byName).map(([name, { _tag }]) => `${folder}/${name} ${_tag}`),
    ])

const one = ({ tree }: TreeWorld, act: SyncAct, text?: string): Promise<ActOutcome> =>
  tree.act(act, text === undefined ? undefined : contentOf(text))()

/** Resolves when a change in this folder is told. */
const toldOf = (tree: OpenTree, folder: string): Promise<void> =>
  new Promise((resolve) => {
    const stop = tree.watch((event) => {
      if (event._tag !== 'Looked' || !event.look.listings.has(folder)) return
      stop()
      resolve()
    })
  })

const here = 'here' as const
const writeOf = (path: string, text: string, before?: string): SyncAct => ({
  _tag: 'Write',
  end: here,
  path,
  expect: before === undefined ? undefined : fileWith(before),
  file: fileWith(text),
})

for (const [name, make] of treeWorlds) {
  const test = suite<{ world: TreeWorld }>(`tree (${name})`)
  test.before.each(async (context) => {
    context.world = await make()
  })
  test.after.each(({ world }) => world.end())

  test('missing files and folders are created together, and nothing is overwritten', async ({
    world: { tree, user },
  }) => {
    user.write('old', 'theirs')
    const there = { end: 'there', expect: undefined } as const
    const texts = ['one', 'not', 'two', 'nowhere', 'out']
    const acts = [
      { ...there, _tag: 'MakeFolder', path: 'src' },
      { ...there, _tag: 'Write', path: 'src/a', file: fileWith('one') },
      { ...there, _tag: 'Write', path: 'old', file: fileWith('not') },
      { ...there, _tag: 'Write', path: 'b', file: fileWith('two', true) },
      { ...there, _tag: 'MakeLink', path: 'link', target: 'src/a' },
      { ...there, _tag: 'MakeLink', path: 'away', target: '/etc' },
      { ...there, _tag: 'Write', path: 'none/c', file: fileWith('nowhere') },
      { ...there, _tag: 'Write', path: '../c', file: fileWith('out') },
    ] as const
    const left = await rightOf(tree.makeAll(acts, Buffer.from(texts.join(''))))
    assert.equal(left, [2, 5, 6, 7])
    const { listings } = await rightOf(tree.look())
    assert.equal(listings.get('src')?.entries, new Map([['a', fileWith('one')]]))
    const entries = listings.get('')?.entries ?? new Map<string, SeenEntry>()
    assert.equal(entries.get('old'), fileWith('theirs'))
    assert.equal(entries.get('b'), fileWith('two', true))
    assert.equal(entries.get('link'), { _tag: 'Link', target: 'src/a' })
    assert.equal([...entries.keys()].toSorted(), ['b', 'link', 'old', 'src'])
  })

  test('a complete listing has everything that is not ignored', async ({ world: { tree, user } }) => {
    user.folder('src/empty')
    user.folder('src')
    user.write('src/a.ts', 'a')
    user.write('src/x.log', 'x')
    user.link('current', 'src/a.ts')
    const look = await rightOf(tree.look())
    assert.is(look.isWhole, true)
    assert.equal(shown(look), [
      '/',
      '/current Link',
      '/src Folder',
      'src/ held',
      'src/a.ts File',
      'src/empty Folder',
      'src/empty/',
    ])
    assert.equal(look.listings.get('src')?.entries.get('a.ts'), fileWith('a'))
  })

  test('a listing of a folder includes its new subfolders', async ({ world: { tree, user } }) => {
    user.folder('old')
    await rightOf(tree.look())
    user.folder('new')
    user.folder('new/below')
    user.write('new/below/a', 'a')
    const look = await rightOf(tree.look(['']))
    assert.is(look.isWhole, false)
    assert.equal(shown(look), [
      '/',
      '/new Folder',
      '/old Folder',
      'new/',
      'new/below Folder',
      'new/below/',
      'new/below/a File',
    ])
  })

  test('a change of content is noticed even if the size stays the same', async ({ world: { tree, user } }) => {
    for (const text of ['one', 'two', 'six']) {
      user.write('a', text)
      const look = await rightOf(tree.look(['']))
      const seen = name === 'memory' || look.listings.size > 0 ? look : await rightOf(tree.look())
      assert.equal(seen.listings.get('')?.entries.get('a'), fileWith(text))
    }
  })

  test('a file is written, replaced and removed', async ({ world }) => {
    await rightOf(world.tree.look())
    assert.equal(await one(world, writeOf('a', 'one'), 'one'), { _tag: 'Done', entry: fileWith('one') })
    assert.is(world.user.read('a'), 'one')
    assert.equal(await one(world, writeOf('a', 'two', 'one'), 'two'), { _tag: 'Done', entry: fileWith('two') })
    assert.is(world.user.read('a'), 'two')
    const look = await rightOf(world.tree.look(['']))
    assert.equal(look.listings.get('')?.entries.get('a'), fileWith('two'))
    const removed = await one(world, { _tag: 'Remove', end: here, path: 'a', expect: fileWith('two') })
    assert.equal(removed, { _tag: 'Done', entry: undefined })
    assert.is(world.user.read('a'), undefined)
  })

  test('a large file is written in parts, and read again', async ({ world }) => {
    const text = '0123456789'.repeat(700_000)
    assert.is((await one(world, writeOf('big', text), text))._tag, 'Done')
    let read = ''
    for await (const part of world.tree.read('big', fileWith(text))) read += Buffer.from(part).toString()
    assert.ok(read === text)
  })

  for (const [what, act] of [
    ['written', writeOf('a', 'two', 'one')],
    ['made', writeOf('a', 'two')],
    ['replaced by a link', { _tag: 'MakeLink', end: here, path: 'a', expect: fileWith('one'), target: 'b' }],
    ['removed', { _tag: 'Remove', end: here, path: 'a', expect: fileWith('one') }],
    ['replaced by a folder', { _tag: 'MakeFolder', end: here, path: 'a', expect: undefined }],
    ['made executable', { _tag: 'SetExecutable', end: here, path: 'a', expect: fileWith('one'), isExecutable: true }],
  ] as const satisfies ReadonlyArray<readonly [string, SyncAct]>) {
    test(`a path whose content is not the expected one is not ${what}`, async ({ world }) => {
      world.user.write('a', 'mine')
      assert.equal(await one(world, act, 'two'), { _tag: 'Refused', found: fileWith('mine') })
      assert.is(world.user.read('a'), 'mine')
    })
  }

  test('nothing is written if the content differs from its hash', async ({ world }) => {
    world.user.write('a', 'one')
    const outcome = await one(world, writeOf('a', 'two', 'one'), 'three')
    assert.is(outcome._tag === 'Failed' && outcome.trouble, 'NoSource')
    assert.is(world.user.read('a'), 'one')
    assert.equal(shown(await rightOf(world.tree.look())), ['/', '/a File'])
  })

  test('a file is replaced only after it was kept under another name', async ({ world }) => {
    world.user.write('a', 'one')
    const act = { ...writeOf('a', 'two', 'one'), keep: 'a.conflict' } as const
    world.user.write('a.conflict', 'mine')
    const taken = await one(world, act, 'two')
    assert.is(taken._tag === 'Failed' && taken.trouble, 'KeptNameTaken')
    assert.is(world.user.read('a'), 'one')
    await one(world, { _tag: 'Remove', end: here, path: 'a.conflict', expect: fileWith('mine') })
    assert.is((await one(world, act, 'two'))._tag, 'Done')
    assert.is(world.user.read('a'), 'two')
    assert.is(world.user.read('a.conflict'), 'one')
  })

  test('folders are made, and removed only when they are empty', async ({ world }) => {
    const { tree, user } = world
    const made = await one(world, { _tag: 'MakeFolder', end: here, path: 'a', expect: undefined })
    const folder = made._tag === 'Done' ? made.entry : undefined
    if (folder?._tag !== 'Folder') throw new Error(made._tag)
    user.write('a/file', 'text')
    const removed = await one(world, { _tag: 'Remove', end: here, path: 'a', expect: folder })
    assert.is(removed._tag, 'Refused')
    assert.equal(shown(await rightOf(tree.look())), ['/', '/a Folder', 'a/', 'a/file File'])
  })

  test('links are made, unless they lead out of the folder', async ({ world }) => {
    world.user.folder('src')
    for (const [target, expected] of [
      ['../README.md', 'Done'],
      ['../../secret', 'Failed'],
      ['/etc/passwd', 'Failed'],
      ['x/../../../secret', 'Failed'],
    ] as const) {
      const path = `src/${expected}${target.length}`
      const outcome = await one(world, { _tag: 'MakeLink', end: here, path, expect: undefined, target })
      assert.is(outcome._tag, expected, target)
    }
  })

  for (const path of ['../out', 'a/../../out', '/out', '', 'a//b']) {
    test(`the path "${path}" is refused`, async ({ world }) => {
      const outcome = await one(world, writeOf(path, 'x'), 'x')
      assert.is(outcome._tag === 'Failed' && outcome.trouble, 'Forbidden')
    })
  }

  test('nothing is written by way of a link', async ({ world }) => {
    world.user.folder('real')
    world.user.link('linked', 'real')
    const outcome = await one(world, writeOf('linked/a', 'x'), 'x')
    assert.is(outcome._tag, 'Refused')
    assert.is(world.user.read('real/a'), undefined)
  })

  test('the executable bit is set alone, and with the content', async ({ world }) => {
    world.user.write('a', 'one')
    const act = { _tag: 'SetExecutable', end: here, path: 'a', expect: fileWith('one'), isExecutable: true } as const
    assert.equal(await one(world, act), { _tag: 'Done', entry: fileWith('one', true) })
    assert.is(world.user.read('a'), 'one (executable)')
    const write = { ...writeOf('b', 'two'), file: fileWith('two', true) }
    assert.is((await one(world, write, 'two'))._tag, 'Done')
    assert.is(world.user.read('b'), 'two (executable)')
  })

  test('many actions are sent without waiting, and carried out in order', async ({ world: { tree, user } }) => {
    const texts = Array.from({ length: 200 }, (_, index) => `text ${index}`)
    const acts = texts.map((text, index) => tree.act(writeOf('a', text, texts[index - 1]), contentOf(text))())
    assert.equal(new Set((await Promise.all(acts)).map(({ _tag }) => _tag)), new Set(['Done']))
    assert.is(user.read('a'), texts.at(-1))
  })

  test('a file whose content differs from the requested hash cannot be read', async ({ world: { tree, user } }) => {
    user.write('a', 'one')
    const read = async (): Promise<void> => {
      for await (const _ of tree.read('a', fileWith('two')));
    }
    assert.is(
      await read().then(
        () => 'read',
        () => 'refused',
      ),
      'refused',
    )
  })

  test('the marker is stored, and is not listed as a file', async ({ world: { tree } }) => {
    assert.is(await rightOf(tree.marker), undefined)
    const marker = { id: 'abc', machine: 'laptop', user: 'ann', atMs: 1_763_839_800_000 }
    await rightOf(tree.mark(marker))
    assert.equal(await rightOf(tree.marker), marker)
    assert.equal(shown(await rightOf(tree.look())), ['/'])
  })

  test('a change is reported with its folder', async ({ world: { tree, user } }) => {
    user.folder('src')
    await rightOf(tree.look())
    const told = toldOf(tree, 'src')
    user.write('src/a', 'a')
    assert.is(await told, undefined)
  })

  test('changes in a folder that replaced another one are reported', async ({ world: { tree, user } }) => {
    user.folder('src')
    await rightOf(tree.look())
    const folder = (await rightOf(tree.look(['']))).listings.get('')?.entries.get('src')
    if (folder?._tag !== 'Folder') throw new Error('it is no folder')
    await tree.act({ _tag: 'Remove', end: here, path: 'src', expect: folder })()
    user.folder('src')
    await rightOf(tree.look(['']))
    const told = toldOf(tree, 'src')
    user.write('src/a', 'a')
    assert.is(await told, undefined)
  })

  test.run()
}

/** What an agent may say that is not ours. */
const test = suite('tree over a stream that lies')

const listing = (folder: string, name: string, entry: unknown) => [[folder, false, [[name, entry]]]]
const file = { _tag: 'File', hash: 'a'.repeat(64), isExecutable: false, size: 1 }

for (const [what, listed] of [
  ['a name that leads out', listing('', '..', file)],
  ['a name with a slash', listing('', 'a/b', file)],
  ['a folder that leads out', listing('../..', 'a', file)],
  ['an absolute folder', listing('/etc', 'a', file)],
  ['a hash that is none', listing('', 'a', { ...file, hash: '../../etc' })],
  ['a negative size', listing('', 'a', { ...file, size: -1 })],
  ['the name of our own files', listing('', '.devtool-sync', file)],
  ['no list', { length: 1 }],
] as const) {
  test(`a listing with ${what} is rejected, and ends the connection`, async () => {
    const [near, far] = duplexPair()
    const lie = async (): Promise<void> => {
      for await (const { head } of messages(far)) {
        const { id, question } = Object(head)
        await send(far, question._tag === 'Open' ? { id, end: true } : { id, listed })
      }
    }
    void lie().catch(() => {})
    const opened = await rightOf(remoteTree(systemClock, near, { root: '/', ignores: '', session: 'one' }))
    assert.equal(await opened.look()(), {
      _tag: 'Left',
      left: { _tag: 'Lost', reason: 'the agent sent an invalid answer' },
    })
  })
}

test.run()
