/** Findings in the report formats of code hosts: SARIF 2.1.0, and GitLab's Code Quality report. */
import { defined } from '../object/defined.ts'
import type { Value } from '../print/value.ts'
import { normalise } from '../text/path.ts'
import { sha256 } from '../text/sha256.ts'
import type { Place } from '../text/source.ts'
import { codes } from './codes.ts'
import type { Diagnostic } from './diagnostic.ts'
import type { CodeTable } from './status.ts'

const encodeSegment = (segment: string): string => encodeURIComponent(segment.replace(/\p{Cs}/gu, '\ufffd'))

/** A relative reference; absolute paths become `file:` URIs. */
const uriOf = (file: string): string => {
  const path = normalise(file)
  const drive = /^([A-Za-z]:)(\/.*)$/s.exec(path)
  if (drive !== null) return `file:///${drive[1]}${drive[2]?.split('/').map(encodeSegment).join('/')}`
  const encoded = path.split('/').map(encodeSegment).join('/')
  return path.startsWith('/') ? `file://${encoded}` : encoded
}

/** An empty span becomes a region without an end, which extends to the end of the line. */
const regionOf = ({ line, col, endLine, endCol }: Place): Value => {
  const [startLine, startColumn] = [Math.max(1, line), Math.max(1, col)]
  const isEmpty = endLine < startLine || (endLine === startLine && endCol <= startColumn)
  return { startLine, startColumn, ...(isEmpty ? {} : { endLine, endColumn: Math.max(1, endCol) }) }
}

const physical = (at: Place): Value => ({ artifactLocation: { uri: uriOf(at.file) }, region: regionOf(at) })

const textOf = (d: Diagnostic): Value => ({ text: d.help === undefined ? d.message : `${d.message}\nhelp: ${d.help}` })

const ruleOf = ([id, { title, text }]: readonly [string, CodeTable[string]]): Value => ({
  id,
  shortDescription: { text: title },
  fullDescription: { text },
  help: { text },
})

const resultOf = (d: Diagnostic, at: Place, ruleIndex: number): Value => ({
  ruleId: d.code,
  ...(ruleIndex < 0 ? {} : { ruleIndex }),
  level: d.severity,
  message: textOf(d),
  locations: [{ physicalLocation: physical(at) }],
  ...defined({
    relatedLocations: d.related?.map(({ at: where, message }, id) => ({
      id,
      message: { text: message },
      physicalLocation: physical(where),
    })),
  }),
})

/**
 * A SARIF log of one run by `version` of devtool. Findings without a place are notifications of the run, because
 * readers reject results without a location.
 */
export const sarif = (found: ReadonlyArray<Diagnostic>, version: string, table: CodeTable = codes): Value => {
  const rules = Object.entries(table)
  const indexes = new Map(rules.map(([id], index) => [id, index]))
  const placeless = found.filter((d) => d.at === undefined)
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'devtool', version, rules: rules.map(ruleOf) } },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: placeless.every((d) => d.severity !== 'error'),
            toolExecutionNotifications: placeless.map((d) => ({
              descriptor: { id: d.code },
              level: d.severity,
              message: textOf(d),
            })),
          },
        ],
        results: found.flatMap((d) => (d.at === undefined ? [] : [resultOf(d, d.at, indexes.get(d.code) ?? -1)])),
      },
    ],
  }
}

const severities = { error: 'major', warning: 'minor', note: 'info' } as const

/**
 * The list that GitLab reads. Fingerprints do not change when lines move: they consist of code, file, path and message,
 * plus a number if several findings have the same. Findings without a place are reported at line 1 of `.`.
 */
export const codeQuality = (found: ReadonlyArray<Diagnostic>): Value => {
  const seen = new Map<string, number>()
  return found.map((d) => {
    const file = d.at === undefined ? '.' : normalise(d.at.file)
    const identity = [d.code, file, d.path ?? '', d.message].join('\0')
    const count = seen.get(identity) ?? 0
    seen.set(identity, count + 1)
    return {
      description: d.help === undefined ? d.message : `${d.message} (${d.help})`,
      check_name: d.code,
      fingerprint: sha256(count === 0 ? identity : `${identity}\0${count}`),
      severity: severities[d.severity],
      location: { path: file, lines: { begin: d.at?.line ?? 1 } },
    }
  })
}
