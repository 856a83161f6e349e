/** What a program saves while its file is being replaced. */
import nodeFs, * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { diskTree } from '../../../src/adapters/sync/disk-tree.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { SyncAct } from '../../../src/domain/sync/act.ts'
import { fileWith } from '../../contract/tree-world.ts'
import { withFs } from '../../support/process/file-systems.ts'
import { until } from '../../support/process/until.ts'

async function* contentOf(text: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(text)
}

const replacing: SyncAct = { _tag: 'Write', end: 'here', path: 'a', expect: fileWith('one'), file: fileWith('two') }

type Call = (call: () => unknown) => unknown

/** What `around` makes of the calls of a function with this file first, while `run` runs. */
const hooked = (name: 'linkSync' | 'lstatSync', file: string, around: Call, run: () => Promise<unknown>) => {
  const real = nodeFs[name]
  const hook = (...asked: ReadonlyArray<unknown>): unknown => {
    const once = (): unknown => Reflect.apply(real, nodeFs, asked)
    return asked[0] === file ? around(once) : once()
  }
  return withFs({ [name]: hook }, run)
}

type World = {
  root: string
  file: string
  replaced: () => Promise<unknown>
  saves: () => void
  left: () => Promise<ReadonlyArray<string>>
}

const test = suite<World>('saved meanwhile')

test.before.each((world) => {
  const root = fs.mkdtempSync(join(tmpdir(), 'saved-'))
  const file = join(root, 'a')
  world.root = root
  world.file = file
  world.replaced = async () => {
    const tree = diskTree({ clock: systemClock, root, isIgnored: () => false })
    await tree.act(replacing, contentOf('two'))()
    tree.close()
  }
  world.saves = () => {
    fs.writeFileSync(`${file}.new`, 'saved')
    fs.renameSync(`${file}.new`, file)
  }
  world.left = async () => {
    await until('nothing is held', () => fs.readdirSync(root).every((name) => !name.startsWith('.devtool-sync-')))
    return fs.readdirSync(root).map((name) => fs.readFileSync(join(root, name), 'utf8'))
  }
  fs.writeFileSync(file, 'one')
})
test.after.each(({ root }) => fs.rmSync(root, { recursive: true }))

for (const nth of [1, 2, 3, 4, 5, 6]) {
  test(`what a program saves after look ${nth} at a file that is being replaced is not lost`, async (world) => {
    let looks = 0
    const around: Call = (look) => {
      const found = look()
      looks += 1
      if (looks === nth) world.saves()
      return found
    }
    await hooked('lstatSync', world.file, around, world.replaced)
    assert.ok(looks >= nth)
    assert.ok((await world.left()).includes('saved'))
  })
}

test('a file that a program deletes and saves again while it is being replaced is not lost', async (world) => {
  let isSaved = false
  const around: Call = (link) => {
    fs.rmSync(world.file)
    try {
      return link()
    } finally {
      world.saves()
      isSaved = true
    }
  }
  await hooked('linkSync', world.file, around, world.replaced)
  assert.ok(isSaved)
  assert.equal(await world.left(), ['saved'])
})

test.run()
