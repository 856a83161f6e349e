/** Findings with made-up codes, so that tests of their display do not depend on the table of codes. */
import * as diagnostic from '../../../src/domain/diagnostic/diagnostic.ts'

type Make = (code: string, message: string, more?: Parameters<typeof diagnostic.error>[2]) => diagnostic.Diagnostic

const anyCode =
  (make: typeof diagnostic.error): Make =>
  (code, message, more) => ({ ...make('DT1001', message, more), code })

export const error = anyCode(diagnostic.error)
export const warning = anyCode(diagnostic.warning)
export const remark = anyCode(diagnostic.remark)
