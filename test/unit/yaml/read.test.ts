/** What of YAML is read, and where its mistakes are; the properties in test/properties/yaml.test.ts compare it with others. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as C from '../../../src/domain/checked.ts'
import { source } from '../../../src/domain/text/source.ts'
import { get, type Node } from '../../../src/domain/yaml/node.ts'
import { readYaml } from '../../../src/domain/yaml/read.ts'
import { readOurs } from '../../support/compose/yaml-readers.ts'

const read = (text: string) => readYaml(source('compose.yaml', '.', text))
const root = (text: string): Node | undefined => C.valueOf(read(text))?.[0]
const found = (text: string): ReadonlyArray<string> =>
  C.findings(read(text)).map(({ at, code, severity }) => `${severity} ${code} ${at?.line}:${at?.col}`)

/** The one value of a mapping with the key `k`, however deep. */
const valueOf = (text: string): unknown => {
  let value: unknown = readOurs(text)?.[0]
  while (value instanceof Map) value = value.get('k') ?? value.get('a')
  return value
}

const values: ReadonlyArray<readonly [title: string, text: string, value: unknown]> = [
  ['a list that closes in the column of its key', 'a:\n  k: [\n    x\n  ]\n', ['x']],
  ['a list that closes left of its key', 'a:\n  k: [\n    x\n]\n', ['x']],
  ['items left of their key', 'a:\n  k: [x,\ny]\n', ['x', 'y']],
  ['quoted text that goes on left of its key', 'a:\n  k: "x\ny"\n', 'x y'],
  ['text in single quotes that goes on left of its key', "a:\n  k: 'x\n\ny'\n", 'x\ny'],
  ['an escaped line break', 'a:\n  k: "x\\\ny"\n', 'xy'],
  ['plain text that goes on left of its key', 'a:\n  k: [x\ny]\n', ['x y']],
  ['tabs between items', 'a:\n  k: [\tx,\ty\n\t]\n', ['x', 'y']],
  ['a tab before a list', 'a:\n  k:\t[x]\n', ['x']],
  ['a comment right behind a comma', 'a:\n  k: [x,# {\n  y]\n', ['x', 'y']],
  ['a comment right behind quoted text', 'a:\n  k: "x"# y\n', 'x'],
  ['a comment right behind the header of a block', 'a:\n  k: |# x\n    y\n', 'y\n'],
  ['a hash in plain text', 'a:\n  k: [x#y,\nz]\n', ['x#y', 'z']],
  ['a block at the end of a file without a line end', 'k: |\n  x', 'x'],
  ['a folded block at the end of a file without a line end', 'k: >\n  x\n  y', 'x y'],
  ['a kept block at the end of a file without a line end', 'k: |+\n  x\n\n  y', 'x\n\ny'],
  ['a block at the end of a file with a line end', 'k: |\n  x\n', 'x\n'],
  ['a block before blanks at the end of a file', 'k: |\n  x\n  ', 'x\n'],
]

for (const [title, text, value] of values) {
  test(`${title} is read`, () => {
    assert.equal(valueOf(text), value)
    assert.equal(found(text), [])
    assert.equal(valueOf(text.replaceAll('\n', '\r\n')), value)
  })
}

test('values in flow style have their own places', () => {
  const text = 'a:\n  k: [\n\tx, "y\nz",# c\n\t]\n  l: 1\n'
  const list = get(get(root(text), 'a'), 'k')
  assert.ok(list?._tag === 'Sequence')
  assert.equal(
    list.items.map(({ start, end }) => text.slice(start, end)),
    ['x', '"y\nz"'],
  )
  const after = get(get(root(text), 'a'), 'l')
  assert.is(text.slice(after?.start, after?.end), '1')
})

const sameTags: ReadonlyArray<readonly [title: string, text: string]> = [
  ['by the short name', 'k: !!str 5\n'],
  ['by the full name', 'k: !<tag:yaml.org,2002:str> 5\n'],
  ['by a handle of the file', '%TAG !e! tag:yaml.org,2002:\n---\nk: !e!str 5\n'],
  ['by the primary handle of the file', '%TAG ! tag:yaml.org,2002:\n---\nk: !str 5\n'],
  ['in a list with tabs', 'k: [\t!<tag:yaml.org,2002:str> 5\t]\n'],
]

for (const [title, text] of sameTags) {
  test(`a standard tag written ${title} makes a value a string`, () => {
    assert.equal([valueOf(text)].flat(), ['5'])
    assert.equal(found(text), [])
  })
}

test('!reset is known by its full name', () => {
  assert.is(get(root('k: !<!reset> 5\n'), 'k')?.tag, 'reset')
})

test('an alias refers to the latest value with its anchor', () => {
  assert.equal(readOurs('a: &x {b: &x 1}\nc: *x\n'), [
    new Map<string, unknown>([
      ['a', new Map([['b', 1]])],
      ['c', 1],
    ]),
  ])
})

test('an anchor is known in the documents that follow', () => {
  assert.equal(readOurs('a: &x 1\n---\nb: *x\n')?.[1], new Map([['b', 1]]))
})

test('tags unknown to Compose are warnings, and their values are strings', () => {
  assert.equal(readOurs('a: !secret db\nb: !!binary aGk=\nc: !x 5\nd: !!timestamp 2001-01-01\ne: !x\n'), [
    new Map([
      ['a', 'db'],
      ['b', 'aGk='],
      ['c', '5'],
      ['d', '2001-01-01'],
      ['e', ''],
    ]),
  ])
  assert.equal(readOurs('a: !x [1]\nb: !x {c: 1}\n'), [
    new Map<string, unknown>([
      ['a', [1]],
      ['b', new Map([['c', 1]])],
    ]),
  ])
  assert.equal(found('a: !secret db\nb: [!!binary aGk=]\n'), ['warning DT1048 1:4', 'warning DT1048 2:5'])
})

const mistakes: ReadonlyArray<readonly [title: string, text: string, at: string]> = [
  ['a quote that is not closed', 'a:\n  k: "x\n  l: y\n', '3:3'],
  ['a quote that only the next one closes', 'a:\n  k: "x\n  l: "y"\n', '3:3'],
  ['a bracket that is not closed', 'a:\n  k: [x\n  l: y\n', '3:3'],
  ['what is wrong after a list that closes left of its key', 'a:\n  k: [x\n]\n  l: @y\n', '4:6'],
  ['text behind a comment in a list', 'a:\n  k: [x # c\ny]\n', '3:1'],
  ['a key of several lines', '"a\nb": c\n', '2:3'],
  ['a document that ends in a list', 'a: [\n---\n]\n', '2:1'],
]

for (const [title, text, at] of mistakes) {
  test(`${title} is an error at its place`, () => assert.equal(found(text), [`error DT1001 ${at}`]))
}

test.run()
