/** The tables of fields, held against the cases: what a row says of its field is true of some example. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Translation } from '../../src/app/project/translation.ts'
import * as C from '../../src/domain/checked.ts'
import { type FieldRow, fieldRows } from '../../src/domain/compose/field-rows.ts'
import { manifestRows } from '../../src/domain/manifest/field-rows.ts'
import { partition } from '../../src/domain/plan/action.ts'
import { type Place, placeOf, source } from '../../src/domain/text/source.ts'
import type { Node, Scalar } from '../../src/domain/yaml/node.ts'
import { readYaml } from '../../src/domain/yaml/read.ts'
import { cases } from './cases.ts'
import { textOf, translationOf } from './golden.ts'

type Case = (typeof cases)[number]

/** A field in a file. `within`: what it stands in, from the outermost on. */
type FieldEntry = { readonly key: Scalar; readonly value: Node; readonly within: ReadonlyArray<Node> }

/** `[]` is the members of a list, or what stands in the place of a list. */
const writtenAt = (
  node: Node | undefined,
  [step, ...rest]: ReadonlyArray<string>,
  within: ReadonlyArray<Node> = [],
): ReadonlyArray<FieldEntry> => {
  if (node === undefined || step === undefined) return []
  if (step === '[]') {
    return (node._tag === 'Sequence' ? node.items : [node]).flatMap((item) => writtenAt(item, rest, [...within, item]))
  }
  if (node._tag !== 'Mapping') return []
  return node.entries
    .filter(({ key }) => step === '*' || key.text === step)
    .flatMap(({ key, value }) =>
      rest.length === 0 ? [{ key, value, within }] : writtenAt(value, rest, [...within, key, value]),
    )
}

const stepsOf = ({ path }: FieldRow): ReadonlyArray<string> => path.replaceAll('[]', '.[]').split('.')

/** Files of a case that are no Compose files hold no keys of the table. */
const examples = cases.map((one) => ({
  ...one,
  trees: Object.keys(one.files)
    .filter((path) => /\.ya?ml$/.test(path))
    .flatMap((path) => C.valueOf(readYaml(source(path, '.', textOf(one.files[path])))) ?? []),
}))

type Example = { readonly of: Case; readonly written: FieldEntry }

const examplesOf = (row: FieldRow): ReadonlyArray<Example> =>
  examples.flatMap(({ trees, ...of }) =>
    trees.flatMap((tree) => writtenAt(tree, stepsOf(row))).map((written) => ({ of, written })),
  )

/** Of both kinds of file. */
const rowsThat = (effect: FieldRow['effect']['_tag']): ReadonlyArray<FieldRow> =>
  [...fieldRows(), ...manifestRows()].filter((row) => row.effect._tag === effect)

const without = (rows: ReadonlyArray<FieldRow>, holds: (row: FieldRow) => boolean): ReadonlyArray<string> =>
  rows.filter((row) => !holds(row)).map(({ path }) => path)

const show = ({ file, line, col }: Place): string => `${file}:${line}:${col}`

const isWarned = ({ of, written }: Example): boolean =>
  of.translation.findings.some(
    ({ at, code, related = [] }) =>
      (code === 'DT1102' || code === 'DT1128') &&
      at !== undefined &&
      [at, ...related.map((r) => r.at)].some((place) => show(place) === show(placeOf(written.key))),
  )

const places: ReadonlySet<string> = new Set(['at', 'path', 'origins'])

/** What is to be done and built, and what a manifest means, without the places of it. */
const meaningOf = ({ images, manifest, plan }: Translation): string =>
  JSON.stringify([plan, images, manifest], (key, value: unknown) =>
    places.has(key) ? undefined : value instanceof Map ? [...value] : value,
  )

/** As an extension, which means nothing. */
const withoutField = ({ of, written: { key } }: Example): Translation => {
  const { file } = key.source
  const text = textOf(of.files[file])
  return translationOf(
    { ...of.files, [file]: `${text.slice(0, key.start)}x-removed-for-a-test-${text.slice(key.start)}` },
    of.args,
  )
}

test('every field with an effect changes the plan of some case, or is required', () => {
  const changes = (example: Example): boolean => meaningOf(withoutField(example)) !== meaningOf(example.of.translation)
  assert.equal(
    without(rowsThat('maps'), (row) => examplesOf(row).some(changes)),
    [],
  )
})

/**
 * What the plan says no line of, because it decides whether something is there, or is written in another file. The parts of
 * a claim, a ConfigMap or a Secret are at the line of its name.
 */
const isUnplaced = ({ path }: FieldRow): boolean =>
  /^(?:name|include|networks|(?:volumes|configs|secrets)\.\*\..*)$/.test(path) ||
  [
    'env_file',
    'env_file[].path',
    'env_file[].required',
    'env_file[].format',
    'depends_on.*.required',
    'healthcheck.disable',
    'deploy.restart_policy.max_attempts',
    'cpu_period',
    'profiles',
    'extends',
  ].some((field) => path === `services.*.${field}`)

const nodesIn = (node: Node): ReadonlyArray<Node> => {
  if (node._tag === 'Scalar') return [node]
  const inner = node._tag === 'Sequence' ? node.items : node.entries.flatMap(({ key, value }) => [key, value])
  return [node, ...inner.flatMap(nodesIn)]
}

const originsIn = ({ images, plan }: Translation): ReadonlySet<string> => {
  const { Apply, Await } = partition(plan?.actions ?? [])
  const origins = [...Apply.flatMap((action) => action.origins), ...Await]
  return new Set([...origins.flatMap(({ at }) => at ?? []), ...images.map(({ at }) => placeOf(at))].map(show))
}

/** The field, a part of it, or what it stands in below its service: `services`, its members, the name and its members. */
const isOrigin = ({ of, written: { key, value, within } }: Example): boolean => {
  const origins = originsIn(of.translation)
  const enclosing = within.slice(4)
  return [...enclosing, key, ...nodesIn(value)].some((node) => origins.has(show(placeOf(node))))
}

test('every field that becomes part of the plan is the origin of something in it', () => {
  const rows = fieldRows().filter((row) => row.effect._tag === 'maps' && !isUnplaced(row))
  assert.equal(
    without(rows, (row) => examplesOf(row).some(isOrigin)),
    [],
  )
})

test('every field without effect warns at its place in some case', () => {
  assert.equal(
    without(rowsThat('warns'), (row) => examplesOf(row).some(isWarned)),
    [],
  )
})

test('every ignored field occurs in some case', () => {
  assert.equal(
    without(rowsThat('ignored'), (row) => examplesOf(row).length > 0),
    [],
  )
})

test.run()
