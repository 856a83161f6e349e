/** `down`, `restart` and `status`: development containers, as text or as data. */
import {
  type DevelopedWorkload,
  DevStatusList,
  type FolderStatus,
  RestartedList,
  RestoredList,
} from '../../domain/dev/listing.ts'
import { printTable } from '../../domain/print/table.ts'
import { listed } from '../../domain/text/listed.ts'
import { showAge } from '../../domain/text/moment.ts'
import type { DataForm } from '../flags/forms.ts'
import { isData, printData } from './data.ts'
import type { RenderedView } from './view.ts'

const line = ({ dev, kind, name }: DevelopedWorkload, what: string): string => `${dev}: ${kind}/${name} ${what}`

export const showTakenDown = (form: DataForm, list: RestoredList): RenderedView => {
  if (isData(form)) return { output: printData(form, RestoredList, list) }
  // The progress has already shown the restored ones.
  const kept = list.kept.map((one) => line(one, 'is developed by somebody else, and left'))
  const deleted = list.claims.map((claim) => `PersistentVolumeClaim/${claim} is deleted`)
  if (kept.length + deleted.length > 0 || list.restored.length > 0) return { said: [...kept, ...deleted] }
  const [first] = list.others
  if (first === undefined) return { said: ['no development container is active: nothing to do'] }
  const names = listed(list.others.map(({ dev }) => dev))
  return {
    said: [
      `nothing to do here: of this namespace, ${names} ${list.others.length === 1 ? 'is' : 'are'} active; \`devtool down ${first.dev}\` ends one`,
    ],
  }
}

export const showRestarted = (form: DataForm, list: RestartedList): RenderedView =>
  isData(form)
    ? { output: printData(form, RestartedList, list) }
    : { said: list.restarted.map((one) => line(one, 'restarts')) }

/** The progress of the folder that is furthest behind. */
const showPercent = (folders: ReadonlyArray<{ readonly percent: number }>): string => {
  const [least] = folders.map(({ percent }) => percent).toSorted((a, b) => a - b)
  return least === undefined ? '-' : `${least} %`
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

const mostLines = 5

/** Everything that needs the user's attention. */
const showFolders = (dev: string, folders: ReadonlyArray<FolderStatus>): string =>
  folders
    .flatMap(({ conflicts, local, problems, question, remote }) => {
      const more = problems.length - mostLines
      const lines = [
        ...(question === undefined
          ? []
          : [`${question}: \`devtool sync allow ${dev}\` or \`devtool sync refuse ${dev}\``]),
        ...(conflicts.length === 0 ? [] : [`${counted(conflicts.length, 'conflict')}: \`devtool sync conflicts\``]),
        ...problems.slice(0, mostLines),
        ...(more > 0 ? [`${more} more: \`devtool status ${dev} -o json\``] : []),
      ]
      return lines.length === 0 ? [] : [`\n${dev}: ${local} <-> ${remote}\n`, ...lines.map((one) => `  ${one}\n`)]
    })
    .join('')

const showInfo = (dev: string, folders: ReadonlyArray<FolderStatus>): string =>
  folders
    .flatMap(({ info, local, remote }) =>
      info === undefined
        ? []
        : [
            `\n${dev}: ${local} <-> ${remote}\n`,
            `  Local synchronisation URL:  ${info.local}\n`,
            `  Remote synchronisation URL: ${info.remote}\n`,
            `  Username:                   ${info.username}\n`,
            `  Password:                   ${info.password}\n`,
          ],
    )
    .join('')

export const devStatusText = (form: DataForm, list: DevStatusList, now: string): string => {
  if (isData(form)) return printData(form, DevStatusList, list)
  const rows = list.devs.map(({ dev, folders, kind, name, pod, reason, restarts, session, since, state, user }) => [
    dev,
    `${kind}/${name}`,
    reason === '' ? state : `${state} (${reason})`,
    showPercent(folders),
    session,
    String(restarts),
    showAge(since, now),
    user,
    pod,
  ])
  // A narrow terminal cuts off the last column.
  const table = printTable(['NAME', 'WORKLOAD', 'STATE', 'FILES', 'SESSION', 'RESTARTS', 'AGE', 'USER', 'POD'], rows)
  return table + list.devs.map(({ dev, folders }) => showFolders(dev, folders) + showInfo(dev, folders)).join('')
}

export const showDevStatus = (form: DataForm, list: DevStatusList, now: string): RenderedView => ({
  output: devStatusText(form, list, now),
})
