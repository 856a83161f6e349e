/** The JSON form of a finding, and the only definition of its type. */
import * as t from 'io-ts'
import { keys, oneOf } from '../print/document.ts'

const Place = keys({
  file: [t.string, 'path of the file'],
  line: [t.number, 'line, from 1'],
  col: [t.number, 'column, from 1'],
  endLine: [t.number, 'last line'],
  endCol: [t.number, 'column after the last one'],
})

export const Severity = oneOf('error', 'warning', 'note')

export const Diagnostic = keys(
  {
    severity: [Severity, 'warnings and notes do not change the exit status'],
    code: [t.string, 'diagnostic code; `devtool explain` describes it'],
    message: [t.string, 'the message'],
  },
  {
    help: [t.string, 'what to do'],
    at: [Place, 'its place in a file'],
    related: [
      t.readonlyArray(keys({ at: [Place, 'the place'], message: [t.string, 'what it says'] })),
      'related places',
    ],
    path: [t.string, 'the field, for example `services.web.ports[0]`'],
  },
)
