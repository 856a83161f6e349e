/** Numbers of files that a builder asked for and nobody has begun to send. */

export type Requests = {
  readonly add: (id: number) => void
  /** The next one; waits when there is none. `undefined`: there will be none. */
  readonly next: () => Promise<number | undefined> | number | undefined
  readonly end: () => void
}

export const openRequests = (): Requests => {
  let waiting: Array<number> = []
  let taken = 0
  let isEnded = false
  let wake: Array<(id: number | undefined) => void> = []
  return {
    add: (id) => {
      const waiter = wake.shift()
      if (waiter === undefined) waiting.push(id)
      else waiter(id)
    },
    next: () => {
      if (isEnded) return undefined
      const id = waiting[taken]
      if (id === undefined) return new Promise((resolve) => wake.push(resolve))
      taken += 1
      if (taken === waiting.length) {
        waiting = []
        taken = 0
      }
      return id
    },
    end: () => {
      isEnded = true
      for (const waiter of wake) waiter(undefined)
      wake = []
    },
  }
}
