/** `labels`, `label_file`, `annotations` and `deploy.labels`, which all become annotations. */

import { pipe } from 'fp-ts/lib/function.js'
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, error, warning } from '../../diagnostic/diagnostic.ts'
import { isOurKey, LABELS_ANNOTATION, POLICY_ANNOTATION, reservedKeys, UPDATE_ANNOTATION } from '../../k8s/labels.ts'
import { defined } from '../../object/defined.ts'
import { printJsonLine } from '../../print/json.ts'
import { as, choose } from '../../shape/parse.ts'
import type { Located, Pair, ValueOf } from '../../shape/shape.ts'
import { pathWritten } from '../../text/path.ts'
import { source } from '../../text/source.ts'
import { isSpent } from '../../yaml/budget.ts'
import type { Variables } from '../../yaml/interpolate.ts'
import type { Annotation } from '../annotation.ts'
import type { service } from '../fields/service.ts'
import { contentFault, textContent } from '../file-content.ts'
import type { Files } from '../files.ts'
import type { ComposeService, Written } from '../model.ts'
import {
  countVariables,
  isClosed,
  readVariableFile,
  type Variable,
  type VariableFile,
  variablesFrom,
  variablesOf,
} from '../variables.ts'

type RawService = ValueOf<typeof service>['value']

const qualifiedName = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/
const domain = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/

/** A qualified name of Kubernetes: `[prefix/]name`, the name at most 63 characters. */
export const isQualifiedName = (key: string): boolean => {
  const slash = key.indexOf('/')
  return slash < 0
    ? qualifiedName.test(key)
    : domain.test(key.slice(0, slash)) && qualifiedName.test(key.slice(slash + 1))
}

/** Unlike a label, an annotation may have capital letters in its prefix. */
const isAnnotationKey = (key: string): boolean => isQualifiedName(key.toLowerCase())

const toAnnotation = ({ name: key, value, at }: Pair): Annotation => ({ name: key, value: value ?? '', at })

/** The API server's limit for the annotations of one object, in bytes. */
const mostBytes = 256 * 1024

const sizeOf = (pairs: ReadonlyArray<Pair>): number =>
  pairs.reduce((sum, { name, value = '' }) => sum + name.length + value.length, 0)

/** Keys that Kubernetes rejects are kept together, as JSON, in `dev.devtool/labels`. Finds DT1006; warns DT1112. */
export const legalAnnotations = (pairs: ReadonlyArray<Pair>): Checked<ReadonlyArray<Annotation>> => {
  const [start] = pairs
  if (start === undefined) return C.ok([])
  if (sizeOf(pairs) > mostBytes) {
    const { at, path } = start
    return C.fail(error('DT1006', 'more than 256 KiB of annotations, the limit of one object', { at, path }))
  }
  const all = pairs.filter((pair) => !pair.name.startsWith('kompose.'))
  const legal = new Map<string, Annotation>()
  const illegal = all.filter((pair) => {
    const isLegal = isAnnotationKey(pair.name)
    if (isLegal) legal.set(pair.name, toAnnotation(pair))
    return !isLegal
  })
  const [first] = illegal
  if (first === undefined) return C.ok([...legal.values()])
  const kept = printJsonLine(new Map(illegal.map((pair) => [pair.name, pair.value ?? '']))).trim()
  const found = illegal.map((pair) =>
    warning(
      'DT1112',
      `Kubernetes does not accept an annotation named "${pair.name}", so it is kept in ${LABELS_ANNOTATION}`,
      {
        at: pair.at,
        path: pair.path,
      },
    ),
  )
  return C.note([...legal.values(), { name: LABELS_ANNOTATION, value: kept, at: first.at }], found)
}

/** A line of the file as the label that it is. */
const labelAt =
  (path: string) =>
  ({ at, ...variable }: Variable): Pair => ({
    ...variable,
    at: { _tag: 'Scalar', text: variable.value ?? '', plain: false, ...at },
    path,
  })

/** The labels of one file. Variables in its values are labels of the files `before` it, or of lines above. */
export type ReadLabelFile = (written: Located<string>, before: Variables) => Checked<ReadonlyArray<Pair>>

