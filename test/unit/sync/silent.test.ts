/** An agent that does not answer, or answers with more than there may be. */
import { type Duplex, duplexPair } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { messages, send } from '../../../src/adapters/sync/frames.ts'
import { newHeard } from '../../../src/adapters/sync/heard.ts'
import type { ListedPart } from '../../../src/adapters/sync/messages.ts'
import { remoteTree } from '../../../src/adapters/sync/remote-tree.ts'
import { serveTree } from '../../../src/adapters/sync/serve-tree.ts'
import type { OpenTree } from '../../../src/ports/tree.ts'
import { rightOf } from '../../contract/tree-world.ts'
import { type MemoryClock, memoryClock, settle } from '../../memory/clock.ts'
import { memoryTree } from '../../memory/tree.ts'

type World = { clock: MemoryClock; near: Duplex; far: Duplex }

const test = suite<World>('an agent that does not answer')

test.before.each((context) => {
  const [near, far] = duplexPair()
  Object.assign(context, { clock: memoryClock(), near, far })
})

const opening = { root: '/', ignores: '', session: 'one' }
const lost = { _tag: 'Lost', reason: 'it does not answer' }

/** Only the folder is opened. */
const opened = async ({ clock, far, near }: World): Promise<OpenTree> => {
  const answer = async (): Promise<void> => {
    for await (const { head } of messages(far)) {
      const { id, question } = Object(head)
      if (question?._tag === 'Open') await send(far, { id, end: true })
    }
  }
  void answer()
  return rightOf(remoteTree(clock, near, opening))
}

test('opening a folder that never answers ends with an error', async ({ clock, near }) => {
  const given = remoteTree(clock, near, opening)()
  await clock.advance(60_000)
  assert.equal(await given, E.left(lost))
  assert.ok(near.destroyed)
  assert.is(clock.sleeping(), 0, 'nothing waits any more')
})

for (const what of ['look', 'marker', 'polled', 'read', 'act', 'outcomes', 'makeAll'] as const) {
  test(`a question that is never answered ends the link, and what waits for it: ${what}`, async (world) => {
    const tree = await opened(world)
    const events: Array<string> = []
    tree.watch(({ _tag }) => events.push(_tag))
    const file = { _tag: 'File', hash: 'a'.repeat(64), isExecutable: false, size: 1 } as const
    const ask: Record<typeof what, () => Promise<unknown>> = {
      look: tree.look(),
      marker: tree.marker,
      polled: tree.polled,
      makeAll: tree.makeAll([], new Uint8Array()),
      outcomes: tree.outcomes(['ticket']),
      act: async () => {
        const outcome = await tree.act({ _tag: 'MakeFolder', end: 'there', path: 'a', expect: undefined })()
        assert.ok(outcome._tag === 'Lost' && outcome.ticket !== undefined)
        return E.left({ _tag: 'Lost', reason: outcome.reason })
      },
      read: async () => {
        try {
          for await (const _ of tree.read('a', file)) assert.unreachable()
        } catch (cause) {
          return E.left({ _tag: 'Lost', reason: cause instanceof Error ? cause.message : '' })
        }
        return undefined
      },
    }
    const asked = ask[what]()
    await world.clock.advance(60_000)
    assert.equal(await asked, E.left(lost))
    assert.equal(events, ['Lost'])
  })
}

test('an end that sends signs of life during a listing of hours is waited for', async ({ clock, far, near }) => {
  const tree = memoryTree()
  let finish = (): void => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const slow: OpenTree = {
    ...tree,
    look: (folders) => async () => {
      await finished
      return tree.look(folders)()
    },
  }
  void serveTree(clock, far, () => slow, new Map())
  const served = await rightOf(remoteTree(clock, near, { root: process.cwd(), ignores: '', session: 'one' }))
  const looking = served.look()()
  await clock.advance(2 * 60 * 60 * 1000)
  finish()
  await settle()
  assert.ok(E.isRight(await looking))
  served.close()
})

const file = { _tag: 'File', hash: 'a'.repeat(64), isExecutable: false, size: 1 } as const
const listed = (folder: string, from: number, count: number): ListedPart => [
  [folder, false, Array.from({ length: count }, (_, index) => [`f${from + index}`, file])],
]

test('endless and repeated listings have a limit of memory', () => {
  const tooMuch = /too many files/
  const bytes = 100_000
  const endless = newHeard(bytes)()
  assert.throws(() => {
    for (let at = 0; at < 1000; at += 10) endless.add(listed('', at, 10))
  }, tooMuch)
  const unfinished = newHeard(bytes)
  assert.throws(() => {
    for (let at = 0; at < 1000; at += 10) unfinished().add(listed('', 0, 10))
  }, tooMuch)
  const folders = newHeard(bytes)
  assert.throws(() => {
    for (let at = 0; at < 1000; at += 1) {
      const look = folders()
      look.add(listed(`d${at}`, 0, 10))
      look.end(false)
    }
  }, tooMuch)
  const again = newHeard(bytes)
  for (let at = 0; at < 1000; at += 1) {
    const look = again()
    look.add(listed('d', at, 10))
    look.end(at % 100 === 0)
  }
})

test.run()
