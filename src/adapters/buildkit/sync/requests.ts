/** A queue of file numbers that the builder has requested. */

export type Requests = {
  readonly add: (id: number) => void
  /** The next one; waits when the queue is empty. `undefined` when there will be no more. */
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
