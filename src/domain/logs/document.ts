/** A line of a log, for programs. */
import * as t from 'io-ts'
import { type DataOf, document } from '../print/document.ts'

export const LogDocument = document(
  'logs',
  'A line of a log, one object a line. It has either `message` or `fields`.',
  {
    time: [t.string, 'when it was written; empty if unknown'],
    service: [t.string, 'name of the service'],
    pod: [t.string, 'name of the pod'],
    container: [t.string, 'name of the container'],
  },
  {
    message: [t.string, 'the line'],
    fields: [t.record(t.string, t.unknown, 'object'), 'the line if it is a JSON object and `--raw` is not set'],
  },
)

export type LogDocument = DataOf<typeof LogDocument>
