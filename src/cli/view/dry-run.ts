/** `deploy --dry-run`: the manifests in pieces, the steps of the plan, or the comparison with a golden file. */
import type { DryRun } from '../../app/project/dry-run.ts'
import type { GoldenState } from '../../app/project/golden.ts'
import { manifestPieces } from '../../domain/plan/manifests.ts'
import { showPlan } from '../../domain/plan/show.ts'
import type { RenderedView } from './view.ts'

const showGolden = (golden: GoldenState): RenderedView => {
  switch (golden._tag) {
    case 'Written':
      return { said: [`wrote ${golden.file}`] }
    case 'Same':
      return { said: [`${golden.file} matches`] }
    case 'Different':
      return { output: golden.diff }
  }
}

const showFiled = (folder: string, changed: number): string =>
  changed === 0 ? `${folder} is up to date` : `${changed} ${changed === 1 ? 'file' : 'files'} changed in ${folder}`

export const showDryRun = (form: 'yaml' | 'plan', run: DryRun, showSecrets: boolean): RenderedView => {
  if (run._tag === 'Compared') return showGolden(run.golden)
  if (run._tag === 'Filed') return { said: [showFiled(run.folder, run.changed.length)] }
  const { images, plan } = run.planned
  return { output: form === 'plan' ? showPlan(plan, images) : manifestPieces(plan, showSecrets) }
}
