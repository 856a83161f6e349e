/** A queue of the files that the builder has requested, each of them once. */

export type RequestedFile = { readonly id: number; readonly path: string }

export type Requests = {
  readonly add: (file: RequestedFile) => void
  /** The next one; waits when the queue is empty. `undefined` when there will be no more. */
  readonly next: () => Promise<RequestedFile | undefined> | RequestedFile | undefined
  readonly end: () => void
}

export const openRequests = (): Requests => {
  let waiting: Array<RequestedFile> = []
  let taken = 0
  let isEnded = false
  let wake: Array<(file: RequestedFile | undefined) => void> = []
  return {
    add: (file) => {
      const waiter = wake.shift()
      if (waiter === undefined) waiting.push(file)
      else waiter(file)
    },
    next: () => {
      if (isEnded) return undefined
      const file = waiting[taken]
      if (file === undefined) return new Promise((resolve) => wake.push(resolve))
      taken += 1
      if (taken === waiting.length) {
        waiting = []
        taken = 0
      }
      return file
    },
    end: () => {
      isEnded = true
      for (const waiter of wake) waiter(undefined)
      wake = []
    },
  }
}
