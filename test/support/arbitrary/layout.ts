/**
 * The same YAML in any layout: flow and block styles, every quoting and chomping, any indentation, comments everywhere,
 * anchors on keys, CRLF and a byte order mark.
 */
import * as fc from 'fast-check'
import { type Random, random } from './random.ts'

export type Tree = string | ReadonlyArray<Tree> | ReadonlyMap<string, Tree>

/** `wild`: what go-yaml takes beyond YAML 1.2, at the columns, tabs and comments of flow collections and quoted text. */
type Writer = { readonly rng: Random; readonly isWild: boolean }

const isList = (value: Tree): value is ReadonlyArray<Tree> => Array.isArray(value)
const isWord = (text: string): boolean => /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z][a-z0-9_./-]*$/i.test(text)

const comment = ({ rng }: Writer): string => rng.pick([' # note', ' # {"a": [', "  # it's: a", ' #'])

/** The start of a line inside of a value whose parent stands in the column `parent`. A tab must not follow a plain scalar. */
const inside = ({ rng, isWild }: Writer, parent: number, mayBeTab = true): string =>
  isWild && rng.chance(0.6)
    ? rng.pick(['', ' ', mayBeTab ? '\t' : '  ', mayBeTab ? '  \t ' : ''])
    : ' '.repeat(Math.max(parent, 0) + 1 + rng.below(4))

/** Between two tokens of a flow collection; a comment may be glued to what `isPunctuation`. */
const gap = (writer: Writer, parent: number, isPunctuation = false): string => {
  const { rng, isWild } = writer
  if (rng.chance(0.7)) return rng.pick(['', ' ', '  ', isWild ? '\t' : ' '])
  const note = isWild && isPunctuation && rng.chance(0.3) ? '# glued' : comment(writer)
  const lines = rng.pick(['\n', `${note}\n`, '\n\n', `\n${' '.repeat(Math.max(parent, 0) + 1)}# own\n`])
  return `${lines}${inside(writer, parent, isPunctuation)}`
}

/** Blanks between words may be line breaks, and a line break is two. */
const folded = (writer: Writer, text: string, parent: number): string =>
  text.replace(/(?<=\S)( |\n+)(?=\S)/g, (blank) =>
    blank === ' ' && writer.rng.chance(0.7)
      ? blank
      : `\n${blank.trim() === '' && blank !== ' ' ? blank : ''}${inside(writer, parent)}`,
  )

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

const doubleQuoted = (writer: Writer, text: string, parent: number): string => {
  const parts = text.split(/(?<=\S)(?=\S)/)
  const cut = writer.rng.chance(0.2) && parts.length > 1 ? 1 + writer.rng.below(parts.length - 1) : undefined
  if (cut === undefined) return `"${escaped(text)}"`
  return `"${escaped(parts.slice(0, cut).join(''))}\\\n${inside(writer, parent)}${escaped(parts.slice(cut).join(''))}"`
}

const isFoldable = (text: string): boolean => !/(?:^|\n)[ \t]|[ \t](?:\n|$)|^\n|\n$/.test(text)

