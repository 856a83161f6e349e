/** What `devtool explain` prints about a diagnostic code, or about a field of the Compose file or the manifest. */

import * as t from 'io-ts'
import { type FieldRow, fieldRows } from '../compose/field-rows.ts'
import { codes } from '../diagnostic/codes.ts'
import type { CodeTable } from '../diagnostic/status.ts'
import { manifestRows } from '../manifest/field-rows.ts'
import { defined } from '../object/defined.ts'
import { type DataOf, document, oneOf } from '../print/document.ts'
import { closest } from '../text/suggest.ts'

export const CodeExplanation = document('explain CODE', 'A diagnostic code.', {
  topic: [t.string, 'the code'],
  title: [t.string, 'short meaning'],
  text: [t.string, 'full explanation'],
  status: [t.number, 'exit status when it is reported as an error; 0 if it never is'],
})
export type CodeExplanation = DataOf<typeof CodeExplanation>

export const FieldExplanation = document(
  'explain FIELD',
  'A field of the Compose file or the manifest.',
  {
    topic: [t.string, 'full path of the field'],
    text: [t.string, 'what it is for'],
    form: [t.string, 'form of its value'],
    effect: [oneOf<FieldRow['effect']['_tag']>('maps', 'warns', 'ignored'), 'whether it has an effect'],
    keys: [t.readonlyArray(t.string), 'keys directly below it'],
    also: [t.readonlyArray(t.string), 'other fields with this name'],
  },
  {
    becomes: [t.string, 'what it becomes on Kubernetes'],
    but: [t.string, 'what is different on Kubernetes'],
    reason: [t.string, 'why it has no effect'],
  },
)
export type FieldExplanation = DataOf<typeof FieldExplanation>

export const TopicList = document('explain', 'Everything that can be explained.', {
  topics: [t.readonlyArray(t.string), 'codes, then fields'],
})

export type Explanation = CodeExplanation | FieldExplanation

const explainCode = (code: string, table: CodeTable): CodeExplanation | undefined => {
  const entry = Object.hasOwn(table, code) ? table[code] : undefined
  return entry === undefined ? undefined : { topic: code, title: entry.title, text: entry.text, status: entry.status }
}

/** Fields of Compose files, then those that only manifests have. */
const allRows: ReadonlyArray<FieldRow> = (() => {
  const compose = fieldRows()
  const known = new Set(compose.map(({ path }) => path))
  return [...compose, ...manifestRows().filter(({ path }) => !known.has(path))]
})()

/** The keys from the root, without list indexes: `ports[].target`, `ports[0].target` → `ports`, `target`. */
const keysOf = (path: string): ReadonlyArray<string> => path.replace(/\[[^[\]]*\]/g, '').split('.')

/** Whether `keys` name the field; a name that the user chooses (`*`) may be given or left out. */
const matches = (field: ReadonlyArray<string>, keys: ReadonlyArray<string>): boolean => {
  const [first, ...rest] = field
  const [key, ...others] = keys
  if (first === undefined) return key === undefined
  if (first === '*' && matches(rest, keys)) return true
  return key !== undefined && (first === '*' || first === key) && matches(rest, others)
}

/** A path from the root is preferred to one from a service, and that to one from anywhere else. */
const rowsFor = (topic: string): ReadonlyArray<FieldRow> => {
  const rows = allRows
  const keys = keysOf(topic)
  const from = (
    start: (field: ReadonlyArray<string>) => ReadonlyArray<ReadonlyArray<string>>,
  ): ReadonlyArray<FieldRow> => rows.filter(({ path }) => start(keysOf(path)).some((field) => matches(field, keys)))
  const whole = from((field) => [field])
  const ofService = from((field) => (field[0] === 'services' ? [field.slice(2)] : []))
  const anywhere = from((field) => field.map((_, i) => field.slice(i)).filter(([first]) => first !== '*'))
  return [...new Set([...whole, ...ofService.filter(({ path }) => path !== 'services'), ...anywhere])]
}

const effectOf = ({ effect }: FieldRow): Pick<FieldExplanation, 'effect' | 'becomes' | 'but' | 'reason'> => {
  if (effect._tag !== 'maps') return { effect: effect._tag, reason: effect.why }
  return { effect: 'maps', becomes: effect.to, ...defined({ but: effect.but }) }
}

