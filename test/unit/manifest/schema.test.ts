import { readdirSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as C from '../../../src/domain/checked.ts'
import type { Json } from '../../../src/domain/cluster/json.ts'
import { manifestRows } from '../../../src/domain/manifest/field-rows.ts'
import { composeSections, manifestShape } from '../../../src/domain/manifest/fields/document.ts'
import { manifestSchema } from '../../../src/domain/manifest/json-schema.ts'
import { printJson } from '../../../src/domain/print/json.ts'
import { source } from '../../../src/domain/text/source.ts'
import type { Node } from '../../../src/domain/yaml/node.ts'
import { readYaml } from '../../../src/domain/yaml/read.ts'
import { editorValue } from '../../support/compose/editor-value.ts'

const schema = JSON.parse(printJson(manifestSchema()))
const ajv = new Ajv({ strict: true, allowUnionTypes: true, allErrors: true })
const validate = ajv.compile(schema)
const isValid = (value: Json): boolean => validate(value)

const treeOf = (text: string): Node => {
  const root = C.valueOf(readYaml(source('devtool.yml', '.', text)))?.[0]
  if (root === undefined) throw new Error(`cannot be read: ${text}`)
  return root
}

const errorsOf = (root: Node): ReadonlyArray<string> =>
  C.findings(manifestShape.read(root, ''))
    .filter(({ severity }) => severity === 'error')
    .map(({ code }) => code)

const nested = (path: string, value: Json): Json =>
  path
    .replaceAll('[]', '.[]')
    .split('.')
    .reduceRight<Json>((inner, key) => (key === '[]' ? [inner] : { [key === '*' ? 'a' : key]: inner }), value)

const SAMPLES: ReadonlyArray<Json> = [
  [null, '', 'text', '3', '${N}', 'Always', 1, 0, 1.5, true, false, [], {}],
  [['text'], [1], [1.5], [true], [null], [[]], [{}], ['a=b', 'c']],
  [{ a: 'text' }, { a: 1 }, { a: true }, { a: null }, { a: ['text'] }, { a: {} }, { file: 'a' }, { command: 'a' }],
].flat(1)

const rows = manifestRows().filter(({ path }) => !Object.hasOwn(composeSections, path))

test('the schema is valid, with every reference in place', () => {
  assert.ok(ajv.validateSchema(schema))
  assert.ok(schema.title)
})

test('every field is in the schema with its description', () => {
  const printed = printJson(manifestSchema())
  for (const { path, about } of rows) {
    if (!path.startsWith('deploy.endpoints.')) assert.ok(printed.includes(JSON.stringify(about)), path)
  }
})

for (const { path } of rows) {
  test(`values accepted at ${path} pass the schema`, () => {
    for (const sample of SAMPLES) {
      const value = nested(path, sample)
      if (errorsOf(treeOf(JSON.stringify(value))).length > 0 || path.startsWith('deploy.endpoints')) continue
      assert.ok(isValid(value), `${JSON.stringify(value)}: ${ajv.errorsText(validate.errors)}`)
    }
  })
}

test('every manifest of the golden cases without syntax errors passes', () => {
  const files = readdirSync('test/golden', { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?:^|[\\/])devtool\.ya?ml$/.test(file),
  )
  assert.ok(files.length > 15, `${files.length}`)
  for (const file of files) {
    const root = treeOf(readFileSync(`test/golden/${file}`, 'utf8'))
    assert.is(isValid(editorValue(root)), errorsOf(root).length === 0 && !file.includes('mistakes'), file)
  }
})

for (const [what, text] of [
  ['a misspelt section', 'depoly: [make]'],
  ['a command that is a number', 'deploy: [1]'],
  ['a list of images', 'build: [api]'],
  ['an unknown word', 'dev: {api: {imagePullPolicy: Sometimes}}'],
  ['a section that is not carried out', 'test: {}'],
  ['replicas of a development container', 'dev: {api: {replicas: 2}}'],
  ['secrets of a service beside it', 'dev: {api: {services: [{name: a, secrets: []}]}}'],
] as const) {
  test(`the schema rejects ${what}, as devtool does`, () => {
    assert.ok(errorsOf(treeOf(text)).length > 0)
    assert.not.ok(isValid(editorValue(treeOf(text))))
  })
}

test.run()
