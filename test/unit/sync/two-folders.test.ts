/** The engine of a synchronisation over two folders of the disk, one of them behind a stream as in a container. */
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { type Duplex, duplexPair } from 'node:stream'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { diskTree } from '../../../src/adapters/sync/disk-tree.ts'
import { remoteTree } from '../../../src/adapters/sync/remote-tree.ts'
import { serveTree } from '../../../src/adapters/sync/serve-tree.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { fill } from '../../../src/app/sync/fill.ts'
import { keepBase } from '../../../src/app/sync/keep-base.ts'
import { type Synchronisation, synchronise } from '../../../src/app/sync/synchronise.ts'
import type { OpenTree, TreeFailure } from '../../../src/ports/tree.ts'
import { rightOf } from '../../contract/tree-world.ts'
import { filesIn } from '../../support/process/files-in.ts'
import { until } from '../../support/process/until.ts'
import { memoryJournal } from '../../support/sync/memory-journal.ts'

type World = {
  base: string
  here: string
  there: string
  tree: OpenTree
  engine: Synchronisation
  /** As the next `up`. */
  begin: () => Synchronisation
  connect: () => Promise<Duplex>
  /** `during`: called while files are sent for the first time, once the first of them are there. */
  fillOver: (during: (link: Duplex) => void) => Promise<void>
}

const test = suite<World>('two folders')

const isIgnored = (path: string): boolean => path.endsWith('.log')

test.before.each((context) => {
  context.base = fs.mkdtempSync(join(tmpdir(), 'two-folders-'))
  context.here = join(context.base, 'here')
  context.there = join(context.base, 'there')
  fs.mkdirSync(context.here)
  context.tree = diskTree({ clock: systemClock, root: context.here, isIgnored })
  let ids = 0
  const journal = memoryJournal()
  context.begin = () =>
    synchronise(systemClock, {
      here: context.tree,
      keeper: keepBase(journal),
      modeOf: () => 'two-way',
      machine: 'laptop',
      user: 'ann',
      newId: () => {
        ids += 1
        return `id${ids}`
      },
      whose: () => TE.right('Mine'),
      say: () => {},
    })
  context.engine = context.begin()
  const reach = async () => {
    const [near, far] = duplexPair()
    near.once('close', () => far.destroy())
    void serveTree(systemClock, far, ({ root }) => diskTree({ clock: systemClock, root, isIgnored }), new Map())
    return {
      near,
      tree: await rightOf(
        remoteTree(systemClock, near, { root: context.there, ignores: '', session: 'one', isEager: true }),
      ),
    }
  }
  context.connect = async () => {
    const { near, tree } = await reach()
    await rightOf(context.engine.link(tree))
    return near
  }
  context.fillOver = async (during) => {
    const { near, tree } = await reach()
    const makeAll: OpenTree['makeAll'] = (...given) =>
      pipe(
        tree.makeAll(...given),
        TE.tapIO(() => () => during(near)),
        // The answer does not come.
        TE.filterOrElse(
          () => !near.destroyed,
          (): TreeFailure => ({ _tag: 'Lost', reason: 'cut' }),
        ),
      )
    await context.engine.link(
      tree,
      fill(context.tree, { ...tree, makeAll }, () => {}),
    )()
  }
})
test.after.each(async ({ base, engine, tree }) => {
  await engine.stop()
  tree.close()
  fs.rmSync(base, { recursive: true })
})

const textsIn = (folder: string): ReadonlyArray<string> =>
  filesIn(folder)
    .filter((path) => !basename(path).startsWith('.devtool-sync'))
    .map((path) => `${relative(folder, path)}: ${fs.readFileSync(path, 'utf8')}`)
    .toSorted()

/** Until both folders have these files. */
const settled = async ({ engine, here, there }: World, files: ReadonlyArray<string>): Promise<void> => {
  for (let left = 1000; left > 0; left -= 1) {
    const found = [here, there].map((folder) => JSON.stringify(textsIn(folder)))
    if (engine.state().isComplete && found.every((one) => one === JSON.stringify(files))) return
    await systemClock.sleep(10)
  }
  assert.equal([textsIn(here), textsIn(there)], [files, files])
}

test('files are synchronised both ways, however they are saved', async (world) => {
  const { connect, here, there } = world
  fs.writeFileSync(join(here, 'a'), 'one')
  const link = await connect()
  await settled(world, ['a: one'])
  fs.writeFileSync(join(there, 'b'), 'two')
  fs.writeFileSync(join(here, 'a.new'), 'one more')
  fs.renameSync(join(here, 'a.new'), join(here, 'a'))
  await settled(world, ['a: one more', 'b: two'])
  fs.mkdirSync(join(there, 'folder'))
  fs.renameSync(join(there, 'b'), join(there, 'folder/c'))
  await settled(world, ['a: one more', 'folder/c: two'])
  fs.renameSync(join(here, 'folder'), join(here, 'renamed'))
  await settled(world, ['a: one more', 'renamed/c: two'])
  assert.is(fs.existsSync(join(there, 'folder')), false)
  link.destroy()
})

