/** Links to one folder that follow each other: what became of the acts of the last one. */
import { once } from 'node:events'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Duplex, duplexPair } from 'node:stream'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { diskTree } from '../../../src/adapters/sync/disk-tree.ts'
import { remoteTree } from '../../../src/adapters/sync/remote-tree.ts'
import { serveTree } from '../../../src/adapters/sync/serve-tree.ts'
import type { TreeSessions } from '../../../src/adapters/sync/tree-sessions.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { ActOutcome, SyncAct } from '../../../src/domain/sync/act.ts'
import type { OpenTree } from '../../../src/ports/tree.ts'
import { fileWith, rightOf } from '../../contract/tree-world.ts'
import { until } from '../../support/process/until.ts'

type Reached = { readonly near: Duplex; readonly far: Duplex; readonly tree: OpenTree }

type World = {
  root: string
  /** Until it resolves, the end in the container does not learn that an act was carried out. */
  held: Promise<void>
  reach: (session?: string) => Promise<Reached>
}

const test = suite<World>('successive links')

test.before.each((context) => {
  const root = fs.mkdtempSync(join(tmpdir(), 'successive-links-'))
  const sessions: TreeSessions = new Map()
  context.root = root
  context.held = Promise.resolve()
  const slow = (tree: OpenTree): OpenTree => ({
    ...tree,
    act: (act, content) => async () => {
      const outcome = await tree.act(act, content)()
      await context.held
      return outcome
    },
  })
  context.reach = async (session = 'one') => {
    const [near, far] = duplexPair()
    near.once('close', () => far.destroy())
    far.once('close', () => near.destroy())
    const open = (): OpenTree => slow(diskTree({ clock: systemClock, root, isIgnored: () => false }))
    void serveTree(systemClock, far, open, sessions)
    return { near, far, tree: await rightOf(remoteTree(systemClock, near, { root, ignores: '', session })) }
  }
})
test.after.each(({ root }) => fs.rmSync(root, { recursive: true }))

const writeOf = (text: string): SyncAct => ({
  _tag: 'Write',
  end: 'there',
  path: 'a',
  expect: undefined,
  file: fileWith(text),
})

async function* contentOf(text: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(text)
}

/** Its first half, and the second after the link was cut. `onSent`: called when the first has been sent. */
async function* slowly(text: string, link: Duplex, onSent: () => void): AsyncGenerator<Uint8Array, void> {
  const half = text.length / 2
  yield Buffer.from(text.slice(0, half))
  onSent()
  await once(link, 'close')
  yield Buffer.from(text.slice(half))
}

const ticketOf = (outcome: ActOutcome): string => {
  if (outcome._tag !== 'Lost' || outcome.ticket === undefined) throw new Error(`it was not lost: ${outcome._tag}`)
  return outcome.ticket
}

test('an act that was carried out while its link broke is known over the next one', async (context) => {
  const { reach, root } = context
  let release = (): void => {}
  context.held = new Promise((resolve) => {
    release = resolve
  })
  const first = await reach()
  const acting = first.tree.act(writeOf('one'), contentOf('one'))()
  await until('the file is written', () => fs.existsSync(join(root, 'a')))
  first.near.destroy()
  const ticket = ticketOf(await acting)
  const reaching = reach()
  release()
  const second = await reaching
  assert.equal(await rightOf(second.tree.outcomes([ticket])), [{ _tag: 'Done', entry: fileWith('one') }])
  second.tree.close()
})

test('an act whose content was cut off was not carried out, nor was one that did not arrive', async ({
  reach,
  root,
}) => {
  const first = await reach()
  let acting: Promise<ActOutcome> | undefined
  await new Promise<void>((resolve) => {
    acting = first.tree.act(writeOf('one!'), slowly('one!', first.near, resolve))()
  })
  // Answered after the part has arrived.
  await rightOf(first.tree.marker)
  first.near.destroy()
  const second = await reach()
  assert.ok(acting)
  const outcomes = await rightOf(second.tree.outcomes([ticketOf(await acting), 'another']))
  assert.equal(
    outcomes?.map(({ _tag }) => _tag),
    ['Failed', 'Failed'],
  )
  assert.is(fs.existsSync(join(root, 'a')), false)
  second.tree.close()
})

test('an earlier link of the session changes nothing once the next one is open', async ({ reach, root }) => {
  const first = await reach()
  const second = await reach()
  assert.is((await first.tree.act(writeOf('late'), contentOf('late'))())._tag, 'Lost')
  assert.is(fs.existsSync(join(root, 'a')), false)
  assert.is((await second.tree.act(writeOf('new'), contentOf('new'))())._tag, 'Done')
  second.tree.close()
})

test('that holds even if the stream of the earlier link never closes', async ({ reach, root }) => {
  const first = await reach()
  // As a channel of SSH whose other end is silent.
  first.far.destroy = () => first.far
  const second = await reach()
  const read = once(first.far, 'data')
  void first.tree.act(writeOf('late'), contentOf('late'))()
  await read
  assert.is((await second.tree.act(writeOf('new'), contentOf('new'))())._tag, 'Done')
  assert.is(fs.readFileSync(join(root, 'a'), 'utf8'), 'new')
  second.tree.close()
  first.near.destroy()
})

test('links of other sessions stay open, and what became of their acts is not known', async ({ reach }) => {
  const first = await reach('one')
  const second = await reach('two')
  assert.is(await rightOf(second.tree.outcomes(['ticket'])), undefined)
  assert.is((await first.tree.act(writeOf('one'), contentOf('one'))())._tag, 'Done')
  first.tree.close()
  second.tree.close()
})

test.run()
