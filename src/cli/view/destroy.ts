/** `destroy`: what was deleted or would be, as text or as data. */
import type { DestroyReport } from '../../app/destroy/destroy.ts'
import { showKey } from '../../domain/cluster/resources.ts'
import { countText, Destruction, destructionOf, showPlan } from '../../domain/destroy/show.ts'
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

export const showDestroyed = (form: DataForm, report: DestroyReport): RenderedView => {
  const { state } = report
  const data = isData(form) ? { output: printData(form, Destruction, destructionOf(report)) } : {}
  if (state === 'Nothing') {
    const { elsewhere } = report
    return { ...data, said: [nothing(report), ...(elsewhere === undefined ? [] : [elsewhere]), ...keptLines(report)] }
  }
  if (isData(form)) return data
  if (state === 'Previewed') return { output: showPlan(report), said: [countText(report)] }
  return { said: [destroyed(report), ...keptLines(report)] }
}
