/** The findings of `validate`, for programs. */
import * as t from 'io-ts'
import { document } from '../print/document.ts'
import { Diagnostic } from './codec.ts'

export const DiagnosticList = document('validate', 'All findings in the files.', {
  diagnostics: [t.readonlyArray(Diagnostic), 'in the order of the files'],
})
