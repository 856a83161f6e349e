import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { printJson, printJsonLine } from '../../../src/domain/print/json.ts'
import type { Value } from '../../../src/domain/print/value.ts'

const nasty: ReadonlyArray<Value> = [
  ...['', 'a', '"', '\\', '/', '\n\r\t\b\f', '\0\u001f\u00a0', '\u2028\u2029\ufeff', 'é日本😀', '\ud800', 'a\udc00b'],
  ...[0, -0, 1, -1.5, 1e21, 5e-7, true, false, null],
]

const printed = String.raw`\u001b\u007f\u0080\u009b2J\u009f${'\u00a0'}`

/** As `printJson` escapes them. */
const stringify = (value: Value, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(
    /[\u2028\u2029\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16)}`,
  )

test('plain data is printed as JSON.stringify prints it, except that control characters are escaped', () => {
  const cases: ReadonlyArray<Value> = [
    ...nasty,
    [],
    {},
    [[]],
    [{}],
    { a: undefined },
    { a: undefined, b: 1, c: undefined },
    { 10: 'a', 2: 'b', '\ud800"': [] },
    { a: [1, { b: nasty, c: {} }], d: { e: { f: null } } },
  ]
  for (const value of cases) {
    for (const indent of [0, 1, 2, 4]) assert.is(printJson(value, indent), `${stringify(value, indent)}\n`)
    assert.is(printJson(value), `${stringify(value, 2)}\n`)
    assert.is(printJsonLine(value), `${stringify(value)}\n`)
  }
})

test('a map is an object in its own order, __proto__ included', () => {
  const value = new Map<string, Value>([
    ['10', new Map()],
    ['2', [new Map([['a', 1]])]],
    ['__proto__', 'x'],
  ])
  assert.is(printJsonLine(value), '{"10":{},"2":[{"a":1}],"__proto__":"x"}\n')
  assert.is(printJson(value), '{\n  "10": {},\n  "2": [\n    {\n      "a": 1\n    }\n  ],\n  "__proto__": "x"\n}\n')
})

test('controls that drive a terminal are escaped, and read back', () => {
  const text = '\u001b\u007f\u0080\u009b2J\u009f\u00a0'
  assert.is(printJsonLine({ [text]: text }), `{"${printed}":"${printed}"}\n`)
  assert.equal(JSON.parse(printJson({ [text]: text })), { [text]: text })
})

test('lone surrogates are escaped', () => {
  assert.is(printJsonLine({ '\udc00': '\ud800' }), '{"\\udc00":"\\ud800"}\n')
})

test.run()
