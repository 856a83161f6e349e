/** The findings of `validate` and `build --check`, for programs. */
import * as t from 'io-ts'
import { document } from '../print/document.ts'
import { Diagnostic } from './codec.ts'

export const DiagnosticList = document('validate, build --check', 'All findings in the files, or in the Dockerfiles.', {
  diagnostics: [t.readonlyArray(Diagnostic), 'in the order of the files'],
})
