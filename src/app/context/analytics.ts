/** `analytics`: says and changes whether anything may be sent. */
import * as E from 'fp-ts/lib/Either.js'
import { ANALYTICS_FILE, type AnalyticsSetting, readAnalytics, writeAnalytics } from '../../domain/analytics/setting.ts'
import type { Variables } from '../../domain/yaml/interpolate.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Result } from '../result.ts'

/** `change`: absent only asks. */
export type SetAnalytics = {
  readonly change?: 'Enable' | 'Disable'
  readonly variables: Variables
}

export const analytics =
  ({ home }: Pick<Ports, 'home'>) =>
  async ({ change, variables }: SetAnalytics): Promise<Result<AnalyticsSetting>> => {
    if (change !== undefined) {
      const changed = await home.change(ANALYTICS_FILE, (text) => writeAnalytics(text, change === 'Enable'))()
      if (E.isLeft(changed)) return { findings: [changed.left] }
    }
    const text = await home.read(ANALYTICS_FILE)()
    if (E.isLeft(text)) return { findings: [text.left] }
    const read = readAnalytics(text.right, variables)
    if (E.isLeft(read)) return { findings: [read.left] }
    const { because, enabled } = read.right
    return { findings: [], value: { enabled, ...(because === undefined ? {} : { because }), isSending: false } }
  }
