/** `validate`: everything that is wrong with the files, and nothing else. */
import { hasErrors } from '../../domain/checked.ts'
import { filesTaken } from '../../domain/compose/choose.ts'
import { showSummary } from '../../domain/diagnostic/show.ts'
import type { Ports } from '../../ports/ports.ts'
import { printData } from '../output/data.ts'
import type { DataForm, Report } from '../output/forms.ts'
import type { Outcome } from '../output/outcome.ts'
import { writeReports } from '../output/report.ts'
import type { Wanted } from './choose.ts'
import { openProject } from './project.ts'

export type Validate = {
  readonly wanted: Wanted
  readonly output: DataForm
  readonly reports: ReadonlyArray<Report>
  readonly version: string
}

/** As JSON or YAML the findings are the data: they are printed whatever they are. */
export const validate =
  (ports: Pick<Ports, 'files' | 'writer'>) =>
  async ({ output, reports, version, wanted }: Validate): Promise<Outcome> => {
    const project = openProject(ports)(wanted)
    const { chosen, findings } = await project.translate()
    const found = [...findings, ...(await writeReports(ports, version)(reports, findings))]
    if (output !== 'text') {
      return { findings: found, isShown: false, output: printData(output, { diagnostics: found }) }
    }
    const files = chosen?.files.join(', ') ?? ''
    const summary = showSummary(found, false)
    const verdict = hasErrors(found) ? [] : [`${files}: valid${summary === '' ? '' : `, ${summary}`}`]
    return { findings: found, line: project.line, said: [...filesTaken(chosen), ...verdict] }
  }
