/** `rollback`: the restored deployment, as text or as data. */
import { RollbackReport } from '../../domain/environment/rollback.ts'
import type { DataForm } from '../flags/forms.ts'
import { isData, printData } from './data.ts'
import type { RenderedView } from './view.ts'

export const showRollback = (form: DataForm, report: RollbackReport): RenderedView => {
  const { changed, endpoints, environment, namespace, number, to } = report
  const text =
    changed.length === 0
      ? `nothing to change: ${environment} is as deployment ${to} left it`
      : `${environment} is back at deployment ${to}${number === undefined ? '' : `, as deployment ${number}`}`
  const output = isData(form) ? printData(form, RollbackReport, report) : endpoints.map((url) => `${url}\n`).join('')
  return { output, said: [text], deployed: { environment, namespace, endpoints } }
}
