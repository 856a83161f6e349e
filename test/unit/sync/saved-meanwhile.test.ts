/** What a program saves while its file is being replaced. */
import nodeFs, * as fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { diskTree } from '../../../src/adapters/sync/disk-tree.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { SyncAct } from '../../../src/domain/sync/act.ts'
import { fileWith } from '../../contract/tree-world.ts'
import { until } from '../../support/process/until.ts'

async function* contentOf(text: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(text)
}

const replacing: SyncAct = { _tag: 'Write', end: 'here', path: 'a', expect: fileWith('one'), file: fileWith('two') }

/** A program saves the file right after it was looked at for the `nth` time, while `run` runs. Whether it did. */
const savedAfterLook = async (file: string, nth: number, run: () => Promise<unknown>): Promise<boolean> => {
  const { lstatSync } = nodeFs
  let looks = 0
  const looking = (...asked: ReadonlyArray<unknown>): unknown => {
    const found: unknown = Reflect.apply(lstatSync, nodeFs, asked)
    if (asked[0] === file) looks += 1
    if (asked[0] === file && looks === nth) {
      nodeFs.writeFileSync(`${file}.new`, 'saved')
      nodeFs.renameSync(`${file}.new`, file)
    }
    return found
  }
  Object.assign(nodeFs, { lstatSync: looking })
  syncBuiltinESMExports()
  try {
    await run()
  } finally {
    Object.assign(nodeFs, { lstatSync })
    syncBuiltinESMExports()
  }
  return looks >= nth
}

test('what a program saves between any look at a file and its replacement is not lost', async () => {
  const root = fs.mkdtempSync(join(tmpdir(), 'saved-'))
  const tree = diskTree({ clock: systemClock, root, isIgnored: () => false })
  const file = join(root, 'a')
  for (let nth = 1; nth <= 6; nth += 1) {
    fs.writeFileSync(file, 'one')
    const isSaved = await savedAfterLook(file, nth, () => tree.act(replacing, contentOf('two'))())
    assert.ok(isSaved)
    await until('nothing is held', () => fs.readdirSync(root).every((name) => !name.startsWith('.devtool-sync-')))
    const left = fs.readdirSync(root).map((name) => fs.readFileSync(join(root, name), 'utf8'))
    assert.ok(left.includes('saved'), `after look ${nth}: ${left.join(', ')}`)
    for (const name of fs.readdirSync(root)) fs.rmSync(join(root, name))
  }
  tree.close()
  fs.rmSync(root, { recursive: true })
})

test.run()
