/** What `devtool explain` prints: of a published code or of a field of the Compose file, all there is to know. */
import { type FieldRow, fieldRows } from '../compose/field-rows.ts'
import { closest } from '../text/suggest.ts'
import { codes } from './codes.ts'
import type { CodeTable } from './status.ts'

const explainCode = (code: string, table: CodeTable): string | undefined => {
  const entry = Object.hasOwn(table, code) ? table[code] : undefined
  if (entry === undefined) return undefined
  return [`${code}: ${entry.title}`, '', entry.text, '', `exit status: ${entry.status}`].join('\n')
}

/** Keys from the root, without the marks of lists: `ports[].target`, `ports[0].target` → `ports`, `target`. */
const keysOf = (path: string): ReadonlyArray<string> => path.replace(/\[[^\]]*\]/g, '').split('.')

/** Whether `keys` name the field; a name the user chooses (`*`) may stand there or be left out. */
const matches = (field: ReadonlyArray<string>, keys: ReadonlyArray<string>): boolean => {
  const [first, ...rest] = field
  const [key, ...others] = keys
  if (first === undefined) return key === undefined
  if (first === '*' && matches(rest, keys)) return true
  return key !== undefined && (first === '*' || first === key) && matches(rest, others)
}

/** A path from the root wins over one from a service, which wins over one from anywhere. */
const rowsFor = (topic: string): ReadonlyArray<FieldRow> => {
  const rows = fieldRows()
  const keys = keysOf(topic)
  const from = (
    start: (field: ReadonlyArray<string>) => ReadonlyArray<ReadonlyArray<string>>,
  ): ReadonlyArray<FieldRow> => rows.filter(({ path }) => start(keysOf(path)).some((field) => matches(field, keys)))
  const whole = from((field) => [field])
  const ofService = from((field) => (field[0] === 'services' ? [field.slice(2)] : []))
  const anywhere = from((field) => field.map((_, i) => field.slice(i)).filter(([first]) => first !== '*'))
  return [...new Set([...whole, ...ofService.filter(({ path }) => path !== 'services'), ...anywhere])]
}

const becomes = ({ effect }: FieldRow): ReadonlyArray<string> => {
  switch (effect._tag) {
    case 'maps':
      return [`becomes: ${effect.to}`, ...(effect.but === undefined ? [] : [`but:     ${effect.but}`])]
    case 'warns':
      return ['becomes: nothing on Kubernetes, with the warning DT1102', `reason:  ${effect.why}`]
    case 'ignored':
      return ['becomes: nothing, and nothing is lost', `reason:  ${effect.why}`]
  }
}

/** The keys right below a field. */
const keysBelow = (path: string): ReadonlyArray<string> => {
  const depth = keysOf(path).filter((key) => key !== '*').length + 1
  return fieldRows().flatMap((row) => {
    const keys = keysOf(row.path)
    const isBelow = row.path.startsWith(`${path}.`) || row.path.startsWith(`${path}[`)
    return isBelow && keys.filter((key) => key !== '*').length === depth ? [keys.at(-1) ?? ''] : []
  })
}

const explainField = (topic: string): string | undefined => {
  const [row, ...more] = rowsFor(topic)
  if (row === undefined) return undefined
  const below = keysBelow(row.path)
  return [
    row.path,
    '',
    `is:      ${row.about}`,
    `form:    ${row.form}`,
    ...becomes(row),
    ...(below.length === 0 ? [] : [`keys:    ${below.join(', ')}`]),
    ...(more.length === 0 ? [] : [`also:    ${more.map(({ path }) => path).join(', ')}`]),
  ].join('\n')
}

/** Of a code in any case (`dt1012`), or a field by its path or the end of it. Lines without a newline at the end. */
export const explain = (topic: string, table: CodeTable = codes): string | undefined =>
  explainCode(topic.toUpperCase(), table) ?? explainField(topic)

/** Everything {@link explain} knows by its full name. */
export const topics = (table: CodeTable = codes): ReadonlyArray<string> => [
  ...Object.keys(table),
  ...fieldRows().map(({ path }) => path),
]

/** Field paths as people write them: without marks, from the root and from a service. */
const spellings = (): ReadonlyArray<string> => {
  const paths = fieldRows().map(({ path }) => keysOf(path).filter((key) => key !== '*'))
  return [
    ...paths.map((keys) => keys.join('.')),
    ...paths
      .filter(([first, second]) => first === 'services' && second !== undefined)
      .map((keys) => keys.slice(1).join('.')),
    ...paths.map((keys) => keys.at(-1) ?? ''),
  ]
}

/** The topic that a misspelt one was meant to be. */
export const nearest = (topic: string, table: CodeTable = codes): string | undefined => {
  if (/^dt\d+$/i.test(topic)) return closest(topic.toUpperCase(), Object.keys(table))
  const known = spellings()
  const keys = keysOf(topic)
  const withoutName = [...keys.slice(0, 1), ...keys.slice(2)].join('.')
  return closest(keys.join('.'), known) ?? (keys.length > 2 ? closest(withoutName, known) : undefined)
}
