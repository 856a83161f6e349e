/** Fields with several notations are merged in all of them: each has a rule that makes them one thing. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { service } from '../../../src/domain/compose/fields/service.ts'
import { configShape, namedVolumeShape, networkShape, secretShape } from '../../../src/domain/compose/fields/volumes.ts'
import { ruleOf } from '../../../src/domain/compose/merge-rules.ts'
import { partition } from '../../../src/domain/plan/action.ts'
import { isList, isMap, type Value } from '../../../src/domain/print/value.ts'
import type { JsonSchema } from '../../../src/domain/shape/shape.ts'
import { manifestsOf, translateFiles } from '../../support/compose/project.ts'

const isSchema = (value: Value | undefined): value is JsonSchema =>
  typeof value === 'object' && value !== null && !isList(value) && !isMap(value)

const alternatives = ({ anyOf, oneOf }: JsonSchema): ReadonlyArray<JsonSchema> =>
  [anyOf, oneOf].flatMap((some) => (some !== undefined && isList(some) ? some.filter(isSchema) : []))

const formsOf = (schema: JsonSchema): ReadonlyArray<string> => {
  const { type = [] } = schema
  const own = (isList(type) ? type : [type]).map((name) => (name === 'array' || name === 'object' ? name : 'text'))
  return [...new Set([...own, ...alternatives(schema).flatMap(formsOf)])]
}

const propertiesOf = (schema: JsonSchema): ReadonlyArray<readonly [string, JsonSchema]> => {
  const { properties } = schema
  const own = isSchema(properties) ? Object.entries(properties) : []
  const all = [
    ...own,
    ...(properties !== undefined && isMap(properties) && properties instanceof Map ? properties : []),
  ]
  return [
    ...all.flatMap(([key, value]) => (isSchema(value) ? [[key, value] as const] : [])),
    ...alternatives(schema).flatMap(propertiesOf),
  ]
}

const severalForms = (path: string, schema: JsonSchema): ReadonlyArray<string> =>
  propertiesOf(schema).flatMap(([key, value]) => {
    const own = `${path}.${key}`
    return [...(formsOf(value).length > 1 ? [own] : []), ...severalForms(own, value)]
  })

test('every field with several notations has a rule for merging, except one whose text means all', () => {
  const fields = [
    ...severalForms('services.*', service.schema),
    ...severalForms('volumes.*', namedVolumeShape.schema),
    ...severalForms('networks.*', networkShape.schema),
    ...severalForms('configs.*', configShape.schema),
    ...severalForms('secrets.*', secretShape.schema),
  ]
  assert.ok(fields.length > 20, String(fields.length))
  assert.equal(
    fields.filter((path) => ruleOf(path) === undefined),
    ['services.*.gpus'],
  )
})

const merged = (base: string, over: string) =>
  translateFiles(
    {
      'compose.yaml': `services:\n  web:\n    image: a\n    ${base}\n`,
      'over.yaml': `services:\n  web:\n    ${over}\n`,
    },
    { files: ['compose.yaml', 'over.yaml'] },
  )

for (const [base, over] of [
  ['x-node-selector: {disk: ssd}', 'x-node-selector: [zone=a]'],
  ['x-node-selector: [disk=ssd]', 'x-node-selector: {zone: a}'],
] as const) {
  test(`${base} and ${over} add up`, () => {
    assert.match(manifestsOf(merged(base, over)), 'nodeSelector:\n        disk: ssd\n        zone: a\n')
  })
}

test('SSH keys and caches of two files add up', () => {
  const [image] = merged(
    'build: {context: ., ssh: default, cache_to: "type=inline", no_cache_filter: one}',
    'build: {ssh: {other: ./key}, cache_to: ["type=registry,ref=a/b"], no_cache_filter: [two]}',
  ).images
  assert.equal(
    image?.ssh.map(({ name }) => name),
    ['default', 'other'],
  )
  assert.equal(
    image?.exportCache.map(({ value }) => value),
    ['type=inline', 'type=registry,ref=a/b'],
  )
  assert.equal(
    image?.noCacheFilter?.map(({ value }) => value),
    ['one', 'two'],
  )
})

test('a list of two files has the places of both', () => {
  const { plan } = merged('dns: 192.0.2.1', 'dns: [192.0.2.2]')
  const origins = partition(plan?.actions ?? []).Apply.flatMap((action) => action.origins)
  const places = origins.filter(({ path }) => path.endsWith('nameservers')).map(({ at }) => `${at.file}:${at.line}`)
  assert.equal(places, ['over.yaml:3', 'compose.yaml:4'])
})

test('a label of a file has its place there', () => {
  const files = { 'compose.yaml': 'services: {web: {image: a, label_file: l}}\n', l: 'a=1\na[0]=2\n' }
  const [finding] = translateFiles(files).findings
  assert.equal([finding?.code, finding?.at?.file, finding?.at?.line], ['DT1112', 'l', 2])
})

test.run()
