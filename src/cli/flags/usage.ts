/** Errors in a command line, with advice. */
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'

export const usage = (message: string, help: string): Diagnostic => error('DT2001', message, { help })