const showEffect = ({ becomes = '', but, effect, reason = '' }: FieldExplanation): ReadonlyArray<string> => {
  switch (effect) {
    case 'maps':
      return [`becomes: ${becomes}`, ...(but === undefined ? [] : [`but:     ${but}`])]
    case 'warns':
      return ['becomes: nothing on Kubernetes, which DT1102 says', `reason:  ${reason}`]
    case 'ignored':
      return ['becomes: nothing, and nothing is lost', `reason:  ${reason}`]
  }
}

/** The keys directly below a field. */
const keysBelow = (path: string): ReadonlyArray<string> => {
  const depth = keysOf(path).filter((key) => key !== '*').length + 1
  return allRows.flatMap((row) => {
    const keys = keysOf(row.path)
    const isBelow = row.path.startsWith(`${path}.`) || row.path.startsWith(`${path}[`)
    return isBelow && keys.filter((key) => key !== '*').length === depth ? [keys.at(-1) ?? ''] : []
  })
}

const explainField = (topic: string): FieldExplanation | undefined => {
  const [row, ...more] = rowsFor(topic)
  if (row === undefined) return undefined
  return {
    topic: row.path,
    text: row.about,
    form: row.form,
    ...effectOf(row),
    keys: keysBelow(row.path),
    also: more.map(({ path }) => path),
  }
}

const showField = (field: FieldExplanation): ReadonlyArray<string> => [
  field.topic,
  '',
  `is:      ${field.text}`,
  `form:    ${field.form}`,
  ...showEffect(field),
  ...(field.keys.length === 0 ? [] : [`keys:    ${field.keys.join(', ')}`]),
  ...(field.also.length === 0 ? [] : [`also:    ${field.also.join(', ')}`]),
]

const showCode = ({ status, text, title, topic }: CodeExplanation): ReadonlyArray<string> => [
  `${topic}: ${title}`,
  '',
  text,
  ...(status === 0 ? [] : ['', `exit status as an error: ${status}`]),
]

/** Explains a code in upper or lower case (`dt1012`), or a field by its path or the end of its path. */
export const explanationOf = (topic: string, table: CodeTable = codes): Explanation | undefined =>
  explainCode(topic.toUpperCase(), table) ?? explainField(topic)

/** Without a newline at the end. */
export const showExplanation = (explanation: Explanation): string =>
  ('status' in explanation ? showCode(explanation) : showField(explanation)).join('\n')

/** Everything {@link explanationOf} knows, by its full name. */
export const topics = (table: CodeTable = codes): ReadonlyArray<string> => [
  ...Object.keys(table),
  ...allRows.map(({ path }) => path),
]

/** Field paths as people write them: without `*` and `[]`, from the root and from a service. */
const writtenPaths = (): ReadonlyArray<string> => {
  const paths = allRows.map(({ path }) => keysOf(path).filter((key) => key !== '*'))
  const ofService = paths.filter(([first, second]) => first === 'services' && second !== undefined)
  return [...paths.map((keys) => keys.join('.')), ...ofService.map((keys) => keys.slice(1).join('.'))]
}

const spellings = (): ReadonlyArray<string> => [
  ...writtenPaths(),
  ...allRows.map(({ path }) => keysOf(path).at(-1) ?? ''),
]

/** The topics that can be typed, without duplicates: `*` and `[]` would have a meaning in a shell. */
export const typedTopics = (table: CodeTable = codes): ReadonlyArray<string> => [
  ...new Set([...Object.keys(table), ...writtenPaths()]),
]

/** The topic that a misspelt one probably stands for. */
export const nearest = (topic: string, table: CodeTable = codes): string | undefined => {
  if (/^dt\d+$/i.test(topic)) return closest(topic.toUpperCase(), Object.keys(table))
  const known = spellings()
  const keys = keysOf(topic)
  const withoutName = [...keys.slice(0, 1), ...keys.slice(2)].join('.')
  return closest(keys.join('.'), known) ?? (keys.length > 2 ? closest(withoutName, known) : undefined)
}
