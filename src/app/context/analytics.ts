/** `analytics`: says and changes whether anything may be sent. */
import * as E from 'fp-ts/lib/Either.js'
import { ANALYTICS_FILE, readAnalytics, writeAnalytics } from '../../domain/analytics/setting.ts'
import type { Variables } from '../../domain/yaml/interpolate.ts'
import type { Ports } from '../../ports/ports.ts'
import { printData } from '../output/data.ts'
import type { DataForm } from '../output/forms.ts'
import type { Outcome } from '../output/outcome.ts'

/** `change`: absent only asks. */
export type SetAnalytics = {
  readonly change?: 'Enable' | 'Disable'
  readonly output: DataForm
  readonly variables: Variables
}

export const analytics =
  ({ home }: Pick<Ports, 'home'>) =>
  async ({ change, output, variables }: SetAnalytics): Promise<Outcome> => {
    if (change !== undefined) {
      const changed = await home.change(ANALYTICS_FILE, (text) => writeAnalytics(text, change === 'Enable'))()
      if (E.isLeft(changed)) return { findings: [changed.left] }
    }
    const text = await home.read(ANALYTICS_FILE)()
    if (E.isLeft(text)) return { findings: [text.left] }
    const read = readAnalytics(text.right, variables)
    if (E.isLeft(read)) return { findings: [read.left] }
    const { because, enabled } = read.right
    if (output !== 'text') return { findings: [], output: printData(output, { ...read.right, isSending: false }) }
    const cause = because === undefined ? '' : ` by ${because}`
    const consequence = enabled ? '; no collector is configured, so nothing is sent' : ''
    return { findings: [], output: `analytics are switched ${enabled ? 'on' : 'off'}${cause}${consequence}\n` }
  }
