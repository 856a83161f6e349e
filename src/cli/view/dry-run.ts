/** `deploy --dry-run`: the manifests in pieces, what is done when, or how they differ from a golden file. */
import type { DryRun } from '../../app/project/dry-run.ts'
import { manifestPieces } from '../../domain/plan/manifests.ts'
import { showPlan } from '../../domain/plan/show.ts'
import type { RenderedView } from './view.ts'

export const showDryRun = (form: 'yaml' | 'plan', run: DryRun, showSecrets: boolean): RenderedView => {
  if (run._tag === 'Compared') return { output: run.diff }
  const { images, plan } = run.planned
  return { output: form === 'plan' ? showPlan(plan, images) : manifestPieces(plan, showSecrets) }
}
