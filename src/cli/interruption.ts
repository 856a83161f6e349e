/**
 * Ctrl-C and `kill`. A process without handlers is ended by the system, whatever it is doing, and so are commands that have
 * nothing to put in order. Those that have ask for the signal; a second one ends them at once.
 */
import { setMaxListeners } from 'node:events'

type Interruption = {
  readonly signal: () => AbortSignal
  /** Without handlers while it runs: code that computes would hear of a signal only at its end. */
  readonly computing: <A>(run: () => Promise<A>) => Promise<A>
  /** That of the signal that came. */
  readonly status: () => number | undefined
}

const statuses = { SIGINT: 130, SIGTERM: 143 } as const

export const watchInterruption = (): Interruption => {
  const controller = new AbortController()
  // Every request in flight listens; that many are no leak.
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
