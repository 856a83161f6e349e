/** A barrier: tasks wait here for each other before they go on. */
import type { Task } from 'fp-ts/lib/Task.js'

/** `arrive` waits for all that have neither arrived nor left. */
export const meeting = (count: number): { readonly arrive: Task<void>; readonly leave: () => void } => {
  let missing = count
  let open = (): void => {}
  const met = new Promise<void>((resolve) => {
    open = resolve
  })
  const less = (): void => {
    missing -= 1
    if (missing === 0) open()
  }
  return {
    arrive: () => {
      less()
      return met
    },
    // A task that has arrived is no longer counted either way.
    leave: less,
  }
}
