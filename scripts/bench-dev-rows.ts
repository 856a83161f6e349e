/** What bench-dev.ts has measured, and its table in the documentation. */
import { readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus, loadavg, platform } from 'node:os'
import { join } from 'node:path'
import { root } from './command.ts'
import { withSection } from './section.ts'

type Row = {
  readonly what: string
  readonly unit: string
  readonly values: ReadonlyArray<number>
  /** Those of OpenSSH, each measured right after ours. */
  readonly beside?: ReadonlyArray<number>
  readonly load: number
}
const rows: Array<Row> = []

const part = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

const showPart = (values: ReadonlyArray<number>, share: number, unit: string): string =>
  `${part(values, share).toFixed(1)} ${unit}`

export const record = (row: Row): void => {
  const { beside, load, unit, values, what } = row
  rows.push(row)
  const theirs = beside === undefined ? '' : `, OpenSSH ${showPart(beside, 0.5, unit)}`
  console.error(`${what}: ${showPart(values, 0.5, unit)}${theirs}, load ${load.toFixed(1)}`)
}

export const measure = async (what: string, times: number, one: () => Promise<number>, unit = 'ms'): Promise<void> => {
  const values: Array<number> = []
  for (let time = 0; time < times; time += 1) values.push(await one())
  const load = loadavg()[0] ?? 0
  record({ what, unit, values, load })
}

/** `theirs` is absent where there is no OpenSSH. */
type Compared = {
  readonly ours: () => Promise<number>
  readonly theirs: (() => Promise<number>) | undefined
}

/** In turns. */
export const compare = async (what: string, times: number, { ours, theirs }: Compared, unit = 'ms'): Promise<void> => {
  if (theirs === undefined) return measure(what, times, ours, unit)
  const [values, beside]: [Array<number>, Array<number>] = [[], []]
  for (let time = 0; time < times; time += 1) {
    values.push(await ours())
    beside.push(await theirs())
  }
  record({ what, unit, values, beside, load: loadavg()[0] ?? 0 })
}

const heading = 'Development containers'
const file = join(root, 'docs/performance.md')

const nameIn = (line: string): string => line.split(' | ')[0]?.slice(2) ?? ''

/** The median, and that of the ratios of ours to theirs. */
const besideOf = (beside: Row['beside'], values: Row['values'], unit: string): string => {
  if (beside === undefined) return ''
  const ratios = values.map((value, index) => value / (beside[index] ?? Number.NaN))
  return `${showPart(beside, 0.5, unit)}, × ${part(ratios, 0.5).toFixed(2)}`
}

/** Measured rows replace those written before. */
export const table = (): string => {
  const day = new Date().toISOString().slice(0, 10)
  const lineOf = ({ beside, load, unit, values, what }: Row): string =>
    `| ${what} | ${showPart(values, 0.5, unit)} | ${showPart(values, 0.95, unit)} | ${besideOf(beside, values, unit)} | ${values.length} | ${load.toFixed(1)} | ${day} |`
  const fresh = rows.map(lineOf)
  const section = readFileSync(file, 'utf8').split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const written = section.split('\n').filter((line) => line.startsWith('| ') && !/^\| (what|---)/.test(line))
  const kept = written.map((line) => fresh.find((one) => nameIn(one) === nameIn(line)) ?? line)
  const added = fresh.filter((line) => !kept.includes(line))
  const head = ['| what | median | 95 % | OpenSSH | times | load | on |', '| --- | --- | --- | --- | --- | --- | --- |']
  return [...head, ...kept, ...added, ''].join('\n')
}

const page = (version: string): string => {
  const machine = `${platform()} ${arch()}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? ''}, which also runs the cluster`
  return `Measured by \`npm run bench:dev -- --write\`: Node ${process.version}, Kubernetes ${version}, ${machine}; the load is that of this machine after each row. OpenSSH is its client and server with the same cipher, through the same port-forward, in turns: its median, and the median of devtool's figure divided by it.\n\n${table()}\ncontainerd keeps its side of a port-forward open for one second after the program at its end has gone, unless it has to write there twice. A terminal asks for a sign of life every 0.4 s, and every 1.8 s once it was not used for half a minute: the loss of a killed agent is seen after two of the former, which is most of the time until there is a link again.`
}

export const writePage = (version: string): void =>
  writeFileSync(file, withSection(readFileSync(file, 'utf8'), heading, page(version)))
