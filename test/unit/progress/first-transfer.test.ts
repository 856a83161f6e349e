/** What is shown of the first transfer of a folder. */
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { syncFolder } from '../../../src/app/dev/sync-folder.ts'
import type { OpenTree } from '../../../src/ports/tree.ts'
import { memoryClock, settle } from '../../memory/clock.ts'
import { idleLink } from '../../memory/links.ts'
import { memoryFolder, noSyncedFolders } from '../../memory/synced-folders.ts'
import { fileOf, memoryTree } from '../../memory/tree.ts'

/** Parts that arrive one after the other, each after this time. */
const slow = (tree: OpenTree, pause: () => Promise<void>): OpenTree => {
  let last: Promise<unknown> = Promise.resolve()
  return {
    ...tree,
    makeAll:
      (...given) =>
      () => {
        const made = last.then(pause).then(() => tree.makeAll(...given)())
        last = made
        return made
      },
  }
}

test('of the first transfer, its share, its speed and the time that is left are shown', async () => {
  const clock = memoryClock()
  const [here, there] = [memoryTree(), memoryTree()]
  // Each is a part of its own.
  for (let nth = 0; nth < 10; nth += 1) here.change(`f${nth}`, fileOf('x'.repeat(400_000)))
  const sync = syncFolder(
    { clock, syncedFolders: { ...noSyncedFolders, reach: () => TE.right(slow(there, () => clock.sleep(10_000))) } },
    { link: () => TE.right({ link: idleLink, pod: { name: 'dev-1', uid: 'u1' } }) },
    {
      folder: memoryFolder(here),
      mode: undefined,
      remote: { root: '/app', ignores: '', session: 'one' },
      isReset: false,
      machine: 'desk',
      user: 'ann',
      whose: () => TE.right('Mine'),
      say: () => {},
    },
  )
  await settle(50)
  const shown: Array<string> = []
  for (let nth = 0; nth < 10; nth += 1) {
    await clock.advance(10_000)
    shown.push(sync.progress())
  }
  assert.equal(shown.slice(0, 9), [
    '10 %, 0.4 of 4.0 MB, 40.0 kB/s, 1m30s left',
    '20 %, 0.8 of 4.0 MB, 40.0 kB/s, 1m20s left',
    '30 %, 1.2 of 4.0 MB, 40.0 kB/s, 1m10s left',
    '40 %, 1.6 of 4.0 MB, 40.0 kB/s, 1m00s left',
    '50 %, 2.0 of 4.0 MB, 40.0 kB/s, 50s left',
    '60 %, 2.4 of 4.0 MB, 40.0 kB/s, 40s left',
    '70 %, 2.8 of 4.0 MB, 40.0 kB/s, 30s left',
    '80 %, 3.2 of 4.0 MB, 40.0 kB/s, 20s left',
    '90 %, 3.6 of 4.0 MB, 40.0 kB/s, 10s left',
  ])
  await clock.advance(2000)
  assert.is(sync.progress(), '100 %')
  assert.is(there.nodes.size, here.nodes.size)
  const stopping = sync.stop()
  await clock.advance(3000)
  await stopping
})

test.run()
