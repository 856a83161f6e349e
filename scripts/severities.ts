/** Which codes are errors, warnings and notes. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The severity of each code, from the calls that create findings. */
export const severities = (): ReadonlyMap<string, ReadonlyArray<string>> => {
  const kinds = new Map([
    ['error', 'error'],
    ['warning', 'warning'],
    ['remark', 'note'],
  ])
  // `why` reports it for a healthy service.
  const found = new Map([['DT3194', new Set(['warning'])]])
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  for (const file of files.toSorted()) {
    for (const [, call = '', code = ''] of readFileSync(join('src', file), 'utf8').matchAll(
      /\b(error|warning|remark)\(\s*'(DT\d+)'/g,
    )) {
      found.set(code, (found.get(code) ?? new Set()).add(kinds.get(call) ?? call))
    }
  }
  return new Map([...found].map(([code, set]) => [code, [...kinds.values()].filter((kind) => set.has(kind))]))
}
