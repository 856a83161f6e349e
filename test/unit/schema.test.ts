import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Ajv } from 'ajv'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as C from '../../src/domain/checked.ts'
import type { Json } from '../../src/domain/cluster/json.ts'
import { fieldRows } from '../../src/domain/compose/field-rows.ts'
import { document } from '../../src/domain/compose/fields/document.ts'
import { jsonSchema } from '../../src/domain/compose/json-schema.ts'
import { printJson } from '../../src/domain/print/json.ts'
import { source } from '../../src/domain/text/source.ts'
import { interpolate } from '../../src/domain/yaml/interpolate.ts'
import type { Node } from '../../src/domain/yaml/node.ts'
import { readYaml } from '../../src/domain/yaml/read.ts'
import { editorValue } from '../support/compose/editor-value.ts'

const schema = JSON.parse(printJson(jsonSchema()))
const ajv = new Ajv({ strict: true, allowUnionTypes: true, allErrors: true })
const validate = ajv.compile(schema)

const treeOf = (text: string): Node => {
  const root = C.valueOf(readYaml(source('compose.yaml', '.', text)))?.[0]
  if (root === undefined) throw new Error(`cannot be read: ${text}`)
  return root
}

/** The codes of form that reading a tree finds. */
const formCodes = (root: Node): ReadonlyArray<string> =>
  C.findings(document.read(root, ''))
    .filter(({ code, severity }) => severity === 'error' && (code === 'DT1002' || code === 'DT1004'))
    .map(({ code }) => code)

const isValid = (value: Json): boolean => validate(value)

/** `services.*.ports[].target` with `value` there. */
const nested = (path: string, value: Json): Json => {
  const keys = path.replaceAll('[]', '.[]').split('.')
  return keys.reduceRight<Json>((inner, key) => (key === '[]' ? [inner] : { [key === '*' ? 'a' : key]: inner }), value)
}

const SAMPLES: ReadonlyArray<Json> = [
  [null, '', 'text', '3', '${N}', 1, 0, 1.5, -1, true, false, [], {}],
  [['text'], [1], [1.5], [true], [null], [[]], [{}], ['a=b', 'c']],
  [{ a: 'text' }, { a: 1 }, { a: true }, { a: null }, { a: ['text'] }, { a: [null] }, { a: {} }, { a: { b: 'c' } }],
  [{ 'x-a': [{}] }],
].flat(1)

test('the schema is valid, with every reference in place', () => {
  assert.ok(ajv.validateSchema(schema))
  assert.is(schema.$schema, 'http://json-schema.org/draft-07/schema#')
  assert.is(schema.$id, undefined)
  assert.ok(schema.title)
})

test('every field is in the schema with its description', () => {
  const printed = printJson(jsonSchema())
  for (const { path, about } of fieldRows()) {
    if (!path.startsWith('endpoints.')) assert.ok(printed.includes(JSON.stringify(about)), path)
  }
})

test('repeated definitions are written once', () => {
  const printed = printJson(jsonSchema(), 0)
  assert.ok(printed.length < 60_000, `${printed.length}`)
  assert.is(printed.split('container image; required').length, 2)
})

test('every file of the corpus passes', () => {
  const files = readdirSync('test/corpus', { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(?:docker-)?compose\.ya?ml$/.test(basename(file)),
  )
  assert.ok(files.length > 30, `${files.length}`)
  for (const file of files) {
    const root = treeOf(readFileSync(join('test/corpus', file), 'utf8'))
    if (formCodes(root).length === 0)
      assert.ok(isValid(editorValue(root)), `${file}: ${ajv.errorsText(validate.errors)}`)
    assert.is(formCodes(root).includes('DT1004'), hasUnknownKey(editorValue(root)), file)
  }
})

const hasUnknownKey = (value: Json): boolean => {
  validate(value)
  return (validate.errors ?? []).some(({ keyword }) => keyword === 'additionalProperties')
}

for (const { path } of fieldRows()) {
  test(`values accepted at ${path} pass the schema`, () => {
    for (const sample of SAMPLES) {
      const value = nested(path, sample)
      const codes = formCodes(treeOf(JSON.stringify(value)))
      if (codes.length === 0) assert.ok(isValid(value), `${JSON.stringify(value)}: ${ajv.errorsText(validate.errors)}`)
    }
  })
}

/** Where keys are known: the parents of all fields. */
const PARENTS = [
  ...new Set(fieldRows().map(({ path }) => (path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : ''))),
].filter((path) => !path.startsWith('endpoints.'))

/** Where drivers define keys of their own. */
const OPEN = 'volumes.*.driver_opts'

test('the options of a volume driver are open', () => {
  const value = nested(OPEN, { 'nobody-knows-this': 'a' })
  assert.equal(formCodes(treeOf(JSON.stringify(value))), [])
  assert.ok(isValid(value))
})

for (const path of PARENTS.filter((parent) => parent !== OPEN)) {
  test(`an unknown key in ${path || 'the document'} fails, one that begins with x- passes`, () => {
    for (const [key, isKnown] of [
      ['nobody-knows-this', false],
      ['x-nobody-knows-this', true],
    ] as const) {
      const value = path === '' ? { [key]: 'a' } : nested(path, { [key]: 'a' })
      assert.is(formCodes(treeOf(JSON.stringify(value))).includes('DT1004'), !isKnown)
      assert.is(isValid(value), isKnown, ajv.errorsText(validate.errors))
    }
  })
}

const BROKEN: ReadonlyArray<readonly [string, string]> = [
  ['a misspelt key', 'services: {web: {imgae: nginx}}'],
  ['a number as an image', 'services: {web: {image: 1}}'],
  ['a list of services', 'services: [web]'],
  ['a service without a value', 'services: {web: }'],
  ['text as a list of ports', 'services: {web: {ports: "80"}}'],
  ['an empty port', 'services: {web: {ports: [null]}}'],
  ['a mapping as a command', 'services: {web: {command: {a: b}}}'],
  ['nested variables', 'services: {web: {environment: {A: {B: c}}}}'],
  ['a list as a replica count', 'services: {web: {deploy: {replicas: [1]}}}'],
  ['a fraction as a replica count', 'services: {web: {deploy: {replicas: 1.5}}}'],
]

for (const [what, text] of BROKEN) {
  test(`the schema rejects ${what}, as devtool does`, () => {
    assert.ok(formCodes(treeOf(text)).length > 0)
    assert.not.ok(isValid(editorValue(treeOf(text))))
  })
}

const FINE: ReadonlyArray<readonly [string, string]> = [
  ['an override file without services', 'volumes: {data: }'],
  ['keys without values', 'services: {web: {image: , ports: , deploy: {resources: }}}\nvolumes:\nname:'],
  ['variables where numbers stand', 'services: {web: {scale: "${N}", ports: ["${A}:80"]}}'],
  ['flags as numbers', 'services: {web: {tty: 1}}'],
  ['numbers in a list of variables', 'services: {web: {environment: [1, A=b, C]}}'],
  ['merge keys and anchors', 'x-a: &a {image: nginx}\nservices: {web: {<<: *a, tty: true}}'],
  ['both notations of dependencies', 'services: {a: {depends_on: [b]}, b: {depends_on: {c: , d: {required: no}}}}'],
]

for (const [what, text] of FINE) {
  test(`the schema accepts ${what}, as devtool does`, () => {
    assert.equal(formCodes(C.valueOf(interpolate(() => '3', treeOf(text))) ?? treeOf(text)), [])
    assert.ok(isValid(editorValue(treeOf(text))), ajv.errorsText(validate.errors))
  })
}

test.run()
