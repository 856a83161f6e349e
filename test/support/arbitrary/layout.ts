/**
 * The same YAML in any layout: flow and block styles, every quoting and chomping, any indentation, comments everywhere,
 * explicit keys, several documents, CRLF and a byte order mark; anchors, aliases, merge keys, tags and directives.
 */
import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { type Random, random } from './random.ts'

export type Tree = string | ReadonlyArray<Tree> | ReadonlyMap<string, Tree>

/**
 * `isWild`: also uses what go-yaml accepts beyond YAML 1.2: columns, tabs and comments in flow collections and quoted
 * text. `isShared`: uses anchors, aliases and tags, which the API server does not read as YAML defines them.
 */
export type Style = { readonly isWild: boolean; readonly isShared: boolean }

/** The value is known once it is complete: an alias inside it cannot refer to it. */
type Anchored = { value?: Tree }
/** `anchors` and the tag handle are those of the document that is written. */
type Writer = Style & {
  readonly rng: Random
  readonly anchors: Map<string, Anchored>
  readonly handle: string | undefined
}

const isList = (value: Tree): value is ReadonlyArray<Tree> => Array.isArray(value)
const isMapping = (value: Tree): value is ReadonlyMap<string, Tree> => value instanceof Map
const isWord = (text: string): boolean => /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z][a-z0-9_./-]*$/i.test(text)

const comment = ({ rng }: Writer): string => rng.pick([' # note', ' # {"a": [', "  # it's: a", ' #'])

/**
 * The start of a line inside of a value whose parent stands in the column `parent`. No tab may follow a plain scalar.
 */
const inside = ({ rng, isWild }: Writer, parent: number, mayBeTab = true): string =>
  isWild && rng.chance(0.6)
    ? rng.pick(['', ' ', mayBeTab ? '\t' : '  ', mayBeTab ? '  \t ' : ''])
    : ' '.repeat(Math.max(parent, 0) + 1 + rng.below(4))

/** Between two tokens of a flow collection. After punctuation, a comment needs no space before it. */
const gap = (writer: Writer, parent: number, isPunctuation = false): string => {
  const { rng, isWild } = writer
  if (rng.chance(0.7)) return rng.pick(['', ' ', '  ', isWild ? '\t' : ' '])
  const note = isWild && isPunctuation && rng.chance(0.3) ? '# glued' : comment(writer)
  const lines = rng.pick(['\n', `${note}\n`, '\n\n', `\n${' '.repeat(Math.max(parent, 0) + 1)}# own\n`])
  return `${lines}${inside(writer, parent, isPunctuation)}`
}

/** Spaces between words may be written as line breaks, and a line break as two. */
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

/** An anchor name, which may have been used before: an alias refers to the latest value with that anchor. */
const anchorFor = ({ rng, anchors }: Writer): readonly [name: string, anchored: Anchored] => {
  const [name, anchored]: [string, Anchored] = [`a-${rng.below(12)}`, {}]
  anchors.set(name, anchored)
  return [name, anchored]
}

const aliasOf = (writer: Writer, value: Tree): string | undefined => {
  if (!writer.isShared || writer.anchors.size === 0 || !writer.rng.chance(0.4)) return undefined
  const same = [...writer.anchors].filter(([, anchored]) => isDeepStrictEqual(anchored.value, value))
  return same.length === 0 ? undefined : `*${writer.rng.pick(same)[0]}`
}

const tagFor = ({ rng, handle }: Writer, value: Tree): string => {
  const name = typeof value === 'string' ? 'str' : isList(value) ? 'seq' : 'map'
  const full = `tag:yaml.org,2002:${name}`
  const forms = [`!!${name}`, `!<${full}>`, ...(handle === undefined ? [] : [`${handle}${name}`])]
  return rng.pick(typeof value === 'string' ? [...forms, '!'] : forms)
}

/** An anchor and a tag, in any order. An anchored value can be referred to as soon as it is complete. */
const propertiesOf = (writer: Writer, value: Tree): { readonly text: string; readonly written: () => void } => {
  const { rng, isShared } = writer
  if (!isShared || !rng.chance(0.25)) return { text: '', written: () => {} }
  const [name, anchored] = rng.chance(0.75) ? anchorFor(writer) : []
  const tag = name === undefined || rng.chance(0.2) ? [tagFor(writer, value)] : []
  const parts = name === undefined ? tag : rng.chance(0.5) ? [`&${name}`, ...tag] : [...tag, `&${name}`]
  const written = (): void => {
    if (anchored !== undefined) anchored.value = value
  }
  return { text: `${parts.join(' ')} `, written }
}

