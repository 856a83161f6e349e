/** `destroy`: what was deleted or would be, as text or as data. */
import type { DestroyReport } from '../../app/destroy/report.ts'
import { showKey } from '../../domain/cluster/resources.ts'
import { countText, Destruction, destructionOf, showPlan } from '../../domain/destroy/show.ts'
import { defined } from '../../domain/object/defined.ts'
import type { DataForm } from '../flags/forms.ts'
import { isData, printData } from './data.ts'
import type { RenderedView } from './view.ts'

const whereOf = ({ environment, isAll, namespace }: DestroyReport): string =>
  isAll ? `namespace ${namespace}` : `environment ${environment} in namespace ${namespace}`

const keptLines = ({ kept }: DestroyReport): ReadonlyArray<string> =>
  kept.map(({ because, target }) => `kept ${showKey(target)}: ${because}`)

const nothing = (report: DestroyReport): string =>
  report.isAll ? `nothing to destroy in ${whereOf(report)}` : `nothing to destroy: there is no ${whereOf(report)}`

const destroyed = (report: DestroyReport): string => {
  const { deletions, state } = report
  const count = `${deletions.length} object${deletions.length === 1 ? '' : 's'}`
  return `destroyed ${whereOf(report)}: ${count} ${state === 'Deleted' ? 'deleted' : 'marked for deletion'}`
}

const saidOf = (report: DestroyReport): ReadonlyArray<string> => {
  const { elsewhere, state } = report
  switch (state) {
    case 'Nothing':
      return [nothing(report), ...(elsewhere === undefined ? [] : [elsewhere]), ...keptLines(report)]
    case 'Previewed':
      return [countText(report)]
    case 'Deleted':
    case 'Marked':
      return [destroyed(report), ...keptLines(report)]
  }
}

/** An environment, and the dependencies that were destroyed with it. */
export const showDestroyed = (form: DataForm, report: DestroyReport): RenderedView => {
  const { along = [] } = report
  if (isData(form)) {
    const dependencies = along.length === 0 ? undefined : along.map(destructionOf)
    const output = printData(form, Destruction, { ...destructionOf(report), ...defined({ dependencies }) })
    return { output, said: report.state === 'Nothing' ? saidOf(report) : [] }
  }
  const all = [report, ...along]
  const previewed = all.filter(({ state }) => state === 'Previewed')
  return { output: previewed.map(showPlan).join(''), said: all.flatMap(saidOf) }
}
