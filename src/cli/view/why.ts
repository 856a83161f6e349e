/** `why`: the causes for people, or as data. */

import { ifDefined } from '../../domain/object/defined.ts'
import { WhyReport } from '../../domain/why/report.ts'
import { showStory } from '../../domain/why/show.ts'
import type { Complete } from '../command.ts'
import type { DataForm } from '../flags/forms.ts'
import { isData, printData } from './data.ts'
import type { RenderedView } from './view.ts'

type FoundCause = WhyReport['causes'][number]

const asTheyAre: Complete = { command: (words) => words, text: (text) => text }

/** The output contains the causes and remarks already. */
export const showWhy = (form: DataForm, found: WhyReport, complete: Complete = asTheyAre): RenderedView => {
  const { causes, namespace, remarks, skipped } = found
  const withFlags = (cause: FoundCause): FoundCause => ({
    ...cause,
    ...ifDefined(cause.help, (help) => ({ help: complete.text(help) })),
    ...ifDefined(cause.next, (next) => ({ next: complete.command(next) })),
  })
  const report = { ...found, causes: causes.map(withFlags), remarks: remarks.map(withFlags) }
  const told = new Set([...causes, ...remarks].map(({ code }) => code))
  const hidden = `not allowed to list ${skipped.join(', ')} in namespace ${namespace}: causes that only they show are missing`
  return {
    isInOutput: ({ code }) => told.has(code),
    output: isData(form) ? printData(form, WhyReport, report) : showStory(report),
    said: skipped.length === 0 ? [] : [hidden],
  }
}
