/** Runs on a platform: their logs, and the pipelines and previews that they deploy. */
import { endText } from '../../app/pipelines/waiting.ts'
import { isCode } from '../../domain/diagnostic/codes.ts'
import type { ListedPreview } from '../../domain/platform/api/preview-routes.ts'
import {
  PipelineCancelled,
  PipelineDeployed,
  PipelineDestroyed,
  PipelineList,
  type PipelineRun,
  PreviewDeployed,
  PreviewDestroyed,
  PreviewList,
  RunLogLine,
} from '../../domain/platform/api/run-listings.ts'
import type { RunLine } from '../../domain/platform/run/log.ts'
import type { RunRecord } from '../../domain/platform/run/record.ts'
import { printTable } from '../../domain/print/table.ts'
import { visible } from '../../domain/text/visible.ts'
import type { DataForm, ListForm } from '../flags/forms.ts'
import { isData, printData, printDataLine } from './data.ts'
import { showFailures, shownStatus } from './failures.ts'
import type { RenderedView } from './view.ts'

export const runLineJson = (line: RunLine): string => printDataLine(RunLogLine, line)

const lines = (texts: ReadonlyArray<string>): string => texts.map((text) => `${text}\n`).join('')

/** The result of a run, or how to follow it. `what`: `pipeline shop in namespace ann`. */
const saidOf = (
  { action, exitStatus, failure, id, namespace, status }: RunRecord,
  what: string,
  page: string,
): ReadonlyArray<string> => {
  switch (status) {
    case 'succeeded':
      return [`${action === 'deploy' ? 'deployed' : 'destroyed'} ${what}`]
    case 'queued':
    case 'running':
      return [
        `run ${id} ${action}s ${what}`,
        `\`devtool pipeline logs --run ${id} --namespace ${namespace}\` follows it, as does ${page}`,
      ]
    case 'cancelled':
      return []
    case 'failed':
    case 'timed-out': {
      // Codes that this version knows become findings, with its own messages.
      const why = failure === undefined || isCode(failure.code) ? '' : `: ${failure.message}`
      return [`run ${id} failed with status ${exitStatus ?? 1}${why}`]
    }
  }
}

const whatOf = ({ namespace, pipeline }: { readonly namespace: string; readonly pipeline: string }): string =>
  `pipeline ${pipeline} in namespace ${namespace}`

export const showPipelineDeployed = (form: DataForm, deployed: PipelineDeployed): RenderedView => {
  if (isData(form)) return { output: printData(form, PipelineDeployed, deployed) }
  const { isSkipped, page = '', run, status } = deployed
  const state = status === undefined ? '' : ` (${status})`
  const skipped = isSkipped ? [`there is a ${whatOf(deployed)} already${state}: nothing was started`] : []
  return { said: [...skipped, ...(run === undefined ? [] : saidOf(run, whatOf(deployed), page))] }
}

export const showPipelineDestroyed = (form: DataForm, destroyed: PipelineDestroyed): RenderedView =>
  isData(form)
    ? { output: printData(form, PipelineDestroyed, destroyed) }
    : { said: saidOf(destroyed.run, whatOf(destroyed), destroyed.page) }

export const showPipelineCancelled = (form: DataForm, cancelled: PipelineRun): RenderedView => {
  if (isData(form)) return { output: printData(form, PipelineCancelled, cancelled) }
  const { id, status } = cancelled.run
  const isOver = status !== 'queued' && status !== 'running'
  return { said: [isOver ? `run ${id} has ended already: ${status}` : `cancelling run ${id} of ${whatOf(cancelled)}`] }
}

export const showRunEnd = ({ run }: PipelineRun): RenderedView => ({ said: [endText(run)] })

/** The requested branch, and its commit. */
const shownBranch = (branch = '', commit = ''): string =>
  [visible(branch), commit.slice(0, 8)].filter((part) => part !== '').join(' ')

const shownRun = (run: RunRecord | undefined): string => (run === undefined ? '' : `${run.action} ${run.status}`)

export const showPipelines = (form: ListForm, list: PipelineList): RenderedView => {
  const { namespace, pipelines } = list
  if (isData(form)) return { output: printData(form, PipelineList, list) }
  if (form === 'name') return { output: lines(pipelines.map(({ name }) => name)) }
  if (pipelines.length === 0) return { said: [`no pipeline in namespace ${namespace}`] }
  const cells = pipelines.map(({ branch, commit, name, repository = '', run, status }) => [
    name,
    status,
    visible(repository),
    shownBranch(branch, commit),
    shownRun(run),
  ])
  return { output: printTable(['Name', 'Status', 'Repository', 'Branch', 'Last run'], cells) }
}

export const showPreviewDeployed = (form: DataForm, deployed: PreviewDeployed): RenderedView => {
  if (isData(form)) return { output: printData(form, PreviewDeployed, deployed) }
  const { page, preview, run } = deployed
  const isDone = run.status === 'succeeded'
  const next = isDone ? [`\`devtool preview endpoints ${preview.name}\` lists its addresses`] : []
  return { said: [...saidOf(run, `preview ${preview.name}`, page), ...next] }
}

export const showPreviewDestroyed = (form: DataForm, destroyed: PreviewDestroyed): RenderedView =>
  isData(form)
    ? { output: printData(form, PreviewDestroyed, destroyed) }
    : { said: [`destroyed preview ${destroyed.preview.name}`] }

const previewCells = (preview: ListedPreview): ReadonlyArray<string> => [
  preview.name,
  preview.scope,
  shownStatus(preview),
  preview.run?.status ?? '',
  visible(preview.repository),
  shownBranch(preview.branch),
  visible(preview.sourceUrl ?? ''),
]

export const showPreviews = (form: ListForm, list: PreviewList): RenderedView => {
  const { previews } = list
  if (isData(form)) return { output: printData(form, PreviewList, list) }
  if (form === 'name') return { output: lines(previews.map(({ name }) => name)) }
  if (previews.length === 0) return { said: ['no previews'] }
  return {
    output: printTable(
      ['Name', 'Scope', 'Status', 'Last run', 'Repository', 'Branch', 'Source'],
      previews.map(previewCells),
    ),
    said: showFailures(previews),
  }
}
