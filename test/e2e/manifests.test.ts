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
import { inputs } from '../support/arbitrary/fuzz.ts'
import { layouts, layoutText, type Tree } from '../support/arbitrary/layout.ts'
import { nasty } from '../support/arbitrary/values.ts'
import { corpus, filesBelow } from '../support/corpus.ts'
import { type ApiServer, connect, eachAtOnce } from '../support/kube/api-server.ts'
import { type Files, objectsOf, translateFiles } from '../support/project.ts'

type World = { api: ApiServer; namespace: string }

const test = suite<World>('manifests')

const prepare = async (): Promise<World> => {
  const api = await connect(process.env['KUBECONFIG'])
  const namespace = `devtool-e2e-${Date.now().toString(36)}-${process.pid}`
  process.stdout.write(`cluster ${api.name}, namespace ${namespace}\n`)
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  const made = await api.send({ method: 'POST', path: '/api/v1/namespaces', body, type: 'application/json' })
  assert.is(made.status, 201, made.body)
  return { api, namespace }
}

/** The runner does not show why a hook failed. */
test.before(async (world) => {
  try {
    Object.assign(world, await prepare())
  } catch (cause) {
    process.stderr.write(`\n${cause instanceof Error ? cause.message : String(cause)}\n`)
    throw cause
  }
})

test.after(async ({ api, namespace }: Partial<World>) => {
  if (api === undefined) return
  const gone = await api.send({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}` })
  api.close()
  assert.is(gone.status, 200, gone.body)
})

const plurals: Readonly<Record<string, string>> = {
  Deployment: 'apis/apps/v1/deployments',
  StatefulSet: 'apis/apps/v1/statefulsets',
  DaemonSet: 'apis/apps/v1/daemonsets',
  Job: 'apis/batch/v1/jobs',
  Service: 'api/v1/services',
  Ingress: 'apis/networking.k8s.io/v1/ingresses',
  PersistentVolumeClaim: 'api/v1/persistentvolumeclaims',
  ConfigMap: 'api/v1/configmaps',
  Secret: 'api/v1/secrets',
}
const query = 'dryRun=All&fieldManager=devtool&fieldValidation=Strict&force=true'

/** What the server answered to one printed object. */
const apply = ({ api, namespace }: World, kind: string, name: string, body: string) => {
  const [plural = '', ...group] = (plurals[kind] ?? '').split('/').toReversed()
  const path = `/${group.toReversed().join('/')}/namespaces/${namespace}/${plural}/${encodeURIComponent(name)}?${query}`
  return api.send({ method: 'PATCH', path, body, type: 'application/apply-patch+yaml' })
}

type Printed = { readonly kind: string; readonly name: string; readonly body: string }

/** What the server refuses of these objects, in its own words. */
const refusals = async (world: World, objects: ReadonlyArray<Printed>): Promise<ReadonlyArray<string>> => {
  const answers = await eachAtOnce(objects, async ({ kind, name, body }) => {
    const { status, body: answer } = await apply(world, kind, name, body)
    return status === 200 || status === 201 ? [] : [`${kind}/${name}: ${status} ${JSON.parse(answer).message}`]
  })
  return answers.flat()
}

const printed = (files: Files): ReadonlyArray<Printed> =>
  objectsOf(translateFiles(files)).map((object) => ({
    kind: object.kind,
    name: object.metadata.name,
    body: printYaml(object),
  }))

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
    const found = [...errorsOf(files), ...(await refusals(world, printed(files)))]
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
    assert.equal([...errorsOf(files), ...(await refusals(world, printed(files)))], [])
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

test('what is generated, also with a bad value, is accepted when it is translated', async (world) => {
  for (const [index, files] of inputs('generated', seed, 0, 200)) {
    const found = await refusals(world, printed(files))
    assert.equal(found, [], `seed ${seed}, generated ${index}`)
  }
})

test('the API server reads printed texts back as they were', async (world) => {
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
    const { body } = await apply(world, 'ConfigMap', 'texts', printYaml(object))
    assert.ok(isMap(object))
    assert.equal(JSON.parse(body).data, Object.fromEntries(data))
  })
})

test('the API server reads every YAML layout as devtool does', async (world) => {
  const finalizers = ['example.com/a', 'example.com/b']
  const sample = fc.tuple(fc.array(layoutText, { minLength: 1, maxLength: 4 }), layouts(true))
  await eachAtOnce(fc.sample(sample, { numRuns: 300, seed }), async ([texts, write]) => {
    const data = texts.map((text, i) => [`k${i}`, text] as const)
    const written = write(
      new Map<string, Tree>([
        ['apiVersion', 'v1'],
        ['kind', 'ConfigMap'],
        ['metadata', new Map<string, Tree>(Object.entries({ name: 'layouts', finalizers }))],
        ['data', new Map(data)],
      ]),
    )
    const { body } = await apply(world, 'ConfigMap', 'layouts', written)
    const answer = JSON.parse(body)
    assert.equal([answer.data, answer.metadata?.finalizers], [Object.fromEntries(data), finalizers], written)
  })
})

test.run()
