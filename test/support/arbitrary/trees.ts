/** Projects of many files: `include` and `extends` in chains, fans and circles, and env files that use each other. */
import { textOfFile } from '../compose/corpus.ts'
import type { Files } from '../compose/project.ts'
import { mutate } from './mutate.ts'
import type { Random } from './random.ts'

const times = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join('')

const fileOf = (index: number): string => (index === 0 ? 'compose.yaml' : `${'sub/'.repeat(index % 3)}f${index}.yaml`)

/** Mostly to a later file, so that not every tree has a cycle. */
const otherThan = (rng: Random, index: number, count: number): number =>
  rng.chance(0.05) ? rng.below(count) : Math.min(count - 1, index + 1 + rng.below(3))

const treeFile = (rng: Random, index: number, count: number): string => {
  const up = '../'.repeat(index === 0 ? 0 : index % 3)
  const other = (): string => `${up}${fileOf(otherThan(rng, index, count))}`
  const isLast = index === count - 1
  const includes = isLast || rng.chance(0.4) ? '' : `include:\n${times(1 + rng.below(3), () => `  - ${other()}\n`)}`
  const services = times(1 + rng.below(3), (at) => {
    const base =
      rng.chance(0.5) && !isLast ? `extends: {file: ${other()}, service: s0}` : rng.pick(['image: a', 'build: .'])
    return `  ${at === 0 ? 's0' : `s${index}-${at}`}:\n    ${base}\n    environment: {A${index}: b}\n`
  })
  return `${includes}services:\n${services}`
}

export const fileTree = (rng: Random): Files => {
  const count = rng.chance(0.05) ? 100 + rng.below(200) : 2 + rng.below(8)
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const text = treeFile(rng, index, count)
      return [fileOf(index), rng.chance(0.1) ? mutate(rng, text) : text]
    }),
  )
}

const values = [
  '',
  'a',
  '$A1',
  '${A2:-${A3:-$A4}}',
  '"$A1$A1"',
  "'$A1'",
  '"a\nb"',
  '${',
  '$$',
  '\\',
  '# c',
  '${A1?x}',
  '"',
  "'",
  'é',
]

const envFile = (rng: Random): string => {
  const count = rng.chance(0.02) ? 20_000 : rng.below(30)
  const end = rng.pick(['\n', '\n', '\r\n'])
  return times(count, (index) => {
    const name = `A${rng.chance(0.5) ? index : rng.below(6)}`
    return `${rng.pick(['', '', '', 'export ', ' '])}${name}${rng.pick(['=', '=', '=', ' = ', ': ', ''])}${rng.pick(values)}${end}`
  })
}

export const envFiles = (rng: Random): Files => {
  const file = (): string | Uint8Array => (rng.chance(0.5) ? mutate(rng, envFile(rng)) : envFile(rng))
  const nested = `${'${A1:-'.repeat(rng.below(60))}x${'}'.repeat(rng.below(60))}`
  const list = rng.pick(['[a.env, b.env]', 'a.env', '[{path: a.env, format: raw}, {path: none.env, required: false}]'])
  const service = `services:\n  web:\n    image: nginx\n    env_file: ${list}\n    environment: {B: "$A1", C: "${nested}"}\n`
  const compose = rng.chance(0.2) ? textOfFile(mutate(rng, service)) : service
  return { 'compose.yaml': compose, 'a.env': file(), 'b.env': file(), '.env': file() }
}
