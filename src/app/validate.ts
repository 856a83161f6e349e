/** `validate`: everything that is wrong with the files, and nothing else. */
import { hasErrors } from '../domain/checked.ts'
import { showSummary } from '../domain/diagnostic/show.ts'
import { printJson } from '../domain/print/json.ts'
import type { Ports } from '../ports/ports.ts'
import type { Report } from './forms.ts'
import type { Outcome } from './outcome.ts'
import { writeReports } from './report.ts'
import { translateFiles } from './translate.ts'
import type { Wanted } from './translation.ts'

export type Validate = {
  readonly wanted: Wanted
  readonly isJson: boolean
  readonly reports: ReadonlyArray<Report>
  readonly version: string
}

/** As JSON the findings are the data: they are printed whatever they are. */
export const validate =
  (ports: Pick<Ports, 'files' | 'writer'>) =>
  async ({ isJson, reports, version, wanted }: Validate): Promise<Outcome> => {
    const { chosen, findings, line, said } = await translateFiles(ports)(wanted)
    const found = [...findings, ...(await writeReports(ports, version)(reports, findings))]
    if (isJson) {
      return { findings: found, isShown: false, output: printJson({ schema: 1, diagnostics: found }) }
    }
    const files = chosen?.files.join(', ') ?? ''
    const summary = showSummary(found, false)
    const verdict = hasErrors(found) ? [] : [`${files}: valid${summary === '' ? '' : `, ${summary}`}`]
    return { findings: found, line, said: [...said, ...verdict] }
  }
