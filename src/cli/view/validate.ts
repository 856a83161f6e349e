/** `validate`: that there are no errors, or the findings as data. */
import type { Validation } from '../../app/project/validate.ts'
import { hasErrors } from '../../domain/checked.ts'
import { filesTaken } from '../../domain/compose/choose.ts'
import { DiagnosticList } from '../../domain/diagnostic/list.ts'
import { showSummary } from '../../domain/diagnostic/show.ts'
import type { DataForm } from '../flags/forms.ts'
import { isData, printData } from './data.ts'
import type { RenderedView } from './view.ts'

/** As data, findings are printed whether there are errors or not. */
export const showValidation = (form: DataForm, { chosen, findings }: Validation): RenderedView => {
  if (isData(form))
    return { isInOutput: () => true, output: printData(form, DiagnosticList, { diagnostics: findings }) }
  if (hasErrors(findings)) return { said: filesTaken(chosen) }
  const summary = showSummary(findings, false)
  const files = chosen?.files.join(', ') ?? ''
  return { said: [...filesTaken(chosen), `${files}: valid${summary === '' ? '' : `, ${summary}`}`] }
}
