/** `deploy`, `--dry-run=server` and `--diff`. */
import type { DeployValue } from '../../app/deploy/deploy-project.ts'
import { DeployReport } from '../../domain/environment/record.ts'
import { ChangeList, type ChangeRow, summaryOf } from '../../domain/plan/change-list.ts'
import type { DataForm } from '../flags/forms.ts'
import { isData, printData } from './data.ts'
import type { RenderedView } from './view.ts'

const showChange = ({ because, change, object }: ChangeRow): string =>
  `${change.padEnd(6)}  ${object}${because === undefined ? '' : `  (${because})`}\n`

const showChanges = (form: DataForm, list: ChangeList, isDiff: boolean): RenderedView => {
  if (isData(form)) return { output: printData(form, ChangeList, list) }
  if (isDiff) return { output: list.changes.map(({ diff }) => diff).join('') }
  return { output: list.changes.map(showChange).join(''), said: [summaryOf(list)] }
}

const showReport = (form: DataForm, report: DeployReport): RenderedView => {
  const { endpoints, environment, namespace } = report
  const output = isData(form) ? printData(form, DeployReport, report) : endpoints.map((url) => `${url}\n`).join('')
  const deployed = { environment, namespace, endpoints }
  return { output, said: [`deployed ${environment} to namespace ${namespace}`], deployed }
}

export const showDeployed = (form: DataForm, value: DeployValue, isDiff: boolean): RenderedView =>
  value._tag === 'Deployed' ? showReport(form, value.report) : showChanges(form, value.list, isDiff)
