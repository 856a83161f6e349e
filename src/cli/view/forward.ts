/** `forward`: where this machine listens, as text or as data. */
import { ForwardList } from '../../domain/forward/document.ts'
import type { DataForm } from '../flags/forms.ts'
import { isData, printData } from './data.ts'

export const showForwards = (form: DataForm, list: ForwardList): string =>
  isData(form)
    ? printData(form, ForwardList, list)
    : list.forwards.map(({ address, port }) => `${address} -> ${list.service}:${port}\n`).join('')
