import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse, stringify } from 'yaml'
import { labelText } from '../../../src/domain/labelling/label.ts'

const LABEL = 'dev.devtool/environment'
const label = (text: string): string | undefined => labelText(text, LABEL, 'shop')
const twoLabels = { a: 'b', [LABEL]: 'shop' }

test('JSON gets the label among its labels', () => {
  const text = label('{"kind":"Pod","metadata":{"name":"a","labels":{"a":"b"}}}') ?? ''
  assert.is(text, `{"kind":"Pod","metadata":{"name":"a","labels":{"${LABEL}": "shop", "a":"b"}}}`)
})

test('missing labels are added', () => {
  for (const metadata of [
    '{}',
    '{"labels":{}}',
    '{"labels":null}',
    '{ "labels" : { } }',
    'null',
    '{"creationTimestamp":null}',
  ]) {
    const text = label(`{"kind":"Pod","metadata":${metadata}}`) ?? ''
    assert.equal(JSON.parse(text).metadata.labels, { [LABEL]: 'shop' }, metadata)
  }
  assert.equal(JSON.parse(label('{"kind":"Pod"}') ?? '').metadata, { labels: { [LABEL]: 'shop' } })
})

test('the label of another environment is replaced, and our own is kept', () => {
  for (const value of ['blog', 'shop', '']) {
    const text = JSON.stringify({ metadata: { labels: { a: 'b', [LABEL]: value } } })
    assert.equal(JSON.parse(label(text) ?? ''), { metadata: { labels: twoLabels } })
  }
})

test('the rest of the text is unchanged', () => {
  const text = '{"metadata":{"name":"a"},"big":9007199254740993,"s":"\\u0041\\/ \\ud83d\\ude00",  "f":1.0e3}\n'
  assert.is(label(text), text.replace('{"name"', `{"labels": {"${LABEL}": "shop"}, "name"`))
})

test('pod templates and selectors are left alone', () => {
  const spec = { selector: { matchLabels: { app: 'a' } }, template: { metadata: { labels: { app: 'a' } } } }
  const text = label(JSON.stringify({ spec, metadata: { name: 'a' } })) ?? ''
  assert.equal(JSON.parse(text).spec, spec)
})

test('YAML gets the label in its own notation', () => {
  assert.is(
    label('kind: Pod\nmetadata:\n  name: a # its name\n  labels:\n    a: b\nspec: {}\n'),
    `kind: Pod\nmetadata:\n  name: a # its name\n  labels:\n    "${LABEL}": "shop"\n    a: b\nspec: {}\n`,
  )
  assert.equal(parse(label('metadata:\n  labels:\n  name: a\n') ?? ''), {
    metadata: { labels: { [LABEL]: 'shop' }, name: 'a' },
  })
  assert.equal(parse(label('metadata: {labels: {a: b}}\n') ?? '').metadata.labels, twoLabels)
  assert.equal(parse(label('---\nkind: Pod\nmetadata:\r\n    name: a\r\n') ?? '').metadata, {
    labels: { [LABEL]: 'shop' },
    name: 'a',
  })
})

test('objects of controllers and lists are not labelled', () => {
  const owned = (controller: boolean): string =>
    JSON.stringify({ metadata: { name: 'a', ownerReferences: [{ kind: 'CronJob', name: 'c', controller }] } })
  assert.is(label(owned(true)), undefined)
  assert.ok(label(owned(false)) !== undefined)
  for (const text of [
    '',
    '[]',
    'text',
    '{"metadata":',
    '{"metadata":"a"}',
    '{"metadata":{"labels":[]}}',
    '{"metadata":{},"metadata":{}}',
    'a: 1\n---\nb: 2\n',
    'x: &l {a: b}\nmetadata:\n  labels: *l\n',
  ]) {
    assert.is(label(text), undefined, text)
  }
})

const name = fc.stringMatching(/^[a-z][a-z0-9./-]{0,8}$/)
const labels = fc.dictionary(name, fc.string(), { maxKeys: 3, noNullPrototype: true })
const object = fc.record(
  {
    kind: name,
    metadata: fc.record({ name, labels, annotations: labels }, { requiredKeys: [], noNullPrototype: true }),
    spec: fc.jsonValue({ maxDepth: 3 }),
  },
  { requiredKeys: ['kind'], noNullPrototype: true },
)

test('a labelled object differs only in the label', () => {
  fc.assert(
    fc.property(object, fc.constantFrom(0, 1, 2), (made, indent) => {
      const text = indent === 1 ? stringify(made) : JSON.stringify(made, undefined, indent)
      const labelled = label(text)
      // Generated text may look like an alias; it is labelled afterwards then.
      if (labelled === undefined) return assert.is(indent, 1)
      const expected = JSON.parse(JSON.stringify(made))
      expected.metadata = { ...expected.metadata, labels: { ...expected.metadata?.labels, [LABEL]: 'shop' } }
      assert.equal(indent === 1 ? parse(labelled) : JSON.parse(labelled), expected)
    }),
  )
})

test.run()
