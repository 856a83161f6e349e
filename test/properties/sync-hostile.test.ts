/** A synchronisation with a container that lies: nothing outside of the folder is touched, and nothing in it is lost. */
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { duplexPair } from 'node:stream'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { diskTree } from '../../src/adapters/sync/disk-tree.ts'
import { messages } from '../../src/adapters/sync/frames.ts'
import { keeping } from '../../src/adapters/sync/kept.ts'
import { isPath } from '../../src/adapters/sync/names.ts'
import { remoteTree } from '../../src/adapters/sync/remote-tree.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { fill } from '../../src/app/sync/fill.ts'
import { keepBase } from '../../src/app/sync/keep-base.ts'
import { synchronise } from '../../src/app/sync/synchronise.ts'
import { filesIn } from '../support/process/files-in.ts'
import { lie } from '../support/sync/liar.ts'
import { memoryJournal } from '../support/sync/memory-journal.ts'
import { type Random, randomOf } from '../support/sync/random.ts'

const test = suite<{ base: string }>('a container that lies')

test.before.each((context) => {
  context.base = fs.mkdtempSync(join(tmpdir(), 'liar-'))
})
test.after.each(({ base }) => fs.rmSync(base, { recursive: true }))

const contentsBelow = (folder: string): ReadonlySet<string> =>
  new Set(filesIn(folder).map((path) => fs.readFileSync(path, 'utf8')))

type Mine = { readonly here: string; readonly outside: string; readonly kept: string; readonly born: Set<string> }

const newMine = (base: string): Mine => {
  const mine = { here: join(base, 'here'), outside: join(base, 'outside'), kept: join(base, 'kept'), born: new Set('') }
  for (const folder of [mine.here, mine.outside, mine.kept, join(mine.here, 'c')]) fs.mkdirSync(folder)
  fs.writeFileSync(join(mine.outside, 'secret'), 'secret')
  fs.symlinkSync('../outside', join(mine.here, 'link'))
  fs.symlinkSync(mine.outside, join(mine.here, 'out'))
  return mine
}

/** In new files: nothing that was there before is ended by the user. */
const write = ({ born, here }: Mine, random: Random): void => {
  const text = `mine ${born.size}`
  try {
    fs.writeFileSync(join(here, random.pick(['a', 'b', 'd', 'c/d', 'c/e']) ?? ''), text, { flag: 'wx' })
    born.add(text)
  } catch {
    // It is there, or its folder is not.
  }
}

const session = async (mine: Mine, seed: number): Promise<void> => {
  const random = randomOf(seed)
  const tree = diskTree({
    clock: systemClock,
    root: mine.here,
    isIgnored: () => false,
    keep: keeping(mine.kept, Date.now),
  })
  const engine = synchronise(systemClock, {
    here: tree,
    keeper: keepBase(memoryJournal()),
    modeOf: () => 'two-way',
    machine: 'laptop',
    user: 'ann',
    newId: () => `id${random.below(1000)}`,
    whose: () => TE.right(random.chance(0.5) ? 'Mine' : 'Theirs'),
    say: (notice) => {
      if (notice._tag === 'Deletions') setImmediate(() => engine.answer(notice.deletions, 'Carry'))
    },
  })
  for (let link = 0; link < 6; link += 1) {
    const [near, far] = duplexPair()
    near.once('close', () => far.destroy())
    void lie(far, random)
    const there = await remoteTree(systemClock, near, { root: '/', ignores: '', session: 'one' })()
    if (E.isLeft(there)) continue
    await engine.link(there.right, random.chance(0.5) ? fill(tree, there.right, () => {}) : undefined)()
    for (let turn = 0; turn < 4; turn += 1) {
      write(mine, random)
      await systemClock.sleep(random.below(8))
    }
    there.right.close()
  }
  await engine.stop()
  tree.close()
}

for (let seed = 1; seed <= 25; seed += 1) {
  test(`a hostile end changes nothing outside the folder, and local content stays or is kept: seed ${seed}`, async ({
    base,
  }) => {
    const mine = newMine(base)
    await session(mine, seed)
    assert.equal(fs.readdirSync(mine.outside), ['secret'])
    assert.is(fs.readFileSync(join(mine.outside, 'secret'), 'utf8'), 'secret')
    assert.equal(fs.readdirSync(base).toSorted(), ['here', 'kept', 'outside'])
    const found = new Set([...contentsBelow(mine.here), ...contentsBelow(mine.kept)])
    assert.equal(
      [...mine.born].filter((text) => !found.has(text)),
      [],
    )
    assert.equal(
      filesIn(mine.here).filter((path) => path.includes('.devtool-sync-')),
      [],
    )
  })
}

