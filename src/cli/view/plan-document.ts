/**
 * `deploy --dry-run -o json`, separate from other dry runs: the codec of a plan is large, and most of them print YAML.
 */
import type { DryRun } from '../../app/project/dry-run.ts'
import { PlanDocument, planDocument } from '../../domain/plan/document.ts'
import { printData } from './data.ts'
import { showDryRun } from './dry-run.ts'
import type { RenderedView } from './view.ts'

export const showPlanDocument = (run: DryRun, showSecrets: boolean): RenderedView =>
  run._tag === 'Planned'
    ? { output: printData('json', PlanDocument, planDocument(run.planned, showSecrets)) }
    : showDryRun('yaml', run, showSecrets)
