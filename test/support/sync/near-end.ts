/**
 * The engine of a synchronisation and the end on this machine, as a program of the stress test: ROOT SOCKET STORE
 * MACHINE WHOSE.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { diskTree } from '../../../src/adapters/sync/disk-tree.ts'
import { fileJournal } from '../../../src/adapters/sync/journal.ts'
import { keeping } from '../../../src/adapters/sync/kept.ts'
import { remoteTree } from '../../../src/adapters/sync/remote-tree.ts'
import { claimRoot, rootIdOf } from '../../../src/adapters/sync/root.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { keepBase } from '../../../src/app/sync/keep-base.ts'
import { synchronise } from '../../../src/app/sync/synchronise.ts'
import { childOf } from '../../../src/domain/sync/path.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { dieAt, isIgnored, type LossyTree, losing, onLine } from './faults.ts'

const [, , root = '', socket = '', store = '', machine = '', whose = ''] = process.argv
const speed = 8
/** Shortens the waits of the engine. */
const clock: Clock = {
  ...systemClock,
  now: () => systemClock.now() * speed,
  after: (ms, f) => systemClock.after(ms / speed, f),
  every: (ms, f) => systemClock.every(ms / speed, f),
}

const claiming = claimRoot(root, store)
const here = losing(
  diskTree({
    clock: systemClock,
    root,
    rootId: rootIdOf(root),
    isIgnored,
    keep: keeping(join(store, 'kept'), Date.now),
  }),
  0.1,
)
const session = `${process.pid}-${Math.random()}`
let conflicts = 0
let there: LossyTree | undefined
const engine = synchronise(clock, {
  here,
  keeper: keepBase(fileJournal(join(store, 'base'))),
  modeOf: () => 'two-way',
  machine,
  user: 'me',
  newId: () => `${process.pid}-${Math.random()}`,
  whose: () => TE.right(whose === 'Theirs' ? 'Theirs' : 'Mine'),
  say: (notice) => {
    if (notice._tag === 'Conflict') conflicts += 1
    if (notice._tag === 'Deletions')
      setImmediate(() => engine.answer(notice.deletions, Math.random() < 0.5 ? 'Carry' : 'Restore'))
  },
})

const state = (): unknown => {
  const { base, hindrances, isComplete, isLinked, isLooked, open, running } = engine.state()
  const left = [...base].flatMap(([folder, names]) =>
    [...names].flatMap(([name, { _tag }]) => (_tag === 'Left' ? [childOf(folder, name)] : [])),
  )
  return {
    isComplete: isComplete && isLinked && running === undefined,
    isLooked: isLooked.here && isLooked.there,
    open: open.slice(0, 5),
    conflicts,
    left,
    hindrances: hindrances.map(({ path }) => path),
  }
}

onLine(([word, value]) => {
  if (word === 'die') dieAt(Number(value))
  if (word === 'whole') for (const tree of [here, there]) tree?.overflow()
  if (word === 'quit') {
    void engine
      .stop()
      .then(() => claiming)
      .then(({ release }) => release())
      .then(() => process.exit())
  }
  if (word === 'state') process.stdout.write(`${JSON.stringify(state())}\n`)
})

const stayConnected = async (): Promise<void> => {
  await claiming
  for (;;) {
    const channel = connect(socket)
    const closed = once(channel, 'close').catch(() => {})
    const opened = await remoteTree(systemClock, channel, { root: '/', ignores: '', isEager: true, session })()
    if (E.isRight(opened)) {
      there = losing(opened.right, 0)
      await engine.link(there)()
      await closed
      there = undefined
    }
    channel.destroy()
    await systemClock.sleep(5)
  }
}
void stayConnected()
