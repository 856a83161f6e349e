/**
 * Handles Ctrl-C and `kill`. Without handlers the system ends the process at once, which is right for commands with
 * nothing to clean up. Others ask for the signal; a second one ends them at once.
 */
import { setMaxListeners } from 'node:events'

type Interruption = {
  readonly signal: () => AbortSignal
  /** Removes the handlers while it runs: during a computation they would be called only at its end. */
  readonly computing: <A>(run: () => Promise<A>) => Promise<A>
  /** The exit status for the signal that came. */
  readonly status: () => number | undefined
}

const statuses = { SIGINT: 130, SIGTERM: 143 } as const

export const watchInterruption = (): Interruption => {
  const controller = new AbortController()
  // All requests in flight listen to it; that many listeners are no leak.
  setMaxListeners(0, controller.signal)
  let [isUsed, isComputing] = [false, false]
  let status: number | undefined
  const onSignal = (name: 'SIGINT' | 'SIGTERM'): void => {
    if (status !== undefined) process.exit(statuses[name])
    status = statuses[name]
    controller.abort()
  }
  const handle = (isHandled: boolean): void => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.off(name, onSignal)
      if (isHandled) process.on(name, onSignal)
    }
  }
  return {
    signal: () => {
      isUsed = true
      handle(!isComputing)
      return controller.signal
    },
    computing: async (run) => {
      isComputing = true
      handle(false)
      try {
        return await run()
      } finally {
        isComputing = false
        handle(isUsed)
      }
    },
    status: () => status,
  }
}