test('links that form a loop are not followed when files are counted', ({ base }) => {
  fs.mkdirSync(join(base, 'a'))
  fs.writeFileSync(join(base, 'a', 'file'), '')
  for (const name of ['b', 'c', 'd']) fs.symlinkSync('..', join(base, 'a', name))
  assert.equal(filesIn(base), [join(base, 'a', 'file')])
})

/** What is said to a question, as it may be. */
const head = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.record(
    {
      id: fc.constantFrom(1, 2, 3, -1),
      end: fc.boolean(),
      failed: fc.jsonValue({ maxDepth: 1 }),
      hasOverflown: fc.boolean(),
      listed: fc.array(
        fc.tuple(
          fc.oneof(fc.constantFrom('', 'a', 'a/b', '..', '/'), fc.string()),
          fc.boolean(),
          fc.array(
            fc.tuple(
              fc.oneof(fc.string(), fc.constantFrom('a', '..', '__proto__', 'constructor')),
              fc.record({
                _tag: fc.constantFrom('File', 'Folder', 'Link', 'Special', 'Unknown', 'Other'),
                hash: fc.constantFrom('a'.repeat(64), 'A'.repeat(64), 'a'.repeat(65), ''),
                id: fc.oneof(fc.string(), fc.integer()),
                target: fc.string(),
                reason: fc.string(),
                isExecutable: fc.oneof(fc.boolean(), fc.integer()),
                size: fc.oneof(fc.integer(), fc.double()),
              }),
            ),
          ),
        ),
      ),
      outcome: fc.jsonValue({ maxDepth: 2 }),
      polled: fc.jsonValue({ maxDepth: 2 }),
      marker: fc.jsonValue({ maxDepth: 2 }),
      left: fc.jsonValue({ maxDepth: 2 }),
    },
    { requiredKeys: [] },
  ),
)
const frameOf = (value: unknown, body: Uint8Array): Buffer => {
  const text = Buffer.from(JSON.stringify(value))
  const lengths = Buffer.alloc(8)
  lengths.writeUInt32BE(text.length, 0)
  lengths.writeUInt32BE(body.length, 4)
  return Buffer.concat([lengths, text, body])
}
const frame = fc.tuple(head, fc.uint8Array({ maxLength: 20 })).map(([value, body]) => frameOf(value, body))
const bytes = fc.oneof(
  { weight: 9, arbitrary: frame },
  { weight: 1, arbitrary: fc.uint8Array().map((some) => Buffer.from(some)) },
)

test('whatever the other end sends, each request ends, and accepted paths are inside the folder', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(bytes, { maxLength: 8 }), fc.integer({ min: 1, max: 50 }), async (said, cut) => {
      const [near, far] = duplexPair()
      far.on('error', () => {}).resume()
      const opening = remoteTree(systemClock, near, { root: '/', ignores: '', session: 'one' })()
      far.write(frameOf({ id: 1, end: true }, new Uint8Array()))
      const opened = await opening
      if (E.isLeft(opened)) throw new Error(opened.left.reason)
      const tree = opened.right
      const believed: Array<ReadonlyMap<string, { readonly entries: ReadonlyMap<string, unknown> }>> = []
      tree.watch((event) => event._tag === 'Looked' && believed.push(event.look.listings))
      const asked = Promise.all([tree.look()(), tree.marker(), tree.polled()])
      const all = Buffer.concat(said)
      for (let at = 0; at < all.length; at += cut * 7) far.write(all.subarray(at, at + cut * 7))
      far.end()
      const [look] = await asked
      if (E.isRight(look)) believed.push(look.right.listings)
      for (const listings of believed) {
        for (const [folder, { entries }] of listings) {
          assert.ok(folder === '' || isPath(folder))
          for (const name of entries.keys()) assert.ok(isPath(folder === '' ? name : `${folder}/${name}`))
        }
      }
      tree.close()
    }),
    { numRuns: 300 },
  )
})

test('no message takes more memory than its limit', async () => {
  const [near, far] = duplexPair()
  const lengths = Buffer.alloc(8)
  lengths.writeUInt32BE(0xffffffff, 0)
  far.write(lengths)
  try {
    for await (const _ of messages(near)) assert.unreachable()
    assert.unreachable()
  } catch (cause) {
    assert.match(String(cause), /too long/)
  }
})

test.run()
