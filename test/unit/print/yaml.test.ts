import { CORE_SCHEMA, load, YAML11_SCHEMA } from 'js-yaml'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import type { Value } from '../../../src/domain/print/value.ts'
import { printYaml, printYamlLines, printYamlStream } from '../../../src/domain/print/yaml.ts'

const readAll = (text: string): ReadonlyArray<unknown> => [
  load(text, { schema: CORE_SCHEMA }),
  load(text, { schema: YAML11_SCHEMA }),
  parse(text, { version: '1.2' }),
  parse(text, { version: '1.1' }),
]

const PLAIN = [
  'web',
  'A',
  '/var/lib/data',
  'a:b',
  'nginx:1.27',
  'a/b@c',
  'http://x:80/y',
  'x-',
  'nope',
  'ye',
  'e1x',
  'a_b.c',
]
const WORDS = ['y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null']
const QUOTED = [
  ...WORDS,
  ...WORDS.map((word) => word.toUpperCase()),
  ...['Yes', 'nO', 'tRuE', 'Null', '~', '', ' ', 'e1', 'E12', 'e-1', '1', '012', '0o17', '0x1F', '0b1', '1_000', '1e3'],
  ...[
    '.5',
    '.inf',
    '.nan',
    '-1',
    '+1',
    '-',
    '- a',
    '?',
    '? a',
    ':',
    'a:',
    'a: b',
    'a #b',
    '#a',
    '@a',
    '`a',
    '%a',
    '!a',
  ],
  ...[
    '&a',
    '*a',
    '|',
    '>',
    '{}',
    '[]',
    '{a',
    ',',
    "'",
    "it's",
    '"',
    '\\',
    '<<',
    '=',
    '2024-01-01',
    '12:30:45',
    '1.2.3',
  ],
  ...[
    '---',
    '...',
    '2001-12-14t21:59:43.10-05:00',
    ' a',
    'a ',
    '\ta',
    'a\t',
    'a b',
    'é',
    '日本',
    '😀',
    'a\u00a0b',
    '$(X)',
  ],
]

test('a string that no parser can misread is plain', () => {
  for (const text of PLAIN) assert.is(printYaml({ k: text }), `k: ${text}\n`)
})

test('words, numbers, dates and everything special in YAML 1.1 or 1.2 is quoted, as values and as keys', () => {
  for (const text of QUOTED) {
    const shown = printYaml(new Map([[text, text]]))
    assert.match(shown, /^".*": ".*"\n$/)
    for (const value of readAll(shown)) assert.equal(value, { [text]: text }, shown)
  }
})

test('invisible and control characters are escaped', () => {
  const cases: ReadonlyArray<readonly [string, string]> = [
    ['a\tb', '"a\\tb"'],
    ['a\rb', '"a\\rb"'],
    ['a\r\nb', '"a\\r\\nb"'],
    ['\0', '"\\x00"'],
    ['\u001b[31m', '"\\x1b[31m"'],
    ['\u007f', '"\\x7f"'],
    ['\u0085', '"\\x85"'],
    ['\u2028\u2029', '"\\u2028\\u2029"'],
    ['\u202e', '"\\u202e"'],
    ['\ufeff', '"\\ufeff"'],
    ['\uffff', '"\\uffff"'],
    ['a"\\', '"a\\"\\\\"'],
  ]
  for (const [text, shown] of cases) {
    assert.is(printYaml([text]), `- ${shown}\n`)
    for (const value of readAll(`- ${shown}\n`)) assert.equal(value, [text])
  }
})

test('a lone surrogate, which UTF-8 cannot hold, is printed as U+FFFD', () => {
  assert.is(
    printYaml(['a\ud800b', 'a\udc00', '\ud83d\ude00', 'l\n\ud800\n']),
    '- "a\ufffdb"\n- "a\ufffd"\n- "😀"\n- "l\\n\ufffd\\n"\n',
  )
})

test('several lines are a literal block', () => {
  const cases: ReadonlyArray<readonly [string, string]> = [
    ['a\nb', 'k: |-\n  a\n  b\n'],
    ['a\n', 'k: |\n  a\n'],
    ['a\n\n', 'k: |+\n  a\n\n'],
    ['a\n\n\nb\n', 'k: |\n  a\n\n\n  b\n'],
    ['\na', 'k: |-\n\n  a\n'],
    [' a\nb', 'k: |2-\n   a\n  b\n'],
    ['\n a\n', 'k: |2\n\n   a\n'],
    ['all:\n\tmake\n', 'k: |\n  all:\n  \tmake\n'],
    ['# a\n--- "\\ é 😀', 'k: |-\n  # a\n  --- "\\ é 😀\n'],
  ]
  for (const [text, shown] of cases) {
    assert.is(printYaml({ k: text }), shown)
    for (const value of readAll(shown)) assert.equal(value, { k: text }, shown)
    for (const value of readAll(printYaml([[text], { a: { b: text } }])))
      assert.equal(value, [[text], { a: { b: text } }])
  }
})

test('several lines are quoted when a literal block would change them', () => {
  for (const text of [
    '\n',
    '\n\n',
    'a \nb',
    'a\nb ',
    'a\t\n',
    'a\n \nb',
    '\ta\nb',
    '\n\ta',
    'a\r\nb\r\n',
    'a\n\u0085b',
    'a\n\u0007',
  ]) {
    const shown = printYaml({ k: text })
    assert.match(shown, /^k: ".*"\n$/)
    for (const value of readAll(shown)) assert.equal(value, { k: text })
  }
  assert.is(printYaml('a\nb\n'), '"a\\nb\\n"\n')
})

