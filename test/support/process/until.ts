/** Waits for a condition. */
import { setTimeout as sleep } from 'node:timers/promises'

/** However long one poll takes: a paused machine makes no test fail. */
const longestPollMs = 2000

export const until = async (
  what: string,
  holds: () => boolean | Promise<boolean>,
  patienceMs = 120_000,
): Promise<void> => {
  for (let left = patienceMs; left > 0; ) {
    const begin = performance.now()
    if (await holds()) return
    await sleep(50)
    left -= Math.min(performance.now() - begin, longestPollMs)
  }
  throw new Error(`it never came: ${what}`)
}
