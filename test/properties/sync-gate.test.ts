/** The engine of synchronisation over folders in memory, with writers at both ends and all faults: a part of the gate. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { runMemoryGate } from '../support/sync/memory-gate.ts'
import { runCut, runMeeting, runOneWriter, runTheirs } from '../support/sync/memory-scenes.ts'
import { runShared } from '../support/sync/memory-shared.ts'

const seeds = Number(process.env['GATE_SEEDS'] ?? 12)
const rounds = 20

for (let seed = 1; seed <= seeds; seed += 1) {
  test(`whatever breaks, no content is lost and both folders become equal: seed ${seed}`, async () => {
    const { failure } = await runMemoryGate(seed, rounds)
    assert.is(failure, undefined)
  })
}

for (let seed = 1; seed <= 6; seed += 1) {
  test(`repeated changes by one writer are never a conflict, wherever the link is cut: seed ${seed}`, async () => {
    assert.is((await runOneWriter(seed, 0)).conflicts, 0)
    assert.is((await runOneWriter(seed, 0.15)).conflicts, 0)
  })
}

/** So many acts are sent before the first of them is answered. */
const mostAtOnce = 32

for (let seed = 1; seed <= 6; seed += 1) {
  test(`after a cut, changes by one writer never conflict: seed ${seed}`, async () => {
    assert.is((await runCut(seed, 200, 'cut')).conflicts, 0)
  })

  test(`after the agent was killed, they conflict only if they were being transferred: seed ${seed}`, async () => {
    assert.ok((await runCut(seed, 200, 'killed')).conflicts <= mostAtOnce)
  })
}

for (let seed = 1; seed <= 6; seed += 1) {
  test(`after the program was ended by its user, changes by one writer never conflict: seed ${seed}`, async () => {
    assert.is((await runCut(seed, 200, 'quit')).conflicts, 0)
  })
}

for (const how of ['Mine', 'Theirs', 'new', 'lost'] as const) {
  test(`no content is lost when the program is killed while it compares two new folders: ${how}`, async () => {
    for (let seed = 1; seed <= 5; seed += 1) assert.equal(await runMeeting(seed, 100, how), [])
  })
}

for (let seed = 1; seed <= 4; seed += 1) {
  for (const how of ['cut', 'kill'] as const) {
    test(`the choice of whose files to keep also holds after a ${how}: seed ${seed}`, async () => {
      const found = await runTheirs(seed, 150, how)
      assert.is(found.length, 150)
      assert.equal(
        found.filter((content) => !content.startsWith('theirs')),
        [],
      )
    })
  }
}

for (let seed = 1; seed <= 6; seed += 1) {
  test(`a folder in two containers becomes equal everywhere, and no content of three writers is lost: seed ${seed}`, async () => {
    assert.is(await runShared(seed, 8), undefined)
  })
}

test.run()
