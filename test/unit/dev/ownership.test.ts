import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { mirrorName, mirrorSelector, UP_SELECTOR } from '../../../src/domain/dev/names.ts'
import { mayDevelop, mayEnd, ownershipOf } from '../../../src/domain/dev/ownership.ts'
import type { DevRecord, Holder } from '../../../src/domain/dev/record.ts'
import { apiRecord } from '../../support/dev/record.ts'
import { ann, nowMs } from '../../support/dev/request.ts'

const heldBy = (holder: Holder, beat: string): DevRecord => ({ ...apiRecord, holder, beat })

const [fresh, silent] = ['2026-11-21T09:59:50Z', '2026-11-21T09:30:00Z']
const asking = (isRunning: boolean) => ({ me: { ...ann, session: 'ann-2', pid: 5000 }, isRunning, nowMs })
const bob: Holder = { user: 'bob', machine: 'desk', pid: 1, session: 'bob-1' }
const home: Holder = { ...ann, machine: 'home' }

const found = <A>(result: E.Either<{ readonly code: string }, A>): string | A =>
  E.isLeft(result) ? result.left.code : result.right

/** Who holds it, whether that process runs here, the beat → whose it is, `up`, `down`. */
const table = [
  [ann, false, fresh, 'Mine', { isTakenOver: false }, 'ends'],
  [ann, true, fresh, 'Busy', 'DT5005', 'ends'],
  [ann, true, silent, 'Busy', 'DT5005', 'ends'],
  [home, false, fresh, 'Away', 'DT5005', 'ends'],
  [home, true, silent, 'Away', { isTakenOver: true }, 'ends'],
  [bob, false, fresh, 'Foreign', 'DT5006', 'DT5006'],
  [bob, true, silent, 'Foreign', 'DT5006', 'DT5006'],
] as const

for (const [holder, isRunning, beat, whose, up, down] of table) {
  const title = `${holder.user} on ${holder.machine}, ${isRunning ? 'running' : 'not running'}, heard at ${beat}`
  test(`${title}: ${whose}`, () => {
    const record = heldBy(holder, beat)
    assert.is(ownershipOf(record, asking(isRunning))._tag, whose)
    assert.equal(found(mayDevelop(record, asking(isRunning), false)), up)
    const ended = mayEnd(record, asking(isRunning), false)
    assert.is(E.isRight(ended) ? 'ends' : found(ended), down)
  })
  test(`${title}: --take-over always takes over`, () => {
    const record = heldBy(holder, beat)
    assert.ok(E.isRight(mayDevelop(record, asking(isRunning), true)))
    assert.ok(E.isRight(mayEnd(record, asking(isRunning), true)))
  })
}

test('the session that wrote the record holds it, whatever else runs', () => {
  assert.is(ownershipOf(heldBy(ann, silent), { me: ann, isRunning: true, nowMs })._tag, 'Mine')
})

test('names contain the kind, have at most 63 characters and are unique', () => {
  const long = 'a'.repeat(70)
  const names = ['Deployment', 'StatefulSet'].flatMap((kind) =>
    ['api', 'a.b', 'a-b', long, `${long}b`].map((name) => mirrorName(kind, name)),
  )
  assert.is(new Set(names).size, names.length)
  assert.ok(names.every((name) => /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)))
  assert.is(mirrorName('Deployment', 'api'), 'devtool-up-deployment-api')
  assert.is(mirrorSelector('devtool-up-deployment-api'), 'dev.devtool/mirror=devtool-up-deployment-api')
  assert.is(UP_SELECTOR, 'dev.devtool/kind=up')
})

test.run()