/** The mapping given to a merge key: an anchored one, or some members of `value` with others that are overridden. */
const mergeSource = (writer: Writer, value: ReadonlyMap<string, Tree>): ReadonlyMap<string, Tree> => {
  const { rng, anchors } = writer
  const known = [...anchors.values()].flatMap(({ value: one }) =>
    one !== undefined && isMapping(one) && one.size > 0 && [...one.keys()].every((key) => value.has(key)) ? [one] : [],
  )
  if (known.length > 0 && rng.chance(0.8)) return rng.pick(known)
  const part = [...value].filter(() => rng.chance(0.5))
  return new Map(part.map(([key, member]) => [key, rng.chance(0.2) ? 'overridden' : member]))
}

/** All members, or a merge key and the members that it does not contribute. */
const membersOf = (writer: Writer, value: ReadonlyMap<string, Tree>): ReadonlyArray<readonly [string, Tree]> => {
  const { rng, isShared } = writer
  if (!isShared || value.size === 0 || !rng.chance(0.3)) return [...value]
  const sources = Array.from({ length: 1 + rng.below(3) }, () => mergeSource(writer, value))
  const [first = new Map<string, Tree>()] = sources
  const merge: Tree = sources.length === 1 && rng.chance(0.7) ? first : sources
  const brought = new Map(sources.toReversed().flatMap((one) => [...one]))
  const own = [...value].filter(([key, member]) => !isDeepStrictEqual(brought.get(key), member) || rng.chance(0.2))
  const at = rng.below(own.length + 1)
  return [...own.slice(0, at), ['<<', merge], ...own.slice(at)]
}

const flow = (writer: Writer, value: Tree, parent: number): string => {
  const alias = aliasOf(writer, value)
  if (alias !== undefined) return `${alias} `
  const { text, written } = propertiesOf(writer, value)
  const node = text + bareFlow(writer, value, parent)
  written()
  return node
}

/** In a flow collection, keys need not be on lines of their own. */
const flowKey = (writer: Writer, key: string): string => {
  if (key === '<<') return key
  const form = writer.rng.pick([key, key, `"${key}"`, `'${key}'`])
  return writer.rng.chance(0.1) ? `? ${form} ` : form
}