test('a link in the container leads to the folder that is synchronised', async (world) => {
  const { base, connect, here, there } = world
  fs.mkdirSync(join(base, 'real'))
  fs.symlinkSync('real', there)
  fs.writeFileSync(join(here, 'a'), 'a')
  await connect()
  await settled(world, ['a: a'])
  assert.is(fs.readFileSync(join(base, 'real/a'), 'utf8'), 'a')
  assert.ok(fs.lstatSync(there).isSymbolicLink())
})

test('both versions of a file that was changed at both ends during a cut are at both ends', async (world) => {
  const { connect, here, there } = world
  fs.writeFileSync(join(here, 'a'), 'one')
  const cut = await connect()
  await settled(world, ['a: one'])
  cut.destroy()
  fs.writeFileSync(join(here, 'a'), 'mine')
  fs.writeFileSync(join(there, 'a'), 'theirs')
  fs.writeFileSync(join(there, 'x.log'), 'ignored')
  const link = await connect()
  const digits = createHash('sha256').update('theirs').digest('hex').slice(0, 6)
  for (let left = 500; left > 0 && textsIn(here).length < 2; left -= 1) await systemClock.sleep(10)
  assert.equal(textsIn(here), [`a.conflict-${digits}: theirs`, 'a: mine'].toSorted())
  assert.is(fs.readFileSync(join(there, 'a'), 'utf8'), 'mine')
  link.destroy()
})

const hourMs = 3_600_000

for (const [what, offMs] of [
  ['ahead of', 2 * hourMs],
  ['behind', -2 * hourMs],
] as const) {
  test(`nothing is set back if the clock of the container is two hours ${what} that of this machine`, async (world) => {
    const { connect, here, there } = world
    const date = new Date(Date.now() + offMs)
    const saveThere = (text: string): void => {
      fs.writeFileSync(join(there, 'a'), text)
      // Every save has the same time.
      fs.utimesSync(join(there, 'a'), date, date)
    }
    fs.writeFileSync(join(here, 'a'), 'one')
    const first = await connect()
    await settled(world, ['a: one'])
    for (const text of ['six', 'ten']) {
      saveThere(text)
      await settled(world, [`a: ${text}`])
    }
    fs.writeFileSync(join(here, 'a'), 'two')
    await settled(world, ['a: two'])
    first.destroy()
    saveThere('one')
    await connect()
    await settled(world, ['a: one'])
  })
}

test('a large file whose transfer was cut arrives over the next link, and nothing unfinished is left', async (world) => {
  const { connect, here, there } = world
  const cut = await connect()
  fs.writeFileSync(join(here, 'large'), 'x'.repeat(20_000_000))
  await systemClock.sleep(60)
  cut.destroy()
  const link = await connect()
  await settled(world, [`large: ${'x'.repeat(20_000_000)}`])
  const own = (): ReadonlyArray<string> => fs.readdirSync(there).filter((name) => name.startsWith('.devtool-sync-'))
  await until('nothing unfinished is left', () => own().length === 0)
  link.destroy()
})

test('edits in the container during the first transfer are kept, files of its image are not', async (world) => {
  const { fillOver, here, there } = world
  fs.mkdirSync(there)
  for (const name of ['a', 'edited', 'stale']) fs.writeFileSync(join(here, name), 'mine')
  for (const name of ['edited', 'stale']) fs.writeFileSync(join(there, name), 'of the image')
  await fillOver((link) => {
    for (const name of ['a', 'edited']) fs.writeFileSync(join(there, name), 'theirs')
    link.destroy()
  })
  await fillOver(() => {})
  const digits = createHash('sha256').update('theirs').digest('hex').slice(0, 6)
  await settled(
    world,
    [
      'a: mine',
      `a.conflict-${digits}: theirs`,
      'edited: mine',
      `edited.conflict-${digits}: theirs`,
      'stale: mine',
    ].toSorted(),
  )
})

test('edits in the container are kept by the next `up` if the first one ended during the first transfer', async (world) => {
  const { engine, fillOver, here, there } = world
  fs.writeFileSync(join(here, 'a'), 'mine')
  await fillOver((link) => link.destroy())
  await engine.stop()
  fs.writeFileSync(join(there, 'a'), 'theirs')
  world.engine = world.begin()
  await fillOver(() => {})
  const digits = createHash('sha256').update('theirs').digest('hex').slice(0, 6)
  await settled(world, ['a: mine', `a.conflict-${digits}: theirs`].toSorted())
})

test.run()
