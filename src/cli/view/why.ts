/** `why`: the causes for people, or as data. */
import { WhyReport } from '../../domain/why/report.ts'
import { showStory } from '../../domain/why/show.ts'
import type { DataForm } from '../flags/forms.ts'
import { isData, printData } from './data.ts'
import type { RenderedView } from './view.ts'

/** The output contains the findings already. */
export const showWhy = (form: DataForm, report: WhyReport): RenderedView => {
  const { namespace, skipped } = report
  const hidden = `not allowed to list ${skipped.join(', ')} in namespace ${namespace}: causes that only they show are missing`
  return {
    isShown: false,
    output: isData(form) ? printData(form, WhyReport, report) : showStory(report),
    said: skipped.length === 0 ? [] : [hidden],
  }
}
