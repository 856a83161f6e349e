/** A folder that one process synchronises with several containers. */
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { syncedFolders } from '../../../src/adapters/sync/synced-folders.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { SyncedFolder } from '../../../src/ports/synced-folders.ts'
import type { TreeEvent } from '../../../src/ports/tree.ts'
import { fileWith, rightOf } from '../../contract/tree-world.ts'
import { withFs } from '../../support/process/file-systems.ts'
import { until } from '../../support/process/until.ts'

type World = {
  base: string
  open: (name: string, others?: ReadonlyArray<string>) => Promise<SyncedFolder>
}

const test = suite<World>('a folder of several containers')
test.before.each((world) => {
  world.base = fs.mkdtempSync(join(tmpdir(), 'shared-'))
  const { base } = world
  fs.mkdirSync(join(base, 'root/below'), { recursive: true })
  const folders = syncedFolders(systemClock)
  world.open = (name, others = []) =>
    rightOf(folders.open(join(base, 'root'), join(base, 'home/sync', name), join(base, 'home'), { others }))
})
test.after.each(({ base }) => fs.rmSync(base, { recursive: true }))

const look = async (folders: ReadonlyArray<SyncedFolder>): Promise<void> => {
  await Promise.all(folders.map(({ tree }) => rightOf(tree.look())))
}

/** Runs it, and returns the names of the folders that were watched, and of the files that were opened. */
const seen = async ({ base }: World, run: () => Promise<unknown>) => {
  const [watched, opened]: ReadonlyArray<Array<string>> = [[], []]
  const { openSync, watch } = fs
  const noted =
    <A extends ReadonlyArray<never>, B>(names: Array<string> | undefined, call: (...given: A) => B) =>
    (...given: A): B => {
      const [path] = given
      if (String(path).startsWith(join(base, 'root'))) names?.push(String(path).slice(join(base, 'root').length))
      return call(...given)
    }
  await withFs({ watch: noted(watched, watch), openSync: noted(opened, openSync) }, run)
  return { watched: watched?.toSorted(), opened: opened?.toSorted() }
}

test('it is watched and read once', async (world) => {
  fs.writeFileSync(join(world.base, 'root/below/a'), 'one')
  const folders = [await world.open('api'), await world.open('web')]
  assert.equal(await seen(world, () => look(folders)), { watched: ['', '/below'], opened: ['/below/a'] })
  for (const { close } of folders) await close()
})

test('each container hears of a change, until its folder is closed', async ({ base, open }) => {
  const folders = [await open('api'), await open('web')]
  await look(folders)
  const told: ReadonlyArray<Array<TreeEvent>> = [[], []]
  const stops = folders.map(({ tree }, at) => tree.watch((event) => told[at]?.push(event)))
  fs.writeFileSync(join(base, 'root/below/a'), 'one')
  await until('both', () => told.every(({ length }) => length > 0))
  stops[0]?.()
  await folders[0]?.close()
  await folders[0]?.close()
  const before = told.map(({ length }) => length)
  fs.writeFileSync(join(base, 'root/below/b'), 'two')
  await until('the other', () => (told[1]?.length ?? 0) > (before[1] ?? 0))
  assert.is(told[0]?.length, before[0])
  stops[1]?.()
  await folders[1]?.close()
})

test('copies are kept for the container whose change replaces a file', async ({ base, open }) => {
  fs.writeFileSync(join(base, 'root/a'), 'one')
  const [api, web] = [await open('api'), await open('web')]
  await look([api, web])
  for (const [{ tree }, before, after] of [
    [api, 'one', 'of api'],
    [web, 'of api', 'of web'],
  ] as const) {
    const content = (async function* () {
      yield Buffer.from(after)
    })()
    const act = { _tag: 'Write', end: 'here', path: 'a', expect: fileWith(before), file: fileWith(after) } as const
    assert.is((await tree.act(act, content)())._tag, 'Done')
  }
  const keptBy = (name: string): ReadonlyArray<string> => {
    const kept = join(base, 'home/sync', name, 'kept')
    return fs.readdirSync(kept).map((time) => fs.readFileSync(join(kept, time, 'a'), 'utf8'))
  }
  assert.equal([keptBy('api'), keptBy('web')], [['one'], ['of api']])
  for (const { close } of [api, web]) await close()
})

test('it is another one with other rules, or once all are closed', async (world) => {
  const api = await world.open('api')
  const web = await world.open('web', ['below'])
  assert.equal((await seen(world, () => look([api, web]))).watched, ['', '', '/below'])
  const { listings } = await rightOf(web.tree.look())
  assert.equal([...listings.keys()], [''])
  for (const { close } of [api, web]) await close()
  const again = await world.open('api')
  assert.equal((await seen(world, () => look([again]))).watched, ['', '/below'])
  await again.close()
})

test.run()
