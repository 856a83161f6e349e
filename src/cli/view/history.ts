/** `history`: deployments as a table or data, and the plan of one as manifests. */
import type { PastDeployment } from '../../app/inspect/history.ts'
import { type HistoryEntry, HistoryList, type ObjectCounts } from '../../domain/environment/history.ts'
import { PastPlanDocument, pastPlanDocument } from '../../domain/plan/document.ts'
import { manifestPieces } from '../../domain/plan/manifests.ts'
import { printTable } from '../../domain/print/table.ts'
import { showAge } from '../../domain/text/moment.ts'
import type { DataForm } from '../flags/forms.ts'
import { isData, printData } from './data.ts'
import type { RenderedView } from './view.ts'

const countsText = ({ changed, created, deleted }: ObjectCounts): string => {
  const parts: ReadonlyArray<readonly [number, string]> = [
    [created, 'created'],
    [changed, 'changed'],
    [deleted, 'deleted'],
  ]
  const texts = parts.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]))
  return texts.length === 0 ? 'none' : texts.join(', ')
}

const statusText = ({ rollbackTo, services, status }: HistoryEntry): string => {
  const only = services === undefined ? '' : `, only ${services.join(', ')}`
  return `${status}${rollbackTo === undefined ? '' : `, back to ${rollbackTo}`}${only}`
}

const commitText = ({ branch, commit = '' }: HistoryEntry['source']): string =>
  branch === undefined ? commit.slice(0, 12) : `${commit.slice(0, 12)} (${branch})`

export const showHistory = (form: DataForm, list: HistoryList, now: string): RenderedView => {
  const { deployments, environment } = list
  if (isData(form)) return { output: printData(form, HistoryList, list) }
  if (deployments.length === 0) {
    return { said: [`no deployment of ${environment} is remembered: it was deployed by an earlier version`] }
  }
  const cells = deployments.map((entry) => [
    String(entry.number),
    showAge(entry.when, now),
    entry.who,
    statusText(entry),
    countsText(entry.changes),
    entry.plan === undefined ? 'no' : 'yes',
    commitText(entry.source),
  ])
  return { output: printTable(['Number', 'Age', 'Who', 'Status', 'Changes', 'Plan', 'Commit'], cells) }
}

export const showPast = (form: DataForm, { number, plan }: PastDeployment, showSecrets: boolean): RenderedView =>
  form === 'json'
    ? { output: printData('json', PastPlanDocument, pastPlanDocument(number, plan, showSecrets)) }
    : { output: manifestPieces(plan, showSecrets) }
