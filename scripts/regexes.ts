/**
 * Finds regular expressions that need more than linear time on some text. A pattern is read as an automaton of its
 * positions, in which a search begins anew at every character. It is slow if one text leads from a position `p` back
 * to `p`, from `p` to another position `q`, and from `q` back to `q`: when that text is repeated, every repetition is
 * tried as the place to change from one to the other. Repetitions with a small upper bound do not count there, but it is
 * also slow if one text leads from `p` back to `p` in two ways: then every repetition doubles the tries, and a few are
 * enough.
 */
import { type AST, RegExpParser } from '@eslint-community/regexpp'

/** Numbers of letters of the alphabet. */
type Letters = ReadonlySet<number>
/** A position that may come next; `after` limits the letters before it. */
type Entry = { readonly position: number; readonly after: Letters | undefined }
/** `isEnough`: the match may end here, whatever follows. */
type Exit = { readonly position: number; readonly isEnough: boolean }
type Empty = { readonly after: Letters | undefined; readonly isEnough: boolean }
/** A piece of a pattern; `empty` if it also matches no text. */
type Part = { readonly first: ReadonlyArray<Entry>; readonly last: ReadonlyArray<Exit>; readonly empty?: Empty }
type Position = { readonly reads: Letters; readonly next: Array<Entry> }

/** More copies of a repeated part behave like these. */
const copies = 2
/** Repetitions with a bound above it count as unbounded; `few` is that for what grows exponentially. */
const [smallBound, few] = [1_000, 4]

const anywhere: Empty = { after: undefined, isEnough: true }
const nothing: Part = { first: [], last: [], empty: anywhere }
/** Looks at the text that follows: a match that ends here may still fail. */
const conditional = (first: ReadonlyArray<Entry> = []): Part => ({
  first,
  last: [],
  empty: { after: undefined, isEnough: false },
})

const both = (a: Letters | undefined, b: Letters | undefined): Letters | undefined =>
  a === undefined || b === undefined ? (a ?? b) : new Set([...a].filter((letter) => b.has(letter)))

const either = (parts: ReadonlyArray<Part>): Part => {
  const empties = parts.flatMap(({ empty }) => empty ?? [])
  return {
    first: parts.flatMap(({ first }) => first),
    last: parts.flatMap(({ last }) => last),
    ...(empties.length === 0
      ? {}
      : {
          empty: {
            after: empties.length === 1 ? empties[0]?.after : undefined,
            isEnough: empties.some(({ isEnough }) => isEnough),
          },
        }),
  }
}

const link = (positions: ReadonlyArray<Position>, last: ReadonlyArray<Exit>, first: ReadonlyArray<Entry>): void => {
  for (const { position } of last) for (const entry of first) positions[position]?.next.push(entry)
}

const sequence =
  (positions: ReadonlyArray<Position>) =>
  (a: Part, b: Part): Part => {
    link(positions, a.last, b.first)
    const [before, after] = [a.empty, b.empty]
    const skipped = before === undefined ? [] : b.first
    const kept = after === undefined ? [] : a.last
    return {
      first: [...a.first, ...skipped.map((entry) => ({ ...entry, after: both(before?.after, entry.after) }))],
      last: [...kept.map((exit) => ({ ...exit, isEnough: exit.isEnough && after?.isEnough === true })), ...b.last],
      ...(before === undefined || after === undefined
        ? {}
        : { empty: { after: both(before.after, after.after), isEnough: before.isEnough && after.isEnough } }),
    }
  }

const isLetter = ({ type }: AST.Node): boolean => /^(?:Expression)?Character(?:Set|Class)?$/.test(type)

