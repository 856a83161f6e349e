/** What another program reads in a folder while files of the other end arrive. */
import nodeFs, * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { diskTree } from '../../../src/adapters/sync/disk-tree.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { fileWith } from '../../contract/tree-world.ts'
import { withFs } from '../../support/process/file-systems.ts'
import { startPair } from '../../support/sync/pair.ts'

const test = suite('readers')

/** Reads a file again and again in another thread, and tells how often, and each text that is not all one letter. */
const readerCode = `
const { parentPort, workerData } = require('node:worker_threads')
const { readFileSync } = require('node:fs')
const { path, size, state } = workerData
let reads = 0
const wrong = new Set()
while (Atomics.load(state, 0) === 0) {
  try {
    const bytes = readFileSync(path)
    const isWhole = bytes.length === size && bytes.every((byte) => byte === bytes[0])
    if (!isWhole) wrong.add(bytes.length + ' bytes')
  } catch (cause) {
    wrong.add(cause.code)
  }
  reads += 1
  Atomics.store(state, 1, reads)
}
parentPort.postMessage([...wrong])
`

type Call = (...asked: ReadonlyArray<never>) => unknown

/** Calls `see` after every change of names. */
const afterChanges = (see: () => void) =>
  Object.fromEntries(
    (['linkSync', 'mkdirSync', 'renameSync', 'rmSync', 'rmdirSync'] as const).map((name) => {
      const real = nodeFs[name]
      const seen: Call = (...asked) => {
        const result = Reflect.apply(real, nodeFs, asked)
        see()
        return result
      }
      return [name, seen]
    }),
  )

test('a file that is replaced again and again is always read whole: the old content or the new one', async () => {
  const root = fs.mkdtempSync(join(tmpdir(), 'readers-'))
  const [path, size, rounds] = [join(root, 'a'), 20_000, 60]
  const textOf = (round: number): string => String.fromCharCode(97 + (round % 26)).repeat(size)
  fs.writeFileSync(path, textOf(0))
  const state = new Int32Array(new SharedArrayBuffer(8))
  const reader = new Worker(readerCode, { eval: true, workerData: { path, size, state } })
  const told = new Promise((resolve) => reader.once('message', resolve))
  const reads = (): number => Atomics.load(state, 1)
  const tree = diskTree({ clock: systemClock, root, isIgnored: () => false })
  const seen = new Set<string>()
  const see = (): void => {
    const found = fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : ''
    seen.add(`${found.length} times ${[...new Set(found)].join()}`)
  }
  try {
    while (reads() === 0) await breathe()
    for (let round = 1; round <= rounds; round += 1) {
      const [expect, file] = [fileWith(textOf(round - 1)), fileWith(textOf(round))]
      async function* content(): AsyncGenerator<Uint8Array, void> {
        yield Buffer.from(textOf(round))
      }
      const act = { _tag: 'Write', end: 'here', path: 'a', expect, file } as const
      const outcome = await withFs(afterChanges(see), tree.act(act, content()))
      assert.is(outcome._tag, 'Done')
    }
    const before = reads()
    while (reads() === before) await breathe()
  } finally {
    Atomics.store(state, 0, 1)
  }
  assert.equal(await told, [])
  assert.equal(
    [...seen].toSorted(),
    Array.from({ length: 26 }, (_, round) => `${size} times ${textOf(round)[0]}`),
  )
  assert.ok(reads() >= 10)
  tree.close()
  fs.rmSync(root, { recursive: true })
})

const namesIn = (folder: string): number => {
  try {
    return fs.readdirSync(folder).length
  } catch {
    return 0
  }
}

test('a renamed folder is always whole under one of both names, at either end', async () => {
  const pair = await startPair()
  const files = 60
  try {
    fs.mkdirSync(join(pair.here, 'old'))
    for (let index = 0; index < files; index += 1) fs.writeFileSync(join(pair.here, 'old', `${index}`), `${index}`)
    await pair.same(files)
    for (const [from, to, name, next] of [
      [pair.here, pair.there, 'old', 'new'],
      [pair.there, pair.here, 'new', 'newer'],
    ] as const) {
      const seen: Array<readonly [before: number, after: number]> = []
      const see = (): void => void seen.push([namesIn(join(to, name)), namesIn(join(to, next))])
      await withFs(afterChanges(see), async () => {
        fs.renameSync(join(from, name), join(from, next))
        await pair.same(files)
      })
      assert.ok(seen.some(([before, after]) => before > 0 && after > 0 && after < files))
      assert.equal(
        seen.filter(([before, after]) => before < files && after < files),
        [],
      )
    }
  } finally {
    await pair.end()
  }
})

test.run()
