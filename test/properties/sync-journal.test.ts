/** The stored base: it comes back as it was, or not at all. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fileJournal } from '../../src/adapters/sync/journal.ts'
import { keepBase } from '../../src/app/sync/keep-base.ts'
import { type BaseChange, type BaseEntry, emptyBase, type SyncBase, withChanges } from '../../src/domain/sync/base.ts'
import { addedTo, newJournal, readJournal } from '../../src/domain/sync/journal.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 5 })
const file = fc.record(
  { _tag: fc.constant('File'), hash: text, isExecutable: fc.boolean(), size: fc.nat() },
  { noNullPrototype: true },
)
const link = fc.record({ _tag: fc.constant('Link'), target: text }, { noNullPrototype: true })
const entry: fc.Arbitrary<BaseEntry> = fc.oneof(
  file,
  link,
  fc.record({ _tag: fc.constant('Folder'), here: text, there: text }),
  fc.constant<BaseEntry>({ _tag: 'Unsure' }),
  fc.record({
    _tag: fc.constant('Left'),
    entry: fc.oneof(file, link, fc.record({ _tag: fc.constant('Folder'), id: text })),
  }),
)
const path = fc.constantFrom('a', 'b', 'a/b', 'a/c', 'ü/\n', '__proto__')
const changes: fc.Arbitrary<ReadonlyArray<BaseChange>> = fc.array(
  fc.tuple(path, fc.option(entry, { nil: undefined })),
  { maxLength: 8 },
)

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)

/** Objects of fast-check may be without a prototype. */
const plain = (base: SyncBase): unknown => {
  const rows = [...base].map(([folder, names]) => [folder, [...names].toSorted(byName)] as const)
  return JSON.parse(JSON.stringify(rows.toSorted(byName)))
}

/** The journal after each addition, as bytes on a disk. */
const written = (all: ReadonlyArray<ReadonlyArray<BaseChange>>): { bytes: Uint8Array; base: SyncBase } => {
  let base = emptyBase
  let { bytes, end, head } = newJournal({ marker: 'm', base })
  for (const some of all) {
    const more = addedTo(end, some)
    bytes = Buffer.concat([bytes, more.bytes])
    ;({ end, head } = more)
    base = withChanges(base, some)
  }
  return { bytes: Buffer.concat([head, bytes]), base }
}

test('a base with appended entries reads back unchanged, whatever a crash left after its end', () => {
  fc.assert(
    fc.property(fc.array(changes, { maxLength: 4 }), fc.uint8Array({ maxLength: 20 }), (all, tail) => {
      const { base, bytes } = written(all)
      const found = readJournal(Buffer.concat([bytes, tail]))
      if (E.isLeft(found)) throw new Error(found.left)
      assert.equal(plain(found.right.stored.base), plain(base))
      assert.is(found.right.stored.marker, 'm')
    }),
  )
})

test('a base with a missing or changed part is rejected', () => {
  fc.assert(
    fc.property(fc.array(changes, { maxLength: 4 }), fc.nat(), fc.integer({ min: 1, max: 255 }), (all, at, by) => {
      const { bytes } = written(all)
      assert.ok(E.isLeft(readJournal(bytes.subarray(0, at % bytes.length))))
      const damaged = Uint8Array.from(bytes)
      damaged[at % bytes.length] = (damaged[at % bytes.length] ?? 0) ^ by
      assert.ok(E.isLeft(readJournal(damaged)))
    }),
  )
})

test('a file keeps appended entries, and is rejected when it is truncated', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'))
  const name = join(folder, 'new', 'base')
  const change: BaseChange = ['a', { _tag: 'Unsure' }]
  const keeper = keepBase(fileJournal(name))
  assert.equal(await keeper.read(), E.right(undefined))
  await keeper.begin({ marker: 'm', base: emptyBase })()
  await keeper.store([change], () => emptyBase)()
  assert.equal(
    await keepBase(fileJournal(name)).read(),
    E.right({ marker: 'm', base: withChanges(emptyBase, [change]) }),
  )
  writeFileSync(name, readFileSync(name).subarray(0, -1))
  assert.equal(await keepBase(fileJournal(name)).read(), E.right(undefined))
  rmSync(folder, { recursive: true })
})

test.run()