test('objects of the Kubernetes types are printed without conversion', () => {
  type Port = { readonly containerPort: number; readonly name?: string }
  type Container = {
    readonly name: string
    readonly ports?: ReadonlyArray<Port>
    readonly env?: ReadonlyMap<string, string>
  }
  type Pod = { readonly kind: 'Pod'; readonly spec: { readonly containers: ReadonlyArray<Container> } }
  const pod: Pod = {
    kind: 'Pod',
    spec: { containers: [{ name: 'web', ports: [{ containerPort: 80 }], env: new Map() }] },
  }
  const shown = 'kind: Pod\nspec:\n  containers:\n  - name: web\n    ports:\n    - containerPort: 80\n    env: {}\n'
  assert.is(printYaml(pod), shown)
})

test('lists are not indented below their key, and nest on one line', () => {
  const value = {
    a: [1, [2, [], [3]], { b: [], c: { d: [{ e: {} }] } }],
    f: { g: {} },
    h: undefined,
    i: { j: undefined },
  }
  const shown = 'a:\n- 1\n- - 2\n  - []\n  - - 3\n- b: []\n  c:\n    d:\n    - e: {}\nf:\n  g: {}\ni: {}\n'
  assert.is(printYaml(value), shown)
})

test('a document may be a list, a scalar or nothing', () => {
  const cases: ReadonlyArray<readonly [Value, string]> = [
    [[], '[]\n'],
    [{}, '{}\n'],
    [new Map(), '{}\n'],
    ['a', 'a\n'],
    ['', '""\n'],
    [null, 'null\n'],
    [true, 'true\n'],
  ]
  for (const [value, shown] of cases) assert.is(printYaml(value), shown)
})

test('numbers read as numbers in YAML 1.1 too', () => {
  assert.is(
    printYaml([0, -0, 1, -7, 0.5, 1e21, 5e-7, 1.5e300]),
    '- 0\n- 0\n- 1\n- -7\n- 0.5\n- 1.0e+21\n- 5.0e-7\n- 1.5e+300\n',
  )
})

test('user mappings keep the order of 10 and 2, and __proto__', () => {
  const value = new Map<string, Value>([
    ['10', 'a'],
    ['2', 'b'],
    ['__proto__', new Map([['constructor', 'c']])],
  ])
  assert.is(printYaml(value), '"10": a\n"2": b\n"__proto__":\n  constructor: c\n')
})

test('the same object twice is printed twice, without an anchor', () => {
  const shared = { a: ['b'] }
  assert.is(printYaml([shared, shared]), '- a:\n  - b\n- a:\n  - b\n')
})

test('keys over 1024 characters get a question mark', () => {
  const [at, over] = ['k'.repeat(1024), 'k'.repeat(1025)]
  assert.is(printYaml({ [at]: 1 }), `${at}: 1\n`)
  assert.is(printYaml([{ [over]: 1 }]), `- ? ${over}\n  : 1\n`)
  const value = [{ [over]: { a: [1], b: 'x\ny' }, [at]: [{ [over]: 'x\ny' }, { [over]: [1, [2]] }] }]
  for (const read of readAll(printYaml(value))) assert.equal(read, value)
})

test('a key of several lines is quoted, also when the same text is a value', () => {
  assert.is(printYaml({ 'a\nb': 'a\nb', c: 'a\nb' }), '"a\\nb": |-\n  a\n  b\nc: |-\n  a\n  b\n')
})

test('documents are joined by dashes', () => {
  assert.is(printYamlStream([]), '')
  assert.is(printYamlStream([{ a: 1 }]), 'a: 1\n')
  assert.is(printYamlStream([{ a: 1 }, { b: 'x\n\n' }, []]), 'a: 1\n---\nb: |+\n  x\n\n---\n[]\n')
})

test('each line knows the path of the value it shows', () => {
  const value = {
    kind: 'Pod',
    metadata: { annotations: new Map([['a.b/c', 'x\n\ny\n']]) },
    spec: { containers: [{ name: 'web', args: [['-x'], []] }] },
  }
  assert.equal(
    printYamlLines(value).map((line) => [line.text, line.path]),
    [
      ['kind: Pod', 'kind'],
      ['metadata:', 'metadata'],
      ['  annotations:', 'metadata.annotations'],
      ['    a.b/c: |', 'metadata.annotations["a.b/c"]'],
      ['      x', 'metadata.annotations["a.b/c"]'],
      ['', 'metadata.annotations["a.b/c"]'],
      ['      y', 'metadata.annotations["a.b/c"]'],
      ['spec:', 'spec'],
      ['  containers:', 'spec.containers'],
      ['  - name: web', 'spec.containers[0].name'],
      ['    args:', 'spec.containers[0].args'],
      ['    - - "-x"', 'spec.containers[0].args[0][0]'],
      ['    - []', 'spec.containers[0].args[1]'],
    ],
  )
  assert.equal(printYamlLines(['a', 'b']), [
    { text: '- a', path: '[0]' },
    { text: '- b', path: '[1]' },
  ])
  assert.equal(printYamlLines('a'), [{ text: 'a', path: '' }])
})

test.run()
