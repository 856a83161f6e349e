/** The engine of synchronisation over folders in memory, with writers at both ends and all faults: a part of the gate. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { runMemoryGate } from '../support/sync/memory-gate.ts'
import { runCut, runMeeting, runOneWriter, runTheirs } from '../support/sync/memory-scenes.ts'
import { runShared } from '../support/sync/memory-shared.ts'

const seeds = Number(process.env['GATE_SEEDS'] ?? 12)
const rounds = 20

for (let seed = 1; seed <= seeds; seed += 1) {
  test(`nothing is lost and both folders become the same, whatever breaks: seed ${seed}`, async () => {
    const { failure } = await runMemoryGate(seed, rounds)
    assert.is(failure, undefined)
  })
}

for (let seed = 1; seed <= 6; seed += 1) {
  test(`what one writer writes again and again is never a conflict: seed ${seed}`, async () => {
    assert.is((await runOneWriter(seed)).conflicts, 0)
  })
}

/** So many acts are sent before the first of them is answered. */
const mostAtOnce = 32

for (let seed = 1; seed <= 6; seed += 1) {
  test(`of what one writer wrote only what was on its way can be in doubt after a cut: seed ${seed}`, async () => {
    assert.ok((await runCut(seed, 200)).conflicts <= mostAtOnce)
  })
}

for (let seed = 1; seed <= 6; seed += 1) {
  test(`after the program was ended by its user nothing of what one writer wrote is in doubt: seed ${seed}`, async () => {
    assert.is((await runCut(seed, 200, 'quit')).conflicts, 0)
  })
}

for (const how of ['Mine', 'Theirs', 'new', 'lost'] as const) {
  test(`nothing is lost when the program is killed while two folders meet: ${how}`, async () => {
    for (let seed = 1; seed <= 5; seed += 1) assert.equal(await runMeeting(seed, 100, how), [])
  })
}

for (let seed = 1; seed <= 4; seed += 1) {
  for (const how of ['cut', 'kill'] as const) {
    test(`whose files were chosen wins also after a ${how}: seed ${seed}`, async () => {
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
  test(`a folder in two containers is the same everywhere, and nothing of three writers is lost: seed ${seed}`, async () => {
    assert.is(await runShared(seed, 8), undefined)
  })
}

test.run()
