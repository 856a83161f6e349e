/**
 * Inputs by number: the same seed and index always give the same files. Each must lead to a plan or to an error with a
 * place, quickly and in little memory, and never to an exception.
 */
import * as fc from 'fast-check'
import { isList, type Value } from '../../../src/domain/print/value.ts'
import { corpus, manifests, type RealProject, textOfFile } from '../compose/corpus.ts'
import { faults } from '../compose/oracle.ts'
import { type Files, manifestsOf, translateFiles } from '../compose/project.ts'
import { cpuMs } from '../process/cpu.ts'
import { filesOf, type Project, project } from './compose.ts'
import { laidOut, type Tree } from './layout.ts'
import { mutate, poisoned } from './mutate.ts'
import { isMapping, oneFile } from './notation.ts'
import { type OutsideKind, outsideFile, readOutside } from './outside.ts'
import { random } from './random.ts'
import { envFiles, fileTree } from './trees.ts'

const outsideKinds = ['ignore', 'kubeconfig', 'docker', 'store'] as const satisfies ReadonlyArray<OutsideKind>
export const kinds = ['mutated', 'generated', 'manifest', 'layout', 'tree', 'env', ...outsideKinds] as const
export type Kind = (typeof kinds)[number]

const outsideKind = (kind: Kind): OutsideKind | undefined => outsideKinds.find((one) => one === kind)

export const limits = { ms: 2_000, bytes: 512 * 1024 * 1024 }

/** A reproducible failure: `files` are the input, `problems` the violated expectations. */
export type Failure = {
  readonly kind: Kind
  readonly index: number
  readonly files: Files
  readonly problems: ReadonlyArray<string>
}

const mix = (seed: number, index: number): number =>
  (Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 1 || 1

const mutated = (projects: ReadonlyArray<RealProject>, at: number): Files => {
  const rng = random(at)
  const { main, files } = rng.pick(projects)
  return { ...files, [main]: mutate(rng, textOfFile(files[main])) }
}

/** Takes turns: unchanged, in another notation, with one bad value, damaged. */
const generated = (made: Project, at: number): Files => {
  const rng = random(at)
  const form = rng.below(4)
  if (form < 2) return filesOf(made, { seed: at, isSplit: form === 1 })
  const plain = filesOf(made, { seed: rng.below(2) * at, isSplit: false })
  if (form === 3) return { ...plain, 'compose.yaml': mutate(rng, textOfFile(plain['compose.yaml'])) }
  const services = made.document.get('services')
  const document =
    rng.chance(0.7) && isMapping(services)
      ? new Map([...made.document, ['services', poisoned(rng, services)]])
      : poisoned(rng, made.document)
  return { ...made.files, 'compose.yaml': isMapping(document) ? oneFile(document, 0) : '' }
}

const chunk = 250

const asTree = (value: Value): Tree => {
  if (isList(value)) return value.map(asTree)
  if (isMapping(value)) return new Map([...value].map(([key, member]) => [key, asTree(member ?? null)]))
  return typeof value === 'object' ? '' : String(value)
}

/** The document in any layout, a third of them damaged. */
const inLayout = ({ document, files }: Project, at: number): Files => {
  const rng = random(at)
  const tree = new Map([...document].map(([key, member]) => [key, asTree(member)]))
  const text = laidOut(rng, { isWild: rng.chance(0.5), isShared: rng.chance(0.7) }, [tree])
  return { ...files, 'compose.yaml': rng.chance(0.3) ? mutate(rng, text) : text }
}

/** Inputs that need no generated project. */
const single = (kind: Exclude<Kind, 'generated' | 'layout'>, at: number): Files => {
  switch (kind) {
    case 'mutated':
      return mutated(corpus, at)
    case 'manifest':
      return mutated(manifests, at)
    case 'tree':
      return fileTree(random(at))
    case 'env':
      return envFiles(random(at))
    case 'ignore':
    case 'kubeconfig':
    case 'docker':
    case 'store':
      return outsideFile(random(at), kind)
  }
}

/** Inputs `from` up to `to`, generated lazily. */
export function* inputs(kind: Kind, seed: number, from: number, to: number): Generator<readonly [number, Files]> {
  if (kind !== 'generated' && kind !== 'layout') {
    for (let index = from; index < to; index += 1) yield [index, single(kind, mix(seed, index))]
    return
  }
  const write = kind === 'generated' ? generated : inLayout
  for (let first = from - (from % chunk); first < to; first += chunk) {
    const made = fc.sample(project, { numRuns: chunk, seed: mix(seed, first) })
    for (const [offset, one] of made.entries()) {
      const index = first + offset
      if (index >= from && index < to) yield [index, write(one, mix(seed, index))]
    }
  }
}

/** The problems with one input; empty if there are none. */
export const tryOne = (kind: Kind, files: Files): ReadonlyArray<string> => {
  const used = cpuMs()
  const late = (): ReadonlyArray<string> => (used() > limits.ms ? [`${Math.round(used())} ms`] : [])
  const outside = outsideKind(kind)
  try {
    if (outside !== undefined) {
      readOutside(outside, files)
      return late()
    }
    const translation = translateFiles(files)
    manifestsOf(translation)
    return [...late(), ...faults(files, translation)]
  } catch (cause) {
    return [`threw ${cause instanceof Error ? cause.stack : String(cause)}`]
  }
}

/** The failures among `count` inputs of each kind, in this process. */
export const fuzz = (seed: number, count: number): ReadonlyArray<Failure> =>
  kinds.flatMap((kind) =>
    [...inputs(kind, seed, 0, count)].flatMap(([index, files]) => {
      const problems = tryOne(kind, files)
      return problems.length === 0 ? [] : [{ kind, index, files, problems }]
    }),
  )