/** ASCII, some letters of other kinds, and those that the pattern names. */
const alphabetOf = (pattern: AST.Pattern, flags: string): ReadonlyArray<string> => {
  const named = Array.from(pattern.raw, (letter) => letter.codePointAt(0) ?? 0)
  const escaped = [...pattern.raw.matchAll(/\\[ux]\{?([0-9a-f]+)/gi)].map(([, code = '']) => Number.parseInt(code, 16))
  const ascii = Array.from({ length: 128 }, (_, code) => code)
  const codes = [...ascii, 0x85, 0xa0, 0xe9, 0x17f, 0x202e, 0x2028, 0x4e2d, ...named, ...escaped]
  const last = /[uv]/.test(flags) ? 0x10ffff : 0xffff
  return [...new Set(codes)].flatMap((code) => (code <= last ? [String.fromCodePoint(code)] : []))
}

type Automaton = {
  readonly positions: ReadonlyArray<Position>
  /** Where a match may end, regardless of the following text. */
  readonly enough: ReadonlySet<number>
  /** One letter of each kind that the pattern distinguishes. */
  readonly letters: Letters
}

const automatonOf = (source: string, flags: string, mostCounted: number): Automaton => {
  const unicode = flags.includes('v') ? { unicodeSets: true } : { unicode: flags.includes('u') }
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, unicode)
  const alphabet = alphabetOf(pattern, flags)
  const positions: Array<Position> = []
  const then = sequence(positions)

  const read = new Map<string, Letters>()
  const lettersOf = (text: string): Letters => {
    const known = read.get(text)
    if (known !== undefined) return known
    const one = new RegExp(`^(?:${text})$`, flags.replaceAll(/[gmyd]/g, ''))
    const letters = new Set(alphabet.flatMap((letter, i) => (one.test(letter) ? [i] : [])))
    read.set(text, letters)
    return letters
  }
  const position = (letters: Letters): Part => {
    const at = positions.push({ reads: letters, next: [] }) - 1
    return { first: [{ position: at, after: undefined }], last: [{ position: at, isEnough: true }] }
  }
  const after = (text: string): Part => ({ ...nothing, empty: { after: lettersOf(text), isEnough: true } })

  const assertion = (node: AST.Assertion): Part => {
    if (node.kind === 'start') return after(flags.includes('m') ? '[\\n\\r\\u2028\\u2029]' : '[]')
    if (node.kind === 'lookahead') return conditional(alternatives(node.alternatives).first)
    if (node.kind !== 'lookbehind') return conditional()
    const letters = node.alternatives.flatMap(({ elements }) => (elements.length === 1 ? elements : []))
    if (letters.length < node.alternatives.length || !letters.every(isLetter))
      return { ...nothing, first: alternatives(node.alternatives).first }
    return after(`(?${node.negate ? '!' : '='}${letters.map(({ raw }) => raw).join('|')})[^]`)
  }

  const repeated = ({ element, max, min }: AST.Quantifier): Part => {
    const forever = (): Part => {
      const one = partOf(element)
      link(positions, one.last, one.first)
      return either([one, nothing])
    }
    const atMost = (count: number): Part =>
      count === 0 ? nothing : either([then(partOf(element), atMost(count - 1)), nothing])
    const isEndless = max > mostCounted
    const needed = Array.from({ length: Math.min(min, copies) }, () => partOf(element)).reduce(then, nothing)
    return then(needed, isEndless ? forever() : atMost(Math.min(max - min, copies)))
  }

  const partOf = (node: AST.Element): Part => {
    if (node.type === 'Assertion') return assertion(node)
    if (node.type === 'Quantifier') return repeated(node)
    if (node.type === 'Group' || node.type === 'CapturingGroup') return alternatives(node.alternatives)
    if (node.type === 'Backreference') return either([position(lettersOf('[^]')), nothing])
    return position(lettersOf(node.raw))
  }

  const alternatives = (nodes: ReadonlyArray<AST.Alternative>): Part =>
    either(nodes.map(({ elements }) => elements.map(partOf).reduce(then, nothing)))

  const whole = alternatives(pattern.alternatives)
  if (!flags.includes('y')) {
    const search = position(lettersOf('[^]'))
    link(positions, search.last, [...search.first, ...whole.first])
  }
  const kinds = new Map(alphabet.map((_, i) => [[...read.values()].map((set) => Number(set.has(i))).join(''), i]))
  return {
    positions,
    enough: new Set(whole.last.flatMap((exit) => (exit.isEnough ? [exit.position] : []))),
    letters: new Set(kinds.values()),
  }
}

const reachable = (positions: ReadonlyArray<Position>, from: number): ReadonlySet<number> => {
  const found = new Set<number>()
  const todo = [from]
  for (let at = todo.pop(); at !== undefined; at = todo.pop())
    for (const { position } of positions[at]?.next ?? [])
      if (!found.has(position)) {
        found.add(position)
        todo.push(position)
      }
  return found
}

