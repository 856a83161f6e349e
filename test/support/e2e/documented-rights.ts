/** The permissions that docs/up.md lists, as rules of a role. */
import { readFileSync } from 'node:fs'
import type { Rule } from './account.ts'

type Row = { readonly use: string; readonly rules: ReadonlyArray<Rule> }

/** `deployments (apps), configmaps`; what stands behind `, or` and `, in` is not needed here. */
const rulesOf = (resources: string, verbs: string): ReadonlyArray<Rule> =>
  resources
    .replace(/, (or|in) .*/, '')
    .split(', ')
    .map((one) => {
      const [resource = '', group = ''] = one.replace(')', '').split(' (')
      return { apiGroups: [group], resources: [resource], verbs: verbs.split(', ') }
    })

/** A row without a use has that of the row above. */
const table = ((): ReadonlyArray<Row> => {
  const lines = readFileSync('docs/up.md', 'utf8').split('\n')
  const begin = lines.indexOf('| for | resource | verbs |')
  const rows: Array<Row> = []
  for (const line of lines.slice(begin + 2)) {
    if (!line.startsWith('|')) return rows
    const [, use = '', resources = '', verbs = ''] = line.split('|').map((cell) => cell.trim())
    rows.push({ use: use === '' ? (rows.at(-1)?.use ?? '') : use, rules: rulesOf(resources, verbs) })
  }
  return rows
})()

/** Those of the rows for this use, which has to be in the table. */
export const rulesOnlyFor = (use: string): ReadonlyArray<Rule> => {
  const rules = table.filter((row) => row.use === use).flatMap((row) => row.rules)
  if (rules.length === 0) throw new Error(`the table of docs/up.md has no row for ${use}`)
  return rules
}

/** Those that every workload needs, and those for these uses. */
export const rulesFor = (...uses: ReadonlyArray<string>): ReadonlyArray<Rule> =>
  ['every workload', ...uses].flatMap(rulesOnlyFor)
