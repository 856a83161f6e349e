/** `why`: the causes as people read them, or as data. */
import { WhyReport } from '../../domain/why/report.ts'
import { showStory } from '../../domain/why/show.ts'
import type { DataForm } from '../flags/forms.ts'
import { isData, printData } from './data.ts'
import type { RenderedView } from './view.ts'

/** What is wrong stands in the output. */
export const showWhy = (form: DataForm, report: WhyReport): RenderedView => {
  const { namespace, skipped } = report
  const hidden = `not allowed to list ${skipped.join(', ')} in namespace ${namespace}: causes that only they show are missing`
  return {
    isShown: false,
    output: isData(form) ? printData(form, WhyReport, report) : showStory(report),
    said: skipped.length === 0 ? [] : [hidden],
  }
}
