/** The JSON form of a finding (`schema: 1`), and the single source of its type. */
import * as t from 'io-ts'

const Place = t.readonly(
  t.strict({ file: t.string, line: t.number, col: t.number, endLine: t.number, endCol: t.number }),
  'place (lines and columns from 1)',
)

export const Severity = t.keyof({ error: null, warning: null, note: null }, 'severity')

export const Diagnostic = t.readonly(
  t.intersection([
    t.strict({ severity: Severity, code: t.string, message: t.string }),
    t.partial({
      help: t.string,
      at: Place,
      related: t.readonlyArray(t.readonly(t.strict({ at: Place, message: t.string }))),
      path: t.string,
    }),
  ]),
  'diagnostic',
)
