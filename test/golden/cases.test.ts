/** Files in, manifests, findings and plan out: `cases/<name>` and `examples/<name>` hold what is expected. */
import { existsSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Translation } from '../../src/app/project/translation.ts'
import * as C from '../../src/domain/checked.ts'
import { type FieldRow, fieldRows } from '../../src/domain/compose/field-rows.ts'
import { manifestRows } from '../../src/domain/manifest/field-rows.ts'
import { placeOf, source } from '../../src/domain/text/source.ts'
import type { Node, Scalar } from '../../src/domain/yaml/node.ts'
import { readYaml } from '../../src/domain/yaml/read.ts'
import type { Files } from '../support/project.ts'
import {
  argsIn,
  compareGoldens,
  foldersIn,
  goldenFolder,
  goldensOf,
  inputsIn,
  textOf,
  translationOf,
} from './golden.ts'

type Case = { readonly name: string; readonly folder: string; readonly files: Files; readonly translation: Translation }

const caseOf = (name: string, folder: string, inputs: string): Case => {
  const files = inputsIn(inputs)
  return { name, folder, files, translation: translationOf(files, argsIn(folder)) }
}

const cases = foldersIn(`${goldenFolder}/cases`).map((name) => {
  const folder = `${goldenFolder}/cases/${name}`
  return caseOf(name, folder, folder)
})

for (const { files, folder, name, translation } of cases) {
  test(`translate: ${name}`, () => {
    compareGoldens(folder, goldensOf(translation, files))
  })
}

for (const name of foldersIn('examples')) {
  test(`translate: examples/${name}`, () => {
    const folder = `${goldenFolder}/examples/${name}`
    assert.ok(existsSync(folder), `${folder} is missing: make it, and run npm run goldens`)
    const { files, translation } = caseOf(name, folder, `examples/${name}`)
    assert.ok(translation.plan, 'an example has no errors')
    compareGoldens(folder, goldensOf(translation, files))
  })
}

test('every kept example is there', () => {
  assert.equal(foldersIn(`${goldenFolder}/examples`), foldersIn('examples'))
})

/** The keys of a tree that a row's path names. `[]` is the members of a list, or what stands in the place of a list. */
const keysAt = (node: Node | undefined, [step, ...rest]: ReadonlyArray<string>): ReadonlyArray<Scalar> => {
  if (node === undefined || step === undefined) return []
  if (step === '[]') return (node._tag === 'Sequence' ? node.items : [node]).flatMap((item) => keysAt(item, rest))
  if (node._tag !== 'Mapping') return []
  return node.entries
    .filter(({ key }) => step === '*' || key.text === step)
    .flatMap(({ key, value }) => (rest.length === 0 ? [key] : keysAt(value, rest)))
}

const stepsOf = ({ path }: FieldRow): ReadonlyArray<string> => path.replaceAll('[]', '.[]').split('.')

/** Files of a case that are no Compose files hold no keys of the table. */
const treesOf = (files: Files): ReadonlyArray<Node> =>
  Object.keys(files)
    .filter((path) => /\.ya?ml$/.test(path))
    .flatMap((path) => C.valueOf(readYaml(source(path, '.', textOf(files[path])))) ?? [])

const trees = cases.map(({ files, translation }) => ({ trees: treesOf(files), translation }))

const isWarned = (key: Scalar, { findings }: Translation): boolean => {
  const { col, file, line } = placeOf(key)
  return findings.some((d) => d.code === 'DT1102' && d.at?.file === file && d.at.line === line && d.at.col === col)
}

const exercises = (row: FieldRow): boolean =>
  trees.some((one) => {
    const keys = one.trees.flatMap((tree) => keysAt(tree, stepsOf(row)))
    return row.effect._tag === 'warns' ? keys.some((key) => isWarned(key, one.translation)) : keys.length > 0
  })

/** Of both kinds of file. */
const allRows = (): ReadonlyArray<FieldRow> => [...fieldRows(), ...manifestRows()]

test('every field that has an effect stands in some case', () => {
  const rows = allRows().filter(({ effect }) => effect._tag === 'maps')
  assert.equal(
    rows.filter((row) => !exercises(row)).map(({ path }) => path),
    [],
  )
})

test('every field without effect warns at its place in some case', () => {
  const rows = allRows().filter(({ effect }) => effect._tag === 'warns')
  assert.equal(
    rows.filter((row) => !exercises(row)).map(({ path }) => path),
    [],
  )
})

test('every field that is ignored stands in some case', () => {
  const rows = allRows().filter(({ effect }) => effect._tag === 'ignored')
  assert.equal(
    rows.filter((row) => !exercises(row)).map(({ path }) => path),
    [],
  )
})

test.run()
