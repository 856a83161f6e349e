/** `validate`: finds all errors in the files. */
import type { Chosen } from '../../domain/compose/choose.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { Ports } from '../../ports/ports.ts'
import { type Report, writeReports } from '../reports/reports.ts'
import type { Result } from '../result.ts'
import type { ProjectOptions } from './choose.ts'
import { openProject } from './project.ts'

export type Validate = {
  readonly wanted: ProjectOptions
  readonly reports: ReadonlyArray<Report>
  readonly version: string
}

/** `chosen`: the files that were read, if any. */
export type Validation = { readonly chosen?: Chosen | undefined; readonly findings: ReadonlyArray<Diagnostic> }

export const validate =
  (ports: Pick<Ports, 'files' | 'writer'>) =>
  async ({ reports, version, wanted }: Validate): Promise<Result<Validation>> => {
    const project = openProject(ports)(wanted)
    const { chosen, findings } = await project.translate()
    const found = [...findings, ...(await writeReports(ports, version)(reports, findings))]
    return { findings: found, value: { chosen, findings: found }, line: project.line }
  }
