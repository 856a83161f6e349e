/** `analytics`: shows and changes whether usage data may be sent. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { ANALYTICS_FILE, type AnalyticsSetting, readAnalytics, writeAnalytics } from '../../domain/analytics/setting.ts'
import type { Variables } from '../../domain/yaml/interpolate.ts'
import type { Ports } from '../../ports/ports.ts'
import { answer, type Result } from '../result.ts'

/** Without `change`, the setting is only shown. */
export type SetAnalytics = {
  readonly change?: 'Enable' | 'Disable'
  readonly variables: Variables
}

export const analytics =
  ({ home }: Pick<Ports, 'home'>) =>
  ({ change, variables }: SetAnalytics): Promise<Result<AnalyticsSetting>> => {
    const set = (enabled: boolean) => home.change(ANALYTICS_FILE, (text) => writeAnalytics(text, enabled))
    const setting = pipe(
      change === undefined ? TE.of(undefined) : set(change === 'Enable'),
      TE.flatMap(() => home.read(ANALYTICS_FILE)),
      TE.flatMapEither((text) => readAnalytics(text, variables)),
      TE.map((read) => ({ findings: [], value: { ...read, isSending: false } })),
    )
    return answer(setting)
  }
