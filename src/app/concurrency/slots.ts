/** A limit on how many tasks run at once; further ones wait for their turn. */

/** `onWait` is called whenever a task has to wait. */
export const slots = (atOnce: number, onWait: () => void): ((run: () => Promise<void>) => Promise<void>) => {
  let free = atOnce
  const queue: Array<() => void> = []
  const next = (): void => {
    const first = queue.shift()
    if (first === undefined) free += 1
    else first()
  }
  return async (run) => {
    if (free > 0) free -= 1
    else {
      onWait()
      await new Promise<void>((resolve) => queue.push(resolve))
    }
    try {
      await run()
    } finally {
      next()
    }
  }
}
