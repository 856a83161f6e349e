/** What the real projects of test/corpus become: findings, plan, and the facts of each object that are its own. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { KubeObject } from '../../src/domain/k8s/types.ts'
import { corpus } from '../support/compose/corpus.ts'
import { objectsOf } from '../support/compose/project.ts'
import { compareGoldens, foldersIn, goldenFolder, goldensOf, translationOf } from './golden.ts'

/** What all objects of a kind have; the golden cases show it. */
const common =
  /^(?:apiVersion|kind|metadata\.(?:name|labels|annotations\.dev\.devtool\/(?:config|template-hash))|spec\.(?:selector|template\.metadata\.labels|volumeName)|spec\.(?:podManagementPolicy|serviceName|revisionHistoryLimit|persistentVolumeClaimRetentionPolicy)|spec\.template\.spec\.(?:enableServiceLinks|automountServiceAccountToken|securityContext\.seccompProfile))(?:\.|$)/

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null

const entriesOf = (value: object): ReadonlyArray<readonly [string, unknown]> =>
  value instanceof Map ? [...value] : Object.entries(value)

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** One line for each value, under its path; what has only scalars is one line. */
const facts = (value: unknown, path: string): ReadonlyArray<string> => {
  if (common.test(path)) return []
  const name = path.replace('spec.template.spec', 'pod')
  if (typeof value !== 'object' || value === null) return [`${name}: ${shown(value)}`]
  const members = entriesOf(value).filter(([key]) => !common.test(`${path}.${key}`))
  if (members.length === 0) return []
  if (path !== '' && members.every(([, member]) => isScalar(member))) {
    const isList = Array.isArray(value)
    return [
      `${name}: ${members.map(([key, member]) => (isList ? shown(member) : `${key}=${shown(member)}`)).join(', ')}`,
    ]
  }
  return members.flatMap(([key, member]) => facts(member, path === '' ? key : `${path}.${key}`))
}

const factsOf = (object: KubeObject): string =>
  [`${object.kind}/${object.metadata.name}`, ...facts(object, '').map((line) => `  ${line}`), ''].join('\n')

for (const { files, name } of corpus) {
  test(`translate: ${name}`, () => {
    const translation = translationOf(files, {})
    const found = goldensOf(translation, files)['expected.txt']
    const objects = objectsOf(translation).map(factsOf).join('')
    compareGoldens(`${goldenFolder}/corpus/${name}`, { 'expected.txt': `${found}\n${objects}` })
  })
}

test('warnings are few enough to be read: one in the median file, four at most', () => {
  const sizes = corpus
    .map(({ files }) => translationOf(files, {}).findings)
    .filter((findings) => findings.every(({ severity }) => severity !== 'error'))
    .map((findings) => findings.filter(({ severity }) => severity === 'warning').length)
    .toSorted((a, b) => a - b)
  assert.ok(sizes.length > 30)
  assert.ok((sizes[sizes.length >> 1] ?? 9) <= 1, `median ${sizes[sizes.length >> 1]}`)
  assert.ok((sizes.at(-1) ?? 9) <= 4, `most ${sizes.at(-1)}`)
})

test('every golden belongs to a project of the corpus', () => {
  assert.equal(
    foldersIn(`${goldenFolder}/corpus`),
    corpus.map(({ name }) => name),
  )
})

test.run()
