/** `doctor`: the file that was written. */
import type { SupportReport } from '../../app/inspect/doctor.ts'
import type { RenderedView } from './view.ts'

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

export const showSupportReport = ({ environment, file, logs, objects }: SupportReport): RenderedView => ({
  output: `${file}\n`,
  said: [`a report on environment ${environment}: ${counted(objects, 'object')}, ${counted(logs, 'log')}, no secrets`],
})
