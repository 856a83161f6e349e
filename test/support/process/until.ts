/** Waits for a condition. */
import { setTimeout as sleep } from 'node:timers/promises'

/** However long one poll takes: a paused machine makes no test fail. */
const longestPollMs = 2000

/** `what`: a function is called once waiting has failed, to tell what was seen last. */
export const until = async (
  what: string | (() => string),
  holds: () => boolean | Promise<boolean>,
  patienceMs = 300_000,
): Promise<void> => {
  for (let left = patienceMs; left > 0; ) {
    const begin = performance.now()
    if (await holds()) return
    await sleep(50)
    left -= Math.min(performance.now() - begin, longestPollMs)
  }
  throw new Error(`it never came: ${typeof what === 'string' ? what : what()}`)
}