/** Whether one text leads from `p` to `p`, from `p` to `q` and from `q` to `q`, and none of the ways is a match. */
const isAmbiguous = (
  { enough, letters, positions }: Automaton,
  reach: ReadonlyArray<ReadonlySet<number>>,
  p: number,
  q: number,
): boolean => {
  const isLimited = positions.some(({ next }) => next.some(({ after }) => after !== undefined && after.size > 0))
  const common = (...at: ReadonlyArray<number>): ReadonlyArray<number> => {
    const read = [...letters].filter((letter) => at.every((one) => positions[one]?.reads.has(letter) === true))
    return isLimited ? read : read.slice(0, 1)
  }
  const nextOf = (at: number, letter: number, goal: number): ReadonlyArray<number> =>
    (positions[at]?.next ?? []).flatMap(({ position, after }) => {
      const isNext = (after === undefined || after.has(letter)) && !enough.has(position)
      return isNext && reach[position]?.has(goal) === true ? [position] : []
    })
  return common(p, q).some((letter) => {
    const seen = new Set<string>()
    const todo: Array<readonly [number, number, number, number]> = [[p, p, q, letter]]
    for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
      const [a, b, c, last] = at
      for (const x of nextOf(a, last, p))
        for (const y of nextOf(b, last, q))
          for (const z of nextOf(c, last, q))
            for (const read of common(x, y, z)) {
              if (x === p && y === q && z === q && (!isLimited || read === letter)) return true
              const key = `${x} ${y} ${z} ${read}`
              if (seen.has(key)) continue
              seen.add(key)
              todo.push([x, y, z, read])
            }
    }
    return false
  })
}

/** Two ways to match the same text, as in `(a*)*`. */
const isTwofold = (
  positions: ReadonlyArray<Position>,
  reach: ReadonlyArray<ReadonlySet<number>>,
  at: number,
): boolean => {
  const again = (positions[at]?.next ?? []).filter(({ position }) => reach[position]?.has(at) === true)
  return new Set(again.map(({ position }) => position)).size < again.length
}

/** Whether one text leads from some position back to it in two ways, and none of the ways is a match. */
const isDoubling = ({ enough, letters, positions }: Automaton): boolean => {
  const size = positions.length
  const reach = positions.map((_, at) => reachable(positions, at))
  const read = positions.map(({ reads }) => [...letters].filter((letter) => reads.has(letter)))
  const canFollow = (at: number, { after, position }: Entry): boolean =>
    !enough.has(position) && (after === undefined || read[at]?.some((letter) => after.has(letter)) === true)
  /** Pairs of positions that one text leads to, within a cycle of both. */
  const nextOf = (pair: number): ReadonlyArray<number> => {
    const [a, b] = [Math.floor(pair / size), pair % size]
    const from = (at: number): ReadonlyArray<number> =>
      (positions[at]?.next ?? []).flatMap((entry) =>
        canFollow(at, entry) && reach[entry.position]?.has(at) === true ? [entry.position] : [],
      )
    return from(a).flatMap((x) =>
      from(b).flatMap((y) => (read[x]?.some((letter) => read[y]?.includes(letter)) === true ? [x * size + y] : [])),
    )
  }
  const leadsTo = (start: number, isGoal: (pair: number) => boolean): ReadonlyArray<number> => {
    const [seen, todo, goals] = [new Set<number>(), [start], new Array<number>()]
    for (let pair = todo.pop(); pair !== undefined; pair = todo.pop())
      for (const next of nextOf(pair)) {
        if (seen.has(next)) continue
        seen.add(next)
        todo.push(next)
        if (isGoal(next)) goals.push(next)
      }
    return goals
  }
  return positions.some((_, at) => {
    if (reach[at]?.has(at) !== true || enough.has(at)) return false
    const start = at * size + at
    const isTwo = (pair: number): boolean => Math.floor(pair / size) !== pair % size
    return (
      isTwofold(positions, reach, at) ||
      leadsTo(start, isTwo).some((pair) => leadsTo(pair, (to) => to === start).length > 0)
    )
  })
}

/** Whether some text takes more than linear time to search for `source`. */
export const isSlow = (source: string, flags: string): boolean => {
  const automaton = automatonOf(source, flags, smallBound)
  if (isDoubling(automatonOf(source, flags, few))) return true
  const { enough, positions } = automaton
  const reach = positions.map((_, at) => reachable(positions, at))
  const inCycles = positions.flatMap((_, at) => (reach[at]?.has(at) === true && !enough.has(at) ? [at] : []))
  return inCycles.some(
    (q) =>
      isTwofold(positions, reach, q) ||
      inCycles.some((p) => p !== q && reach[p]?.has(q) === true && isAmbiguous(automaton, reach, p, q)),
  )
}
