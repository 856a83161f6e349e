/** What a program saves shortly before an action replaces or removes a file: the action is refused. */
import nodeFs, * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { diskTree } from '../../../src/adapters/sync/disk-tree.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { ActOutcome, SyncAct } from '../../../src/domain/sync/act.ts'
import { fileWith } from '../../contract/tree-world.ts'
import { withFs } from '../../support/process/file-systems.ts'

/** Called while the new content arrives, while a copy is kept, and after the action. */
type Calls = { readonly content?: () => void; readonly keep?: () => void; readonly after?: () => void }

type World = {
  root: string
  file: string
  /** The copies that were made before something was replaced or removed. */
  kept: Array<string>
  saves: () => void
  act: (act: SyncAct, calls?: Calls) => Promise<ActOutcome>
}

const test = suite<World>('preconditions')

test.before.each((world) => {
  world.root = fs.mkdtempSync(join(tmpdir(), 'preconditions-'))
  world.file = join(world.root, 'a')
  world.kept = []
  world.saves = () => {
    fs.writeFileSync(`${world.file}.new`, 'saved')
    fs.renameSync(`${world.file}.new`, world.file)
  }
  world.act = async (act, calls = {}) => {
    const keep = (_: string, from: string): string => {
      world.kept.push(fs.readFileSync(from, 'utf8'))
      calls.keep?.()
      return ''
    }
    async function* content(): AsyncGenerator<Uint8Array, void> {
      yield Buffer.from('two')
      calls.content?.()
    }
    const tree = diskTree({ clock: systemClock, root: world.root, isIgnored: () => false, keep })
    const outcome = await tree.act(act, act._tag === 'Write' ? content() : undefined)()
    calls.after?.()
    // What was held is given back, or deleted.
    tree.close()
    return outcome
  }
  fs.writeFileSync(world.file, 'one')
})
test.after.each(({ root }) => fs.rmSync(root, { recursive: true }))

const at = { end: 'here', path: 'a', expect: fileWith('one') } as const
const writes: SyncAct = { _tag: 'Write', ...at, file: fileWith('two') }
const removes: SyncAct = { _tag: 'Remove', ...at }
const acts: ReadonlyArray<readonly [string, SyncAct]> = [
  ['written', writes],
  ['replaced by a link', { _tag: 'MakeLink', ...at, target: 'b' }],
  ['removed', removes],
  ['made executable', { _tag: 'SetExecutable', ...at, isExecutable: true }],
]

const refused: ActOutcome = { _tag: 'Refused', found: fileWith('saved') }

const texts = ({ root }: World): ReadonlyArray<string> =>
  fs.readdirSync(root).map((name) => `${name}: ${fs.readFileSync(join(root, name), 'utf8')}`)

/** Runs `save` after this call of `lstatSync` for the file. */
const afterLook = (file: string, nth: number, save: () => void, run: () => Promise<ActOutcome>) => {
  const { lstatSync } = nodeFs
  let looks = 0
  const look = (...asked: ReadonlyArray<unknown>): unknown => {
    const found = Reflect.apply(lstatSync, nodeFs, asked)
    if (asked[0] === file) {
      looks += 1
      if (looks === nth) save()
    }
    return found
  }
  return withFs({ lstatSync: look }, run)
}

for (const [what, act] of acts) {
  for (const nth of [1, 2]) {
    test(`a file that is saved after look ${nth} at it is not ${what}`, async (world) => {
      const outcome = await afterLook(world.file, nth, world.saves, () => world.act(act))
      assert.equal(outcome, refused)
      assert.equal(texts(world), ['a: saved'])
      assert.is(fs.statSync(world.file).mode & 0o111, 0)
    })
  }
}

test('a file that is saved while the new content arrives is not replaced, and no copy is kept', async (world) => {
  assert.equal(await world.act(writes, { content: world.saves }), refused)
  assert.equal(texts(world), ['a: saved'])
  assert.equal(world.kept, [])
})