/** Each file is parsed once, even if several services name it. */
export const labelFileReader = (files: Files): ReadLabelFile => {
  const parsed = new Map<string, Checked<VariableFile>>()
  const closed = new Map<VariableFile, Checked<ReadonlyArray<Variable>>>()
  return (written, before) => {
    const { at } = written
    const path = pathWritten(at, written.value)
    const content = files.want(path)
    if (content === undefined || isSpent(files.budget)) return C.ok([])
    const fault = contentFault(path, content, at)
    if (fault !== undefined) return C.fail(fault)
    const parse = C.andThen((text: string) => readVariableFile(source(path, '.', text)))
    const file = parsed.get(path) ?? parse(textContent(path, content, at))
    parsed.set(path, file)
    return pipe(
      file,
      C.andThen((each) => {
        const read = closed.get(each) ?? variablesOf(each, before)
        if (isClosed(each)) closed.set(each, read)
        return countVariables(files.budget, read, at)
      }),
      C.map((variables) => variables.map(labelAt(written.path))),
    )
  }
}

const readLabelFiles = (raw: RawService, readLabelFile: ReadLabelFile): Checked<ReadonlyArray<ReadonlyArray<Pair>>> => {
  const before = new Map<string, string>()
  return C.each((file: Located<string>) => {
    const read = readLabelFile(file, variablesFrom(before))
    for (const { name, value } of C.valueOf(read) ?? []) if (value !== undefined) before.set(name, value)
    return read
  })(raw.label_file?.value ?? [])
}

const updates = { rolling: 'rolling', recreate: 'recreate', 'on-delete': 'on-delete' } as const

const readUpdate = (pair: Pair | undefined): Checked<Written<'rolling' | 'recreate' | 'on-delete'> | undefined> =>
  pair === undefined ? C.ok(undefined) : choose('update policy', updates)(as(pair.value ?? '', pair))

type Labels = Pick<ComposeService, 'annotations' | 'workloadAnnotations'> & Pick<Partial<ComposeService>, 'update'>

const isOurs = (pair: Pair): boolean => isOurKey(pair.name)

const reservedFindings = (pairs: ReadonlyArray<Pair>): ReadonlyArray<Diagnostic> =>
  pairs
    .filter((pair) => reservedKeys.has(pair.name))
    .map((pair) =>
      error('DT1018', `${pair.name} is set by devtool itself`, {
        at: pair.at,
        path: pair.path,
        help: 'choose another name',
      }),
    )

/** A typo in the label that protects data must be reported. */
const policyFindings = (pairs: ReadonlyArray<Pair>): ReadonlyArray<Diagnostic> =>
  pairs
    .filter(({ name, value }) => name === POLICY_ANNOTATION && value !== 'keep')
    .map(({ at, path, value }) =>
      error('DT1018', `unknown policy "${value ?? ''}"`, { at, path, help: 'use keep, or remove the label' }),
    )

const overriddenLabels = ({ annotations, labels }: RawService): ReadonlyArray<Diagnostic> => {
  if (annotations === undefined || labels === undefined) return []
  const annotated = new Map(annotations.value.map(({ name, value }) => [name, value]))
  return labels.value
    .filter(({ name, value }) => annotated.has(name) && annotated.get(name) !== value)
    .map(({ name, at, path }) => warning('DT1110', `the annotation ${name} overrides this label`, { at, path }))
}

/**
 * Later ones override earlier ones: label files, `labels`, `annotations`. Finds DT1006, DT1007, DT1018, DT1027; warns
 * DT1112.
 */
export const readLabels = (raw: RawService, readLabelFile: ReadLabelFile): Checked<Labels> =>
  C.andThen((fromFiles: ReadonlyArray<ReadonlyArray<Pair>>): Checked<Labels> => {
    const pairs = [...fromFiles.flat(), ...(raw.labels?.value ?? []), ...(raw.annotations?.value ?? [])]
    const own = [...(raw.deploy?.value.labels?.value ?? []), ...pairs.filter(isOurs)]
    const parts = C.struct({
      annotations: legalAnnotations(pairs.filter((pair) => !isOurs(pair))),
      workloadAnnotations: legalAnnotations(own),
      update: readUpdate(own.findLast((pair) => pair.name === UPDATE_ANNOTATION)),
      reserved: C.note(undefined, [...reservedFindings(own), ...policyFindings(own), ...overriddenLabels(raw)]),
    })
    return C.map(
      ({ annotations, workloadAnnotations, update }: C.ValueIn<typeof parts>): Labels => ({
        annotations: annotations ?? [],
        workloadAnnotations: workloadAnnotations ?? [],
        ...defined({ update }),
      }),
    )(parts)
  })(readLabelFiles(raw, readLabelFile))
