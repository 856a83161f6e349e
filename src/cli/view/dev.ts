/** `down`, `restart` and `status`: development containers, as text or as data. */
import { type DevelopedWorkload, DevStatusList, RestartedList, RestoredList } from '../../domain/dev/listing.ts'
import { printTable } from '../../domain/print/table.ts'
import type { DataForm } from '../flags/forms.ts'
import { isData, printData } from './data.ts'
import type { RenderedView } from './view.ts'

const line = ({ dev, kind, name }: DevelopedWorkload, what: string): string => `${dev}: ${kind}/${name} ${what}`

export const showTakenDown = (form: DataForm, list: RestoredList): RenderedView => {
  if (isData(form)) return { output: printData(form, RestoredList, list) }
  const lines = [
    ...list.restored.map((one) => line(one, 'is restored')),
    ...list.kept.map((one) => line(one, 'is developed by somebody else, and left')),
  ]
  return { said: lines.length === 0 ? ['no development container is active: nothing to do'] : lines }
}

export const showRestarted = (form: DataForm, list: RestartedList): RenderedView =>
  isData(form)
    ? { output: printData(form, RestartedList, list) }
    : { said: list.restarted.map((one) => line(one, 'restarts')) }

export const showDevStatus = (form: DataForm, list: DevStatusList): RenderedView => {
  if (isData(form)) return { output: printData(form, DevStatusList, list) }
  const rows = list.devs.map(({ dev, kind, name, pod, reason, restarts, since, state, user }) => [
    dev,
    `${kind}/${name}`,
    reason === '' ? state : `${state} (${reason})`,
    String(restarts),
    pod,
    user,
    since,
  ])
  return { output: printTable(['NAME', 'WORKLOAD', 'STATE', 'RESTARTS', 'POD', 'USER', 'SINCE'], rows) }
}
