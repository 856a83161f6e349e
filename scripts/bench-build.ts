/**
 * What a build costs beside `buildctl build` of the same folder on the same builder:
 * `tsx scripts/bench-build.ts [--write] [--pairs=5] [--files=5000] [--megabytes=300] [--only=TEXT]
 * [--before=PATH/dist/devtool.cjs]`. The sides alternate within one run: devtool, buildctl and, with `--before`, another
 * build of devtool. It drives dist/devtool.cjs ($BENCH_COMMAND names another one) and needs what tests of builds need:
 * BUILDKIT_BIN, root and a few programs. A limit that is missed is marked; the status is 1 then.
 */
import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform } from 'node:os'
import { join } from 'node:path'
import { manyFiles, oneOfMany } from '../test/support/build/trees.ts'
import {
  bareNode,
  before,
  build,
  buildServices,
  end,
  folder,
  layersOf,
  prune,
  type Side,
  sentBy,
  settle,
  type Timed,
} from './bench-build-world.ts'
import { root } from './command.ts'
import { withSection } from './section.ts'

const flag = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
const pairs = Math.max(1, Number(flag('pairs') ?? 5))
const files = Number(flag('files') ?? 5000)
const megabytes = Number(flag('megabytes') ?? 300)
const only = flag('only') ?? ''
const both: ReadonlyArray<Side> = ['devtool', 'buildctl']
const sides: ReadonlyArray<Side> = before === undefined ? both : [...both, 'before']

const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const [low = Number.NaN, high = Number.NaN] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return (low + high) / 2
}

type Runs = Readonly<Record<Side, ReadonlyArray<Timed>>>
type Row = { readonly what: string; readonly runs: Runs; readonly limits: (runs: Runs) => ReadonlyArray<Limit> }
type Limit = { readonly what: string; readonly value: number; readonly atMost: number; readonly unit: string }

const of = (runs: Runs, side: Side, what: keyof Timed): number => median(runs[side].map((run) => run[what]))
const ratio = (runs: Runs, what: keyof Timed, less = 0): number =>
  (of(runs, 'devtool', what) - less) / of(runs, 'buildctl', what)

const wallRatio = (atMost: number, value: number): Limit => ({ what: 'wall, ratio', value, atMost, unit: ' ×' })
const memory = (runs: Runs): Limit => ({
  what: 'peak',
  value: Math.max(...runs.devtool.map(({ peak }) => peak)),
  atMost: 120,
  unit: ' MB',
})

let trees = 0
const newFolder = (): string => {
  trees += 1
  const path = join(folder, `tree-${trees}`)
  mkdirSync(path)
  return path
}

/** Each side has its own tree, so that neither profits from what the other has sent; they differ only in a salt. */
const largeTree = (count = files, bytes = Math.floor((megabytes * 1_000_000) / files)): string => {
  const path = newFolder()
  manyFiles(join(path, 'src'), { files: count, bytes, salt: path })
  writeFileSync(join(path, 'Dockerfile'), 'FROM scratch\nCOPY src /src\n')
  settle()
  return path
}

const gigabyte = 1000

const treeOfOneFile = (): string => {
  const path = newFolder()
  const megabyte = randomBytes(1_000_000)
  for (let index = 0; index < gigabyte; index += 1) {
    megabyte.writeUInt32LE(index)
    appendFileSync(join(path, 'large'), megabyte)
  }
  writeFileSync(join(path, 'Dockerfile'), 'FROM scratch\nCOPY large /\n')
  settle()
  return path
}

const tinyTree = (): string => {
  const path = newFolder()
  writeFileSync(join(path, 'page.html'), path)
  writeFileSync(join(path, 'Dockerfile'), 'FROM scratch\nCOPY page.html /\n')
  return path
}

/** Alternates, with each end first in turn. */
const alternate = async (
  run: (side: Side, round: number) => Promise<Timed>,
  rounds = pairs,
  among = sides,
): Promise<Runs> => {
  const runs: Record<Side, Array<Timed>> = { devtool: [], buildctl: [], before: [] }
  for (let round = 0; round < rounds; round += 1) {
    for (const side of round % 2 === 0 ? among : among.toReversed()) runs[side].push(await run(side, round))
  }
  return runs
}

const isAlike = (a: number, b: number): boolean => Math.abs(a - b) <= 0.05 * Math.max(a, b) + 60 * files + 50_000

/** Both sides must have done the same: sent as many bytes, and produced the same layers. */
const same = async (what: string, contextOf: (side: Side) => string): Promise<void> => {
  const [ours, theirs] = [
    await sentBy('devtool', contextOf('devtool')),
    await sentBy('buildctl', contextOf('buildctl')),
  ]
  if (!isAlike(ours, theirs)) throw new Error(`${what}: devtool sent ${ours} bytes, buildctl ${theirs}`)
  process.stderr.write(`${what}: devtool sent ${ours} bytes, buildctl ${theirs}\n`)
}

