/** The two ends that bench-sync.ts measures, and how their files are observed. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { systemClock } from '../src/adapters/system/clock.ts'
import type { Link } from '../src/ports/link.ts'
import type { DevWorld } from '../test/support/e2e/dev-pod.ts'

/** By `what`: numbers in the order of the text. */
export type Part = Readonly<Record<string, ReadonlyArray<number>>>

export const now = (): number => performance.now()
export const pause = (ms: number): Promise<void> => systemClock.sleep(ms)
export const share = (values: ReadonlyArray<number>, part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN

export type Probe = (what: string, ...words: ReadonlyArray<string | number | null>) => Promise<unknown>

export const probing = (input: Writable, output: Readable): Probe => {
  const waiting = new Map<number, (answer: unknown, trouble?: string) => void>()
  createInterface({ input: output }).on('line', (line) => {
    const [id, answer, trouble]: [number, unknown, string?] = JSON.parse(line)
    waiting.get(id)?.(answer, trouble)
    waiting.delete(id)
  })
  let asked = 0
  return (...words) =>
    new Promise((resolve, reject) => {
      asked += 1
      const asking = words.join(' ')
      waiting.set(asked, (answer, trouble) =>
        trouble === undefined ? resolve(answer) : reject(new Error(`${trouble}: ${asking}`)),
      )
      input.write(`${JSON.stringify([asked, ...words])}\n`)
    })
}

/**
 * Twenty-six files a folder; nine in ten are small, and together they are about 10 kB each. Pauses meanwhile, since the
 * agent closes the connection of a client that says nothing for long.
 */
export const fill = async (tree: string, files: number): Promise<void> => {
  let random = 1
  for (let at = 0; at < files; at += 1) {
    random = (random * 1_103_515_245 + 12_345) % 2_147_483_648
    const folder = join(tree, `p${Math.floor(at / 676)}`, `f${Math.floor(at / 26)}`)
    if (at % 26 === 0) {
      await pause(0)
      fs.mkdirSync(folder, { recursive: true })
    }
    const size = random % 10 === 0 ? 20_000 + (random % 90_000) : 500 + (random % 8000)
    fs.writeFileSync(join(folder, `${at}.ts`), Buffer.alloc(size, `// file ${at}, ${random}\n`))
  }
}

export type Trees = { readonly local: string; readonly remote: string; readonly store: string }
/** `words`: how the last word in the command lines of its processes ends. */
export type Running = {
  readonly steady: Promise<void>
  readonly words: readonly [here: ReadonlyArray<string>, there: ReadonlyArray<string>]
  readonly stop: () => Promise<void>
}
export type World = { readonly world: DevWorld; readonly link: Link; readonly here: Probe; readonly there: Probe }

/** Milliseconds until `seen` after `act`; the other end is already waiting. */
export const after = async (seen: Promise<unknown>, act: () => unknown): Promise<number> => {
  await pause(5)
  const since = now()
  await act()
  await seen
  return now() - since
}

/** After a change, Syncthing 1.30 waits for 250 ms before it sends the next one; people save less often than that. */
export const repeat = async (
  times: number,
  one: (round: number) => Promise<number>,
): Promise<ReadonlyArray<number>> => {
  const values: Array<number> = []
  for (let round = 0; round < times; round += 1) {
    values.push(await one(round))
    await pause(300 + Math.random() * 600)
  }
  return values
}