test('a file that is saved while a copy of it is kept is not replaced', async (world) => {
  assert.equal(await world.act(writes, { keep: world.saves }), refused)
  assert.equal(texts(world), ['a: saved'])
})

test('a file that is deleted while a copy of it is kept is not created again', async (world) => {
  const outcome = await world.act(writes, { keep: () => fs.rmSync(world.file) })
  assert.equal(outcome, { _tag: 'Refused', found: undefined })
  assert.equal(texts(world), [])
})

test('a file that appears while the content of a new one arrives is not replaced', async (world) => {
  fs.rmSync(world.file)
  assert.equal(await world.act({ ...writes, expect: undefined }, { content: world.saves }), refused)
  assert.equal(texts(world), ['a: saved'])
})

test('a file that is saved right before it is moved away to be removed is there again, and not kept', async (world) => {
  const { renameSync } = nodeFs
  const moving = (...asked: ReadonlyArray<unknown>): unknown => {
    if (asked[0] === world.file) world.saves()
    return Reflect.apply(renameSync, nodeFs, asked)
  }
  assert.equal(await withFs({ renameSync: moving }, () => world.act(removes)), refused)
  assert.equal(texts(world), ['a: saved'])
  assert.equal(world.kept, [])
})

test('a file that cannot be kept is there again', async (world) => {
  const fail = (): never => {
    throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' })
  }
  for (const act of [writes, removes]) {
    const outcome = await world.act(act, { keep: fail })
    assert.is(outcome._tag === 'Failed' && outcome.trouble, 'NoSpace')
    assert.equal(texts(world), ['a: one'])
  }
})

for (const [what, act, found] of [
  ['replaced is kept beside it', writes, ['a.conflict-1: late', 'a: two']],
  ['removed brings it back', removes, ['a: late']],
] as const) {
  test(`what a program writes meanwhile to a file that was ${what} once its folder is closed`, async (world) => {
    const opened = fs.openSync(world.file, 'r+')
    const write = (): void => {
      fs.writeSync(opened, 'late')
      fs.closeSync(opened)
    }
    assert.is((await world.act(act, { after: write }))._tag, 'Done')
    assert.equal(texts(world).toSorted(), found)
  })
}

test('what a program writes to a removed file whose folder was removed, too, is in the root', async (world) => {
  const [folder, file] = [join(world.root, 'sub'), join(world.root, 'sub/b')]
  fs.mkdirSync(folder)
  fs.writeFileSync(file, 'one')
  const opened = fs.openSync(file, 'r+')
  const write = (): void => {
    fs.rmdirSync(folder)
    fs.writeSync(opened, 'late')
    fs.closeSync(opened)
  }
  assert.is((await world.act({ ...removes, path: 'sub/b' }, { after: write }))._tag, 'Done')
  assert.equal(texts(world), ['a: one', 'b: late'])
})

/** Some file systems have none. */
const withoutLinks = (run: () => Promise<void>): Promise<void> => {
  const linkSync = (): never => {
    throw Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM' })
  }
  return withFs({ linkSync }, run)
}

test('without hard links, files are created, replaced and removed', (world) =>
  withoutLinks(async () => {
    assert.is((await world.act(writes))._tag, 'Done')
    assert.equal(texts(world), ['a: two'])
    assert.is((await world.act({ ...removes, expect: fileWith('two') }))._tag, 'Done')
    assert.equal(texts(world), [])
    assert.is((await world.act({ ...writes, expect: undefined }))._tag, 'Done')
    assert.equal(texts(world), ['a: two'])
  }))

test('without hard links, a file that appears while the content of a new one arrives is not replaced', (world) =>
  withoutLinks(async () => {
    fs.rmSync(world.file)
    // After the last look at it before it is placed.
    const act = (): Promise<ActOutcome> => world.act({ ...writes, expect: undefined })
    assert.equal(await afterLook(world.file, 3, world.saves, act), refused)
    assert.equal(texts(world), ['a: saved'])
  }))

test.run()
