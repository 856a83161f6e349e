/** The port `Clock` over the clocks of this machine. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../ports/clock.ts'

export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => `${new Date().toISOString().slice(0, 19)}Z`,
  sleep: async (ms, signal) => {
    await pause(ms, undefined, signal === undefined ? {} : { signal }).catch(() => {})
  },
}
