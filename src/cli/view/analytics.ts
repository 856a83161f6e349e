/** `analytics`: whether usage data may be sent. */
import { AnalyticsSetting } from '../../domain/analytics/setting.ts'
import type { DataForm } from '../flags/forms.ts'
import { isData, printData } from './data.ts'
import type { RenderedView } from './view.ts'

export const showAnalytics = (form: DataForm, setting: AnalyticsSetting): RenderedView => {
  if (isData(form)) return { output: printData(form, AnalyticsSetting, setting) }
  const { because, enabled } = setting
  const cause = because === undefined ? '' : ` by ${because}`
  const consequence = enabled ? '; no collector is configured, so nothing is sent' : ''
  return { output: `analytics are switched ${enabled ? 'on' : 'off'}${cause}${consequence}\n` }
}
