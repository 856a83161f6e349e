import { applyPatch } from 'diff'
import * as fc from 'fast-check'
import { CORE_SCHEMA, load, loadAll, realMapTag, YAML11_SCHEMA } from 'js-yaml'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse, parseAllDocuments } from 'yaml'
import { unifiedDiff } from '../../src/domain/print/diff.ts'
import { printJson, printJsonLine } from '../../src/domain/print/json.ts'
import type { Value } from '../../src/domain/print/value.ts'
import { printYaml, printYamlLines, printYamlStream } from '../../src/domain/print/yaml.ts'
import { runs } from '../support/arbitrary/runs.ts'

const TRAPS = [
  ...[
    'y',
    'No',
    'ON',
    'off',
    'TRUE',
    'null',
    '~',
    '',
    'e1',
    '012',
    '0o17',
    '1_000',
    '1e3',
    '0x1f',
    '1:30',
    '<<',
    '=',
    '!!int',
  ],
  ...[
    '2024-01-01',
    '- a',
    'a: b',
    'a #b',
    '#',
    '@',
    '`',
    '%TAG',
    '&a',
    '*a',
    '|',
    '>-',
    '---',
    '...',
    '[',
    '}',
    "'",
    '"',
    '\\n',
  ],
  ...[
    '__proto__',
    '10',
    '2',
    'é',
    '😀',
    '\ufeff',
    '\u2028',
    '\u0085',
    '\u00a0',
    '\u007f',
    '\0',
    '\r\n',
    '\ud7ff',
    '\ufffe',
  ],
  ...[
    'a\nb',
    'a\n',
    'a\n\n',
    '\na',
    ' a\nb',
    'a \nb',
    '\ta\nb',
    'a\n\tb\n',
    '\n',
    '\n \n',
    '# a\nb',
    '---\n...\n',
    'k'.repeat(1030),
  ],
]
const text: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...TRAPS),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme-ascii' }),
  fc.string({ unit: fc.constantFrom(' ', '\n', '\t', 'a', ':', '#', '-', '\r', '1', '"', '|', 'e', '.', '/') }),
  fc.array(fc.constantFrom(...TRAPS), { maxLength: 4 }).map((parts) => parts.join('')),
)
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })).map((n) => n + 0)
const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(text, number, fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(text, tie('value')), { maxLength: 4 }).map((entries) => new Map(entries)),
  ),
}))
const some = runs(500)

/** Maps as their entries, so that order counts and every reader's own map type compares equal. */
const toEntries = (read: unknown): unknown => {
  if (read instanceof Map) return { map: Array.from(read, ([key, member]) => [key, toEntries(member)]) }
  if (Array.isArray(read)) return read.map(toEntries)
  return Object.is(read, -0) ? 0 : read
}
const CORE = CORE_SCHEMA.withTags(realMapTag)
const YAML11 = YAML11_SCHEMA.withTags(realMapTag)

test('YAML 1.1 and 1.2 readers read the value back', () => {
  const readers: ReadonlyArray<(yaml: string) => unknown> = [
    (yaml) => load(yaml, { schema: CORE }),
    (yaml) => load(yaml, { schema: YAML11 }),
    (yaml) => parse(yaml, { version: '1.2', mapAsMap: true }),
    (yaml) => parse(yaml, { version: '1.1', mapAsMap: true }),
    (yaml) => parse(yaml, { version: '1.2', mapAsMap: true, merge: true }),
  ]
  fc.assert(
    fc.property(value, (written) => {
      const yaml = printYaml(written)
      assert.ok(yaml.endsWith('\n'))
      for (const read of readers) assert.equal(toEntries(read(yaml)), toEntries(written), yaml)
    }),
    some,
  )
})

test('a YAML stream reads back as its documents', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), (written) => {
      const yaml = printYamlStream(written)
      assert.equal(toEntries(loadAll(yaml, { schema: YAML11 })), toEntries(written))
      assert.equal(
        Array.from(parseAllDocuments(yaml), (document) => toEntries(document.toJS({ mapAsMap: true }))),
        toEntries(written),
      )
    }),
    some,
  )
})

test('printed YAML has only printable characters, and no lone surrogates', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) })), (texts) => {
      assert.not.match(printYaml(texts), /(?!\t)[\0-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]/u)
    }),
    some,
  )
})

test('the lines with paths are the lines of the text', () => {
  fc.assert(
    fc.property(value, (written) => {
      const lines = printYamlLines(written)
      assert.is(`${lines.map((line) => line.text).join('\n')}\n`, printYaml(written))
    }),
    some,
  )
})

test('JSON reads back as the value', () => {
  const fromJson = (read: unknown): unknown => {
    if (Array.isArray(read)) return read.map(fromJson)
    if (typeof read !== 'object' || read === null) return Object.is(read, -0) ? 0 : read
    return new Map(Object.entries(read).map(([key, member]) => [key, fromJson(member)]))
  }
  const sorted = (read: unknown): unknown => {
    if (read instanceof Map) {
      const entries = Array.from(read, ([key, member]): [string, unknown] => [String(key), sorted(member)])
      return new Map(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    }
    return Array.isArray(read) ? read.map(sorted) : read
  }
  fc.assert(
    fc.property(value, (written) => {
      for (const json of [printJson(written), printJsonLine(written)]) {
        assert.equal(toEntries(sorted(fromJson(JSON.parse(json)))), toEntries(sorted(written)))
        assert.equal(toEntries(parse(json, { mapAsMap: true, uniqueKeys: false })), toEntries(written))
      }
    }),
    some,
  )
})

test('plain data is printed as JSON.stringify prints it, except for escaped characters', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(8), (written, indent) => {
      fc.pre(!/##(?:vso)?\[/.test(JSON.stringify(written)))
      const plain: Value = JSON.parse(JSON.stringify(written))
      assert.is(printJson(plain, indent), `${JSON.stringify(plain, null, indent)}\n`)
    }),
    some,
  )
})

test('a diff applied gives the new text', () => {
  const lines = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'a', '- b\n', '+ c\n', '\\ d\n'), { maxLength: 30 })
  const file = lines.map((parts) => parts.join(''))
  fc.assert(
    fc.property(file, file, fc.nat(4), (before, after, context) => {
      const patch = unifiedDiff({ from: 'a', to: 'b', context }, before, after)
      assert.is(patch === '', before === after)
      assert.is(patch === '' ? before : applyPatch(before, patch), after)
    }),
    some,
  )
})

test('notes change only the ends of changed lines', () => {
  const file = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n'), { maxLength: 30 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(file, file, (before, after) => {
      const names = { from: 'a', to: 'b' }
      const noted = unifiedDiff(names, before, after, (line) => `compose.yaml:${line % 3}`)
      assert.is(noted.replace(/^([-+].*) # from compose\.yaml:\d$/gm, '$1'), unifiedDiff(names, before, after))
    }),
    some,
  )
})

test.run()
