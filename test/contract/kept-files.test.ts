/** The same statements for copies on the disk and for those in memory. */
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { keptFiles } from '../../src/adapters/sync/kept-files.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import type { GivenBack, KeptFiles } from '../../src/ports/kept-files.ts'
import { type MemoryCopy, memoryKeptFiles } from '../memory/kept-files.ts'

type World = {
  readonly kept: KeptFiles
  readonly local: string
  readonly keep: (path: string, content: string, atMs: number) => void
  readonly put: (path: string, content: string) => void
  readonly at: (path: string) => string | undefined
}

const storeOf = (local: string): string => `${local}-kept`

const onDisk = (): World => {
  const local = join(fs.mkdtempSync(join(tmpdir(), 'kept-files-')), 'tree')
  fs.mkdirSync(local)
  const write = (path: string, content: string): void => {
    fs.mkdirSync(dirname(path), { recursive: true })
    fs.writeFileSync(path, content)
  }
  return {
    kept: keptFiles(systemClock),
    local,
    keep: (path, content, atMs) => write(join(storeOf(local), String(atMs), path), content),
    put: (path, content) => write(join(local, path), content),
    at: (path) => (fs.existsSync(join(local, path)) ? fs.readFileSync(join(local, path), 'utf8') : undefined),
  }
}

const inMemory = (): World => {
  const [kept, tree] = [new Map<string, ReadonlyArray<MemoryCopy>>(), new Map<string, string>()]
  const local = '/home/dev/shop'
  return {
    kept: memoryKeptFiles(kept, tree),
    local,
    keep: (path, content, atMs) =>
      kept.set(storeOf(local), [...(kept.get(storeOf(local)) ?? []), { path, content, atMs }]),
    put: (path, content) => tree.set(`${local}/${path}`, content),
    at: (path) => tree.get(`${local}/${path}`),
  }
}

const restored = async (
  { kept, local }: World,
  path: string,
  isReplacing: boolean,
): Promise<E.Either<string, GivenBack>> => {
  const copy = (await kept.list(storeOf(local))()).find((one) => one.path === path)
  if (copy === undefined) throw new Error(`there is no copy of ${path}`)
  return kept.restore({ local, store: storeOf(local) }, copy, isReplacing)()
}

const early = 1_795_388_400_000

for (const [where, make] of [
  ['on the disk', onDisk],
  ['in memory', inMemory],
] as const) {
  test(`${where}: copies are listed from the oldest on, with their sizes`, async () => {
    const world = make()
    world.keep('b/two', '22', early + 1000)
    world.keep('one', '1', early)
    assert.equal(await world.kept.list(storeOf(world.local))(), [
      { name: `${early}/one`, path: 'one', atMs: early, size: 1 },
      { name: `${early + 1000}/b/two`, path: 'b/two', atMs: early + 1000, size: 2 },
    ])
    assert.equal(await world.kept.list('/nowhere')(), [])
  })

  test(`${where}: a file is restored with its parent folders`, async () => {
    const world = make()
    world.keep('src/deep/a.ts', 'old', early)
    assert.equal(await restored(world, 'src/deep/a.ts', false), E.right('Restored'))
    assert.is(world.at('src/deep/a.ts'), 'old')
    assert.equal(await restored(world, 'src/deep/a.ts', false), E.right('Same'))
  })

  test(`${where}: a file with another content is not replaced, unless a copy of it is kept first`, async () => {
    const world = make()
    world.keep('a', 'old', early)
    world.put('a', 'new')
    assert.equal(await restored(world, 'a', false), E.right('Occupied'))
    assert.is(world.at('a'), 'new')
    assert.equal(await restored(world, 'a', true), E.right('Restored'))
    assert.is(world.at('a'), 'old')
    const kept = await world.kept.list(storeOf(world.local))()
    assert.equal(
      kept.map(({ path, size }) => [path, size]),
      [
        ['a', 3],
        ['a', 3],
      ],
    )
    const [, last] = kept
    if (last === undefined) throw new Error('nothing was kept')
    await world.kept.restore({ local: world.local, store: storeOf(world.local) }, last, true)()
    assert.is(world.at('a'), 'new')
  })

  test(`${where}: conflict copies are found by their names`, async () => {
    const world = make()
    for (const path of ['a.ts', 'a.ts.conflict-0a1b2c', 'b/c.conflict-0a1b2c-2', 'b/notes.conflict-of-interest']) {
      world.put(path, path)
    }
    assert.equal(await world.kept.conflicts(world.local)(), E.right(['a.ts.conflict-0a1b2c', 'b/c.conflict-0a1b2c-2']))
  })
}

test('nothing is written through a link, nor over a folder', async () => {
  const world = onDisk()
  const elsewhere = `${world.local}-elsewhere`
  fs.mkdirSync(elsewhere)
  fs.symlinkSync(elsewhere, join(world.local, 'out'))
  world.keep('out/a', 'old', early)
  world.keep('folder', 'old', early)
  fs.mkdirSync(join(world.local, 'folder'))
  assert.ok(E.isLeft(await restored(world, 'out/a', true)))
  assert.equal(fs.readdirSync(elsewhere), [])
  assert.equal(await restored(world, 'folder', true), E.right('Occupied'))
})

test('a link and the executable bit come back as they were', async () => {
  const world = onDisk()
  world.keep('run.sh', 'true', early)
  fs.chmodSync(join(storeOf(world.local), String(early), 'run.sh'), 0o755)
  fs.symlinkSync('run.sh', join(storeOf(world.local), String(early), 'link'))
  assert.equal(await restored(world, 'run.sh', false), E.right('Restored'))
  assert.equal(await restored(world, 'link', false), E.right('Restored'))
  assert.is(fs.statSync(join(world.local, 'run.sh')).mode & 0o777, 0o755)
  assert.is(fs.readlinkSync(join(world.local, 'link')), 'run.sh')
  assert.equal(fs.readdirSync(world.local).toSorted(), ['link', 'run.sh'])
})

test.run()