const sameLayers = async (context: string): Promise<void> => {
  const [ours, theirs] = [await layersOf('devtool', context), await layersOf('buildctl', context)]
  if (ours === '' || ours.split(' ').at(-1) !== theirs.split(' ').at(-1))
    throw new Error(`layers differ: ${ours}; ${theirs}`)
}

const fresh = async (): Promise<Row> => {
  await same('fresh', () => largeTree())
  await prune()
  const runs = await alternate(async (side) => {
    const context = largeTree()
    const ran = await build(side, context)
    rmSync(context, { recursive: true })
    await prune()
    settle()
    return ran
  })
  const limits = (all: Runs): ReadonlyArray<Limit> => [
    wallRatio(1, ratio(all, 'wall')),
    { what: 'CPU, ratio', value: ratio(all, 'cpu'), atMost: 1.2, unit: ' ×' },
    memory(all),
  ]
  return { what: `${files} files of ${megabytes} MB, fresh`, runs, limits }
}

/** Once: it is about the memory. */
const oneFile = async (): Promise<Row> => {
  const ran = async (side: Side): Promise<Timed> => {
    const context = treeOfOneFile()
    const timed = await build(side, context)
    rmSync(context, { recursive: true })
    await prune()
    return timed
  }
  const runs = await alternate(ran, 1, both)
  const limits = (all: Runs): ReadonlyArray<Limit> => [memory(all)]
  return { what: 'one file of 1 GB, fresh', runs, limits }
}

/** One tree per side, sent once. */
const sentTrees = async (tree = () => largeTree()): Promise<(side: Side) => string> => {
  const made = new Map(sides.map((side) => [side, tree()]))
  const treeOf = (side: Side): string => made.get(side) ?? ''
  for (const side of sides) await build(side, treeOf(side))
  return treeOf
}

const unchanged = async (node: number): Promise<Row> => {
  const treeOf = await sentTrees()
  await same('unchanged', treeOf)
  await sameLayers(treeOf('devtool'))
  for (const side of sides) await build(side, treeOf(side))
  const runs = await alternate((side) => build(side, treeOf(side)))
  const limits = (all: Runs): ReadonlyArray<Limit> => [wallRatio(1.3, ratio(all, 'wall', node)), memory(all)]
  return { what: 'the same, unchanged', runs, limits }
}

const manyUnchanged = async (node: number): Promise<Row> => {
  const treeOf = await sentTrees(() => largeTree(20_000, 500))
  for (const side of sides) await build(side, treeOf(side))
  const runs = await alternate((side) => build(side, treeOf(side)))
  const limits = (all: Runs): ReadonlyArray<Limit> => [wallRatio(1, ratio(all, 'wall', node)), memory(all)]
  return { what: '20000 files, unchanged', runs, limits }
}

const oneChanged = async (): Promise<Row> => {
  const treeOf = await sentTrees()
  const change = (side: Side, round: number): void => {
    writeFileSync(join(treeOf(side), 'src', oneOfMany(round)), `changed for ${side} in round ${round}`)
  }
  for (const side of sides) change(side, pairs + 1)
  await same('one changed', treeOf)
  const runs = await alternate((side, round) => {
    change(side, round)
    settle()
    return build(side, treeOf(side))
  })
  const limits = (all: Runs): ReadonlyArray<Limit> => [wallRatio(1.1, ratio(all, 'wall')), memory(all)]
  return { what: 'the same, one file changed', runs, limits }
}

const tiny = async (node: number): Promise<Row> => {
  const treeOf = await sentTrees(tinyTree)
  const runs = await alternate((side) => build(side, treeOf(side)))
  const more = (all: Runs): number => (of(all, 'devtool', 'wall') - node - of(all, 'buildctl', 'wall')) * 1000
  const limits = (all: Runs): ReadonlyArray<Limit> => [
    { what: 'wall, more', value: more(all), atMost: 45, unit: ' ms' },
    memory(all),
  ]
  return { what: 'one small file, cached', runs, limits }
}

/** One context of 20,000 files, with `1.yaml` and `30.yaml` for so many services. */
const treeOfServices = (copied: string): string => {
  const path = newFolder()
  manyFiles(join(path, 'src'), { files: 20_000, bytes: 500, salt: path })
  writeFileSync(join(path, 'Dockerfile'), `FROM scratch\nARG NAME\nLABEL name=$NAME\nCOPY ${copied} /files\n`)
  for (const count of [1, 30]) {
    const names = Array.from({ length: count }, (_, index) => `s${index}`)
    const written = names.map((name) => `  ${name}:\n    build: {context: ., args: {NAME: ${name}}}\n`)
    writeFileSync(join(path, `${count}.yaml`), `name: shop\nservices:\n${written.join('')}`)
  }
  writeFileSync(join(path, 'page.html'), path)
  writeFileSync(join(path, '.dockerignore'), '*.yaml\n')
  settle()
  return path
}

