/** What commands print about pipelines and previews. */
import * as t from 'io-ts'
import { type DataOf, document } from '../../print/document.ts'
import { RunLine } from '../run/log.ts'
import { RunRecord } from '../run/record.ts'
import { ListedPreview } from './preview-routes.ts'
import { Pipeline } from './run-routes.ts'

const where = {
  namespace: [t.string, 'the namespace'],
  pipeline: [t.string, 'name of the pipeline'],
} as const

const page = [t.string, 'address of the page of the run'] as const

export const PipelineDeployed = document(
  'pipeline deploy',
  'The run that deploys a pipeline.',
  { ...where, isSkipped: [t.boolean, 'with `--skip-if-exists`: whether nothing was started'] },
  {
    run: [RunRecord, 'the run; with `--wait` as it ended'],
    page,
    status: [t.string, 'with `--skip-if-exists`: that of the pipeline that exists'],
  },
)
export type PipelineDeployed = DataOf<typeof PipelineDeployed>

const run = { ...where, run: [RunRecord, 'the run; with `--wait` as it ended'] } as const

export const PipelineDestroyed = document('pipeline destroy', 'The run that destroys a pipeline.', { ...run, page })
export const PipelineCancelled = document('pipeline cancel', 'The run that is cancelled.', {
  ...where,
  run: [RunRecord, 'the run, as it was'],
})
/** A run of a pipeline. */
export type PipelineRun = DataOf<typeof PipelineCancelled>
export type PipelineDestroyed = DataOf<typeof PipelineDestroyed>

export const RunLogLine = document('pipeline logs', 'One document per line of the log.', RunLine.required)

export const PipelineList = document('pipeline list', 'The pipelines of a namespace.', {
  namespace: where.namespace,
  pipelines: [t.readonlyArray(Pipeline), 'by name'],
})
export type PipelineList = DataOf<typeof PipelineList>

export const PreviewDeployed = document('preview deploy', 'A preview, and the run that deploys it.', {
  preview: [ListedPreview, 'the preview'],
  run: [RunRecord, 'the run; with `--wait` as it ended'],
  page,
})
export type PreviewDeployed = DataOf<typeof PreviewDeployed>

export const PreviewDestroyed = document('preview destroy', 'A preview that is gone.', {
  preview: [ListedPreview, 'the preview, as it was'],
})
export type PreviewDestroyed = DataOf<typeof PreviewDestroyed>

export const PreviewList = document('preview list', 'Your previews.', {
  previews: [t.readonlyArray(ListedPreview), 'by name'],
})
export type PreviewList = DataOf<typeof PreviewList>