const flowScalar = (writer: Writer, text: string, parent: number): string => {
  const { rng } = writer
  const forms = [doubleQuoted(writer, text, parent)]
  if (isWord(text)) forms.push(text, text)
  if (isFoldable(text)) {
    forms.push(`'${folded(writer, text.replaceAll("'", "''"), parent)}'`)
    if (!/["\\]/.test(text)) forms.push(`"${folded(writer, text, parent)}"`)
  }
  return rng.pick(forms)
}

const flow = (writer: Writer, value: Tree, parent: number): string => {
  if (typeof value === 'string') return flowScalar(writer, value, parent)
  const space = (): string => gap(writer, parent)
  const open = (): string => gap(writer, parent, true)
  const items = isList(value)
    ? value.map((item) => flow(writer, item, parent))
    : Array.from(value, ([key, member]) => `${key}:${space() || ' '}${flow(writer, member, parent)}`)
  const last = items.length > 0 && writer.rng.chance(0.3) ? `,${open()}` : ''
  const joined = items.map((item, i) => (i === 0 ? item : `${space()},${open()}${item}`)).join('')
  const [first, close] = isList(value) ? ['[', ']'] : ['{', '}']
  return `${first}${open()}${joined}${space()}${last}${close}`
}

/** A literal or folded scalar with its header; its lines are indented by `pad`. */
const blockScalar = (writer: Writer, text: string, parent: number): string | undefined => {
  const { rng } = writer
  const body = text.replace(/\n+$/, '')
  const breaks = text.length - body.length
  if (body === '' || /\r|[ \t]$/m.test(text)) return undefined
  const isFolded = rng.chance(0.5) && isFoldable(body)
  const width = 1 + rng.below(4)
  const pad = ' '.repeat(Math.max(parent, 0) + width)
  const needsIndicator = /^[ \n\t]/.test(body)
  const indicator = needsIndicator || rng.chance(0.2) ? String(width) : ''
  const chomping = breaks === 0 ? '-' : breaks === 1 && rng.chance(0.7) ? '' : '+'
  const lines = (isFolded ? body.replace(/\n+/g, (run) => `${run}\n`) : body)
    .split('\n')
    .map((line) => (line === '' ? rng.pick(['', ' '.repeat(Math.min(pad.length, 1))]) : pad + line))
  const header = `${isFolded ? '>' : '|'}${rng.pick([indicator + chomping, chomping + indicator])}`
  const note = rng.chance(0.2) ? comment(writer) : ''
  return `${header}${note}\n${lines.join('\n')}${'\n'.repeat(Math.max(breaks, 1))}`
}

/** Before an entry in a column: never more indented, since that would be text of a block scalar before it. */
const between = ({ rng }: Writer, column: number): string =>
  rng.chance(0.15) ? `${' '.repeat(rng.below(column + 1))}# between: [\n` : ''

const keyOf = ({ rng }: Writer, key: string, anchors: { next: number }): string => {
  const form = rng.pick([key, key, `"${key}"`, `'${key}'`])
  if (!rng.chance(0.15)) return form
  anchors.next += 1
  return `&key${anchors.next} ${form}`
}

/** What follows a key's colon or a dash, line break included. */
const block = (writer: Writer, value: Tree, parent: number, anchors: { next: number }, isItem = false): string => {
  const { isWild, rng } = writer
  const end = rng.pick(['\n', '\n', '\n', `${comment(writer)}\n`, ' \n\n'])
  const space = rng.pick([' ', ' ', '   '])
  const wideSpace = isWild && !isItem && rng.chance(0.2) ? ' \t' : space
  if (typeof value === 'string') {
    const scalar = rng.chance(0.5) ? blockScalar(writer, value, parent) : undefined
    return scalar === undefined ? `${wideSpace}${flowScalar(writer, value, parent)}${end}` : `${space}${scalar}`
  }
  if ((isList(value) ? value.length : value.size) === 0 || rng.chance(0.4)) {
    return `${wideSpace}${flow(writer, value, parent)}${end}`
  }
  const isInParentsColumn = isList(value) && parent >= 0 && !isItem && rng.chance(0.4)
  const column = isInParentsColumn ? parent : parent + 1 + rng.below(5)
  const pad = ' '.repeat(column)
  const lines = isList(value)
    ? value.map((item) => `${between(writer, column)}${pad}-${block(writer, item, column, anchors, true)}`)
    : Array.from(value, ([key, member]) => {
        const name = keyOf(writer, key, anchors)
        const colon = rng.pick([':', ':', ' :'])
        return `${between(writer, column)}${pad}${name}${colon}${block(writer, member, column, anchors)}`
      })
  return `${end}${lines.join('')}`
}

/** A document in some layout. */
export const laidOut = (rng: Random, isWild: boolean, document: ReadonlyMap<string, Tree>): string => {
  const writer: Writer = { rng, isWild }
  const head = rng.pick(['', '---\n', '# a file\n', '--- # a file\n'])
  const body = block(writer, document, -1, { next: 0 })
    .replace(/^[ \t]*(?=[{[])/, '')
    .replace(/^ *(?:#.*)?\n/, '')
  const text = head + body
  const lines = rng.chance(0.3) ? text.replaceAll('\n', '\r\n') : text
  return `${head !== '' && rng.chance(0.3) ? '\uFEFF' : ''}${lines}`
}

const texts: ReadonlyArray<string> = [
  ...[
    'x',
    'nginx:1.27',
    'a b',
    'a b c d',
    '',
    'true',
    '8080:80',
    'it\'s "q"',
    'back\\slash',
    ' lead',
    'trail ',
    '\ttab',
  ],
  ...['a\nb', 'a b\n', 'a\n\nb c\n\n', 'a\n  b\nc\n', 'end\n\n\n', ' more\nless\n'],
  ...['{x}: [', '# no', '- d', 'k: v', '*x', '&y', '!z', '%p', '@q', '|', '---', '<<'],
]

export const layoutText = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...texts) }, fc.string({ maxLength: 12 }))

const tree: fc.Memo<Tree> = fc.memo((depth) =>
  depth <= 1
    ? layoutText
    : fc.oneof(
        layoutText,
        fc.array(tree(), { maxLength: 3 }),
        fc.array(tree(), { maxLength: 3 }).map((members) => new Map(members.map((member, i) => [`k${i}`, member]))),
      ),
)

export const trees: fc.Arbitrary<ReadonlyMap<string, Tree>> = fc
  .array(tree(4), { minLength: 1, maxLength: 4 })
  .map((members) => new Map(members.map((member, i) => [`key${i}`, member])))

/** Writes a document in a layout of its own. */
export const layouts = (isWild: boolean): fc.Arbitrary<(document: ReadonlyMap<string, Tree>) => string> =>
  fc.integer({ min: 1 }).map((seed) => (document) => laidOut(random(seed), isWild, document))