/** Results for one context, by number of services: they are compared with a single service. */
const services = async (): Promise<Row> => {
  const path = treeOfServices('page.html')
  for (const count of [30, 1]) await buildServices(path, `${count}.yaml`)
  const runs = await alternate((side) => buildServices(path, side === 'devtool' ? '30.yaml' : '1.yaml'), pairs, both)
  const limits = (all: Runs): ReadonlyArray<Limit> => [wallRatio(1.3, ratio(all, 'wall')), memory(all)]
  return { what: '30 services of one context of 20000 files, in the registry (beside: one service)', runs, limits }
}

/** All of them are built, and ask for all files: a label that changes makes each image new. */
const builtServices = async (): Promise<Row> => {
  const path = treeOfServices('src')
  await buildServices(path, '1.yaml')
  let round = 0
  const runs = await alternate(
    (side) => {
      round += 1
      writeFileSync(join(path, 'page.html'), `${round}`)
      return buildServices(path, side === 'devtool' ? '30.yaml' : '1.yaml')
    },
    pairs,
    both,
  )
  const limits = (all: Runs): ReadonlyArray<Limit> => [
    { what: 'CPU of each, ratio', value: ratio(all, 'cpu') / 30, atMost: 0.25, unit: ' ×' },
  ]
  return { what: '30 services of one context of 20000 files, all built (beside: one service)', runs, limits }
}

const shownLimit = ({ atMost, unit, value, what }: Limit): string => {
  const digits = unit === ' ×' ? 2 : 0
  return `${what} ${value.toFixed(digits)}${unit}: ${value <= atMost ? 'ok' : '**over**'} (≤ ${atMost}${unit})`
}

/** Than the build before. */
const slower = (runs: Runs): ReadonlyArray<Limit> =>
  runs.before.length === 0
    ? []
    : [
        {
          what: 'wall, beside before',
          value: of(runs, 'devtool', 'wall') / of(runs, 'before', 'wall'),
          atMost: 1.05,
          unit: ' ×',
        },
      ]

const cellsOf = ({ limits, runs, what }: Row): ReadonlyArray<string> => [
  what,
  ...(['wall', 'cpu', 'peak'] as const).flatMap((one) =>
    sides.map((side) => (runs[side].length === 0 ? '' : of(runs, side, one).toFixed(one === 'peak' ? 0 : 2))),
  ),
  [...limits(runs), ...slower(runs)].map(shownLimit).join('; '),
]

const measurements: ReadonlyArray<readonly [string, (node: number) => Promise<Row>]> = [
  ['tiny', tiny],
  ['unchanged', unchanged],
  ['changed', oneChanged],
  ['fresh', fresh],
  ['many', manyUnchanged],
  ['services', services],
  ['built', builtServices],
  ['large', oneFile],
]

const main = async (): Promise<void> => {
  const node = median(await nodeRuns())
  const head = ['s', 'CPU s', 'peak MB'].flatMap((unit) => sides.map((side) => `${side} ${unit}`))
  const lines = [`| what | ${head.join(' | ')} | limits |`, `|---|${'---:|'.repeat(head.length)}---|`]
  process.stderr.write(`${lines.join('\n')}\n`)
  let isOver = false
  for (const [name, measure] of measurements) {
    if (!name.includes(only)) continue
    const row = await measure(node)
    isOver ||= row.limits(row.runs).some(({ atMost, value }) => !(value <= atMost))
    lines.push(`| ${cellsOf(row).join(' | ')} |`)
    process.stderr.write(`${lines.at(-1)}\n`)
    await prune()
  }
  report(lines, node)
  process.exitCode = isOver ? 1 : 0
}

const nodeRuns = async (): Promise<ReadonlyArray<number>> => {
  const runs: Array<number> = []
  for (let round = 0; round < 2 * pairs + 1; round += 1) runs.push((await bareNode()).wall)
  return runs
}

const report = (lines: ReadonlyArray<string>, node: number): void => {
  const machine = `${platform()} ${arch()}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, which also runs the builder`
  const less = `the limits of "unchanged" and "cached" exclude the ${(node * 1000).toFixed(0)} ms of \`node -e 0\``
  const about = `Node ${process.version}, BuildKit v0.33.0, ${machine}; medians of ${pairs} alternating pairs; ${less}`
  const date = new Date().toISOString().slice(0, 10)
  const text = `Measured on ${date} by \`npm run bench:build -- --write\`: ${about}\n\n${lines.join('\n')}\n`
  process.stdout.write(text)
  if (!process.argv.includes('--write')) return
  const path = join(root, 'docs/performance.md')
  writeFileSync(path, withSection(readFileSync(path, 'utf8'), 'Building', text))
}

try {
  await main()
} finally {
  end()
}