const bareFlow = (writer: Writer, value: Tree, parent: number): string => {
  if (typeof value === 'string') return flowScalar(writer, value, parent)
  const space = (): string => gap(writer, parent)
  const open = (): string => gap(writer, parent, true)
  const items = isList(value)
    ? value.map((item) => flow(writer, item, parent))
    : membersOf(writer, value).map(
        ([key, member]) => `${flowKey(writer, key)}:${space() || ' '}${flow(writer, member, parent)}`,
      )
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

/**
 * Comments before an entry: never indented further than it, since they would become text of a preceding block scalar.
 */
const between = ({ rng }: Writer, column: number): string =>
  rng.chance(0.15) ? `${' '.repeat(rng.below(column + 1))}# between: [\n` : ''

/** A key and its colon, or an explicit key (`? key`) on lines of its own. */
const keyOf = (writer: Writer, key: string, column: number): string => {
  const { rng, isShared } = writer
  const colon = rng.pick([':', ':', ' :'])
  if (key === '<<') return key + colon
  const alias = aliasOf(writer, key)
  if (alias !== undefined) return `${alias} :`
  const form = rng.pick([key, key, `"${key}"`, `'${key}'`])
  if (rng.chance(0.1)) {
    const explicit = rng.pick([form, form, `|-\n${' '.repeat(column + 1 + rng.below(3))}${key}`])
    return `? ${explicit}\n${' '.repeat(column)}:`
  }
  if (!isShared || !rng.chance(0.15)) return form + colon
  const [name, anchored] = anchorFor(writer)
  anchored.value = key
  return `&${name} ${form}${colon}`
}

type After = 'Key' | 'ExplicitKey' | 'Dash'

/**
 * What follows a key's colon or a dash, including the line break. A tab is allowed only after a colon on the line of
 * its key.
 */
const block = (writer: Writer, value: Tree, parent: number, after: After): string => {
  const { isWild, rng } = writer
  const end = rng.pick(['\n', '\n', '\n', `${comment(writer)}\n`, ' \n\n'])
  const space = rng.pick([' ', ' ', '   '])
  const wideSpace = isWild && after === 'Key' && rng.chance(0.2) ? ' \t' : space
  const isRoot = parent < 0
  const alias = isRoot ? undefined : aliasOf(writer, value)
  if (alias !== undefined) return `${space}${alias}${end}`
  const { text: properties, written } = isRoot ? { text: '', written: () => {} } : propertiesOf(writer, value)
  const node = (): string => {
    if (typeof value === 'string') {
      const scalar = rng.chance(0.5) ? blockScalar(writer, value, parent) : undefined
      return scalar === undefined
        ? `${wideSpace}${properties}${flowScalar(writer, value, parent)}${end}`
        : `${space}${properties}${scalar}`
    }
    if ((isList(value) ? value.length : value.size) === 0 || rng.chance(0.4)) {
      return `${wideSpace}${properties}${bareFlow(writer, value, parent)}${end}`
    }
    const isInParentsColumn = isList(value) && !isRoot && after !== 'Dash' && properties === '' && rng.chance(0.4)
    const column = isInParentsColumn ? parent : parent + 1 + rng.below(5)
    const pad = ' '.repeat(column)
    const lines = isList(value)
      ? value.map((item) => `${between(writer, column)}${pad}-${block(writer, item, column, 'Dash')}`)
      : membersOf(writer, value).map(([key, member]) => {
          const name = keyOf(writer, key, column)
          const kind = name.startsWith('? ') ? 'ExplicitKey' : 'Key'
          return `${between(writer, column)}${pad}${name}${block(writer, member, column, kind)}`
        })
    return `${properties === '' ? '' : ` ${properties.trimEnd()}`}${end}${lines.join('')}`
  }
  const text = node()
  written()
  return text
}

const documentOf = (style: Style, rng: Random, document: ReadonlyMap<string, Tree>, isFirst: boolean): string => {
  const handle = style.isShared && rng.chance(0.2) ? rng.pick(['!e!', '!yaml-1!']) : undefined
  const version = style.isShared && rng.chance(0.1) ? `%YAML 1.${style.isWild ? rng.below(3) : 2}\n` : ''
  const directives = `${version}${handle === undefined ? '' : `%TAG ${handle} tag:yaml.org,2002:\n`}`
  const start = rng.pick(['---\n', '--- # a file\n', '---\n# a file\n'])
  const head = isFirst && directives === '' && rng.chance(0.5) ? rng.pick(['', '# a file\n']) : directives + start
  const body = block({ ...style, rng, anchors: new Map(), handle }, document, -1, 'Key')
    .replace(/^[ \t]*(?=[{[])/, '')
    .replace(/^ *(?:#.*)?\n/, '')
  return head + body
}

/** Documents in some layout. */
export const laidOut = (rng: Random, style: Style, documents: ReadonlyArray<ReadonlyMap<string, Tree>>): string => {
  const texts = documents.map((document, i) => documentOf(style, rng, document, i === 0))
  const endOf = (next: string | undefined): string => (next?.startsWith('%') === true || rng.chance(0.1) ? '...\n' : '')
  const text = texts.map((one, i) => one + endOf(texts[i + 1])).join('')
  const lines = rng.chance(0.3) ? text.replaceAll('\n', '\r\n') : text
  // The package yaml rejects a space after a byte order mark.
  return `${!/^\s/.test(text) && rng.chance(0.3) ? '\uFEFF' : ''}${lines}`
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

const mapping: fc.Arbitrary<ReadonlyMap<string, Tree>> = fc
  .array(tree(4), { minLength: 1, maxLength: 4 })
  .map((members) => new Map(members.map((member, i) => [`key${i}`, member])))

/** The documents of a file. */
export const trees: fc.Arbitrary<ReadonlyArray<ReadonlyMap<string, Tree>>> = fc.oneof(
  { weight: 3, arbitrary: mapping.map((document) => [document]) },
  fc.array(mapping, { minLength: 2, maxLength: 3 }),
)

/** Writes each document in another layout. */
export const layouts = (style: Style): fc.Arbitrary<(documents: ReadonlyArray<ReadonlyMap<string, Tree>>) => string> =>
  fc.integer({ min: 1 }).map((seed) => (documents) => laidOut(random(seed), style, documents))
