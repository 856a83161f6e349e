/** `doctor --check`: the checks as a table with advice below it, or as data. */
import { CheckList, type ClusterCheck } from '../../domain/doctor/check.ts'
import { printTable } from '../../domain/print/table.ts'
import type { DataForm } from '../flags/forms.ts'
import { isData, printData } from './data.ts'
import type { RenderedView } from './view.ts'

const showHelp = ({ help, name }: ClusterCheck): ReadonlyArray<string> =>
  help === undefined ? [] : [`${name}: ${help}\n`]

export const showChecks = (form: DataForm, list: CheckList): RenderedView => {
  if (isData(form)) return { output: printData(form, CheckList, list) }
  const { checks } = list
  const table = printTable(
    ['Check', 'Result', 'Detail'],
    checks.map(({ name, text, verdict }) => [name, verdict, text]),
  )
  const help = checks.flatMap(showHelp).join('')
  return { output: help === '' ? table : `${table}\n${help}` }
}
