/** `sync`: kept copies and conflicts, as tables or data. */
import type { AnsweredDeletions } from '../../app/sync/answer.ts'
import { mountedThere } from '../../domain/ignore/sync-rules.ts'
import { printTable } from '../../domain/print/table.ts'
import { showSize } from '../../domain/progress/size.ts'
import { ConflictList, KeptList, PathExplanation, RestoredFiles } from '../../domain/sync/listing.ts'
import { showChoices, showDeletions } from '../../domain/sync/notice.ts'
import { showAge } from '../../domain/text/moment.ts'
import type { DataForm } from '../flags/forms.ts'
import { isData, printData } from './data.ts'
import type { RenderedView } from './view.ts'

export const showKept = (form: DataForm, list: KeptList, now: string): RenderedView => {
  if (isData(form)) return { output: printData(form, KeptList, list) }
  if (list.kept.length === 0) return { said: ['nothing was overwritten or deleted here in the last 7 days'] }
  const rows = list.kept.map(({ dev, name, path, size, when }) => [path, showAge(when, now), showSize(size), dev, name])
  return { output: printTable(['PATH', 'AGE', 'SIZE', 'CONTAINER', 'NAME'], rows) }
}

export const showRestored = (form: DataForm, list: RestoredFiles): RenderedView => {
  if (isData(form)) return { output: printData(form, RestoredFiles, list) }
  const lines = [
    ...list.restored.map(({ path }) => `${path} is restored`),
    ...list.same.map(({ path }) => `${path} is there already`),
    ...list.left.map(({ path }) => `${path} has another content, and is left`),
  ]
  return { said: lines }
}

export const showConflicts = (form: DataForm, list: ConflictList): RenderedView => {
  if (isData(form)) return { output: printData(form, ConflictList, list) }
  if (list.conflicts.length === 0) return { said: ['there are no conflict copies'] }
  const rows = list.conflicts.map(({ copy, dev, path }) => [path, copy, dev])
  return { output: printTable(['PATH', 'COPY', 'CONTAINER'], rows) }
}

const ruleText = ({ file, line, pattern }: PathExplanation): string => {
  if (file === undefined) return 'no rule is about it'
  if (file === mountedThere) return `something else is mounted at ${pattern} in the container`
  return file === 'default' ? `devtool leaves out ${pattern}` : `${file}:${line}: ${pattern}`
}

export const showExplained = (form: DataForm, found: PathExplanation): RenderedView => {
  if (isData(form)) return { output: printData(form, PathExplanation, found) }
  const { above, ignored, path } = found
  const through = above === undefined ? '' : `, since ${above} is`
  return { output: `${path} is ${ignored ? `left out${through}` : 'synchronised'} (${ruleText(found)})\n` }
}

const showAnswered =
  (answered: 'allow' | 'refuse') =>
  ({ folder: { dev }, question }: AnsweredDeletions): RenderedView => ({
    said: [`${dev}: ${showDeletions(question)}: \`up\` ${showChoices(question)[answered]}`],
  })

export const showAllowed = showAnswered('allow')
export const showRefused = showAnswered('refuse')
