/** How the file system of a folder treats names. */
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { duplexPair } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ignoresCase } from '../../../src/adapters/sync/naming.ts'
import { remoteTree } from '../../../src/adapters/sync/remote-tree.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { serveSync } from '../../../src/agent/sync.ts'
import { syncRulesOf } from '../../../src/domain/ignore/sync-rules.ts'
import { caseIgnoringFs, renamingFs, withFs } from '../../support/process/file-systems.ts'

const test = suite<{ root: string }>('naming')
test.before.each((world) => {
  world.root = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), 'naming-'))
})
test.after.each(({ root }) => fs.rmSync(root, { recursive: true }))

test('the folder is as it was after its file system was asked how it treats names', ({ root }) => {
  assert.is(ignoresCase(root), false)
  assert.equal(fs.readdirSync(root), [])
  fs.chmodSync(root, 0o555)
  assert.is(ignoresCase(root), false)
  assert.is(ignoresCase(join(root, 'absent')), false)
})

test('a file system that finds files by names in another case is told from others', async ({ root }) => {
  assert.is(await withFs(caseIgnoringFs, () => ignoresCase(root)), true)
  assert.equal(fs.readdirSync(root), [])
})

const changes = [
  ['to lower case', (name: string) => name.toLowerCase()],
  ['to the decomposed form of Unicode', (name: string) => name.normalize('NFD')],
] as const

for (const [how, stored] of changes) {
  test(`a file system that changes names ${how} is refused, and the folder is as it was`, async ({ root }) => {
    const refused = `the file system of ${root} changes the names of files, so those at the other end would be renamed`
    await withFs(renamingFs(stored), async () => {
      assert.throws(
        () => ignoresCase(root),
        (thrown: Error) => thrown.message === refused,
      )
      const [near, far] = duplexPair()
      void serveSync(far)
      const opening = { root, ignores: syncRulesOf(() => undefined).text, session: 'one' }
      assert.equal(await remoteTree(systemClock, near, opening)(), E.left({ _tag: 'NoRoot', reason: refused }))
      near.destroy()
    })
    assert.equal(fs.readdirSync(root), [])
  })
}

test.run()
