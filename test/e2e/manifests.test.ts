/**
 * A real API server ($KUBECONFIG) takes what devtool prints: strict server-side apply, dry run, the very bytes. Nothing
 * but a namespace of this test is made, and that is deleted.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseAllDocuments } from 'yaml'
import { isMap, type Value } from '../../src/domain/print/value.ts'
import { printYaml } from '../../src/domain/print/yaml.ts'
import { filesOf, project, writing } from '../support/arbitrary/compose.ts'
import { inputs } from '../support/arbitrary/fuzz.ts'
import { layouts, layoutText, type Tree } from '../support/arbitrary/layout.ts'
import { nasty } from '../support/arbitrary/values.ts'
import { corpus, filesBelow } from '../support/compose/corpus.ts'
import { type Files, translateFiles } from '../support/compose/project.ts'
import {
  applyPrinted,
  closeManifests,
  type ManifestWorld,
  openManifests,
  type Printed,
  printedOf,
  refusals,
} from '../support/e2e/manifests.ts'
import { eachAtOnce } from '../support/kube/api-server.ts'

const test = suite<ManifestWorld>('manifests')

test.before((world) => openManifests(world))
test.after(closeManifests)

const errorsOf = (files: Files): ReadonlyArray<string> =>
  translateFiles(files)
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ code, message }) => `${code} ${message}`)

type Status = {
  readonly accepted: ReadonlyArray<string>
  readonly refused: Readonly<Record<string, { readonly code: string; readonly reason: string }>>
}
const root = join(import.meta.dirname, '../..')
const status: Status = JSON.parse(readFileSync(join(root, 'test/e2e/corpus-status.json'), 'utf8'))

test('the list of real projects is complete', () => {
  const listed = [...status.accepted, ...Object.keys(status.refused)]
  assert.equal(listed.toSorted(), corpus.map(({ name }) => name).toSorted())
})

for (const { name, files } of corpus) {
  const refused = status.refused[name]
  const title = refused === undefined ? 'is accepted' : `is still refused with ${refused.code}`
  test(`test/corpus ${name} ${title}`, async (world) => {
    const found = [...errorsOf(files), ...(await refusals(world, printedOf(files)))]
    if (refused === undefined) assert.equal(found, [])
    else assert.ok(found.length > 0, `${name} is accepted now: move it to "accepted" in corpus-status.json`)
  })
}

/** Folders below `folder` that have this file. */
const foldersWith = (folder: string, file: string): ReadonlyArray<string> =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder))
        .toSorted()
        .filter((name) => existsSync(join(root, folder, name, file)))
    : []

for (const name of foldersWith('examples', 'compose.yaml')) {
  test(`examples/${name} is accepted`, async (world) => {
    const files = filesBelow(join(root, 'examples', name))
    assert.equal([...errorsOf(files), ...(await refusals(world, printedOf(files)))], [])
  })
}

const textAt = (object: ReadonlyMap<unknown, unknown>, ...path: ReadonlyArray<string>): string => {
  let value: unknown = object
  for (const key of path) value = value instanceof Map ? value.get(key) : undefined
  return typeof value === 'string' ? value : ''
}

/** The objects of a kept file, for the namespace of this test. */
const kept = (path: string): ReadonlyArray<Printed> =>
  parseAllDocuments(readFileSync(path, 'utf8')).flatMap((document) => {
    const object: unknown = document.toJS({ mapAsMap: true })
    if (!(object instanceof Map)) return []
    const metadata: unknown = object.get('metadata')
    if (metadata instanceof Map) metadata.delete('namespace')
    return [{ kind: textAt(object, 'kind'), name: textAt(object, 'metadata', 'name'), body: printYaml(object) }]
  })

for (const name of foldersWith('test/golden/cases', 'expected.yaml')) {
  test(`test/golden/cases/${name} is accepted`, async (world) => {
    const objects = kept(join(root, 'test/golden/cases', name, 'expected.yaml'))
    assert.equal(await refusals(world, objects), [])
  })
}

const seed = 20_250_101

test('generated projects, also with a bad value, are accepted if they are translated without errors', async (world) => {
  for (const [index, files] of inputs('generated', seed, 0, 200)) {
    const found = await refusals(world, printedOf(files))
    assert.equal(found, [], `seed ${seed}, generated ${index}`)
  }
})

test('projects of the property tests are accepted, in every notation', async (world) => {
  const made = fc.sample(fc.tuple(project, writing), { numRuns: 60, seed })
  const objects = made.flatMap(([one, how]) => printedOf(filesOf(one, how)))
  assert.ok(objects.length > 300, String(objects.length))
  assert.equal(await refusals(world, objects), [])
})

test('the API server reads printed strings as they were', async (world) => {
  const text = fc.oneof(
    nasty,
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
  )
  const values = fc.sample(fc.array(text, { minLength: 20, maxLength: 20 }), { numRuns: 50, seed })
  await eachAtOnce(values, async (texts) => {
    const data = new Map(texts.map((one, index) => [`k${index}`, one.replaceAll(/[\ud800-\udfff]/gu, '\ufffd')]))
    const object: Value = new Map<string, Value>([
      ['apiVersion', 'v1'],
      ['kind', 'ConfigMap'],
      ['metadata', { name: 'texts' }],
      ['data', data],
    ])
    const { body } = await applyPrinted(world, { kind: 'ConfigMap', name: 'texts', body: printYaml(object) })
    assert.ok(isMap(object))
    assert.equal(JSON.parse(body).data, Object.fromEntries(data))
  })
})

test('the API server reads every YAML layout as devtool does', async (world) => {
  const finalizers = ['example.com/a', 'example.com/b']
  const sample = fc.tuple(
    fc.array(layoutText, { minLength: 1, maxLength: 4 }),
    layouts({ isWild: true, isShared: false }),
  )
  await eachAtOnce(fc.sample(sample, { numRuns: 300, seed }), async ([texts, write]) => {
    const data = texts.map((text, i) => [`k${i}`, text] as const)
    const object = new Map<string, Tree>([
      ['apiVersion', 'v1'],
      ['kind', 'ConfigMap'],
      ['metadata', new Map<string, Tree>(Object.entries({ name: 'layouts', finalizers }))],
      ['data', new Map(data)],
    ])
    const written = write([object])
    const { body } = await applyPrinted(world, { kind: 'ConfigMap', name: 'layouts', body: written })
    const answer = JSON.parse(body)
    assert.equal([answer.data, answer.metadata?.finalizers], [Object.fromEntries(data), finalizers], written)
  })
})

test.run()
