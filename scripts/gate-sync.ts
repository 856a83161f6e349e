/**
 * `npm run gate:sync -- [FIRST-]LAST [ROUNDS] [MINUTES] [memory]`: writers at both ends of a synchronisation and every
 * fault, seed after seed: over folders on disk with both ends as programs, or in memory. It resumes where it stopped:
 * how many seeds are finished stands in `.cache/`, for this code. Status 1 as soon as a seed loses a file, its folders
 * stay different, or an unfinished file remains, and when the time is over before the last seed.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { runMemoryGate } from '../test/support/sync/memory-gate.ts'
import { type GatePrograms, runRealGate } from '../test/support/sync/real-gate.ts'
import { root } from './command.ts'

type Slice = { readonly seeds: number; readonly writes: number; readonly conflicts: number; readonly faults: number }

const isInMemory = process.argv.includes('memory')
const [range = '1000', ...limits] = process.argv.slice(2).filter((word) => word !== 'memory')
const [rounds = 40, minutes = 60] = limits.map(Number)
const [last = 1000, first = 1] = range.split('-').map(Number).toReversed()
const folder = join(root, '.cache')
const file = join(folder, `gate-sync${isInMemory ? '-memory' : ''}-${first}.json`)

const out = join(folder, 'gate-sync')
const support = (name: string): string => join(root, `test/support/sync/${name}.ts`)
/** The ends, which are started again and again, and what drives them. */
const { outputFiles } = await build({
  entryPoints: isInMemory
    ? { memory: support('memory-gate') }
    : { near: support('near-end'), far: support('far-end'), gate: support('real-gate') },
  outdir: out,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  write: false,
})
const code = createHash('sha256')
for (const { contents } of outputFiles) code.update(contents)
/** Seeds that were finished with other code, or with other rounds, do not count. */
const key = `${rounds} rounds, ${code.digest('hex')}`

const isSlice = (value: unknown): value is Slice =>
  typeof value === 'object' && value !== null && 'seeds' in value && 'key' in value && value.key === key

const read = (): Slice => {
  const found: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  return isSlice(found) ? found : { seeds: 0, writes: 0, conflicts: 0, faults: 0 }
}

const store = (slice: Slice): void => {
  writeFileSync(`${file}.tmp`, JSON.stringify({ ...slice, key }))
  renameSync(`${file}.tmp`, file)
}

mkdirSync(out, { recursive: true })
for (const { contents, path } of outputFiles) writeFileSync(path, contents)
const programs: GatePrograms = { near: join(out, 'near.cjs'), far: join(out, 'far.cjs') }
const untilMs = performance.now() + minutes * 60_000
let slice = read()
while (first + slice.seeds <= last && performance.now() < untilMs) {
  const seed = first + slice.seeds
  const result = await (isInMemory ? runMemoryGate(seed, rounds) : runRealGate(seed, rounds, programs))
  if (result.failure !== undefined) {
    process.stdout.write(`${result.failure}\n`)
    process.exitCode = 1
    break
  }
  const { conflicts, faults, writes } = result.figures
  slice = {
    seeds: slice.seeds + 1,
    writes: slice.writes + writes,
    conflicts: slice.conflicts + conflicts,
    faults: slice.faults + faults,
  }
  store(slice)
}
const { conflicts, faults, seeds, writes } = slice
process.stdout.write(
  `${seeds} seeds of ${rounds} rounds: ${writes} writes, ${faults} faults, ${conflicts} conflict copies, ` +
    `${process.exitCode === 1 ? 'and then a failure' : '0 lost, 0 diverged'}\n`,
)
if (process.exitCode !== 1 && first + seeds <= last) {
  process.stdout.write(`the time is over: ${last - first + 1 - seeds} seeds are left\n`)
  process.exitCode = 1
}
