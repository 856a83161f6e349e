/** Writes findings as report files for code hosts. */
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { printJson } from '../../domain/print/json.ts'
import type { Ports } from '../../ports/ports.ts'

export type Report = { readonly form: 'sarif' | 'codequality'; readonly file: string }

/** Writes all reports; one that cannot be written is an additional finding (DT2006). */
export const writeReports =
  ({ writer }: Pick<Ports, 'writer'>, version: string) =>
  async (reports: ReadonlyArray<Report>, findings: ReadonlyArray<Diagnostic>): Promise<ReadonlyArray<Diagnostic>> => {
    if (reports.length === 0) return []
    const { codeQuality, sarif } = await import('../../domain/diagnostic/reports.ts')
    const found: Array<Diagnostic> = []
    for (const { file, form } of reports) {
      const document = form === 'sarif' ? sarif(findings, version) : codeQuality(findings)
      const written = await writer.replace(file, printJson(document))()
      if (written._tag === 'Left') found.push(written.left)
    }
    return found
  }
