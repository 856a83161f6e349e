/**
 * The only place that handles signals: Ctrl-C, `kill`, and a closed terminal. Without handlers the system ends the
 * process at once, which is right for commands with nothing to clean up. Other commands use the abort signal, whose
 * reason is the name of the system's signal; a second one ends them at once.
 */
import { setMaxListeners } from 'node:events'
import { setImmediate } from 'node:timers/promises'

type Interruption = {
  readonly signal: () => AbortSignal
  /** Whether the abort signal was requested. */
  readonly isUsed: () => boolean
  /**
   * Removes the handlers while it runs: during a computation they would only be called at its end. After a signal the
   * process ends instead.
   */
  readonly computing: <A>(run: () => Promise<A>) => Promise<A>
  /** Leaves Ctrl-C to the program that has the terminal, until the returned function is called. */
  readonly lend: () => () => void
  /** The exit status for the signal that came. */
  readonly status: () => number | undefined
}

const statuses = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

type Name = keyof typeof statuses

/** The exit status for the signal that aborted `signal`. */
export const statusAfter = ({ aborted, reason }: AbortSignal): number | undefined =>
  aborted ? statuses[names.find((name) => name === reason) ?? 'SIGINT'] : undefined

const names: ReadonlyArray<Name> = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** A signal that arrived while code was running is still to be delivered, and would be lost without its handler. */
const delivered = async (): Promise<void> => {
  // The event loop polls for signals between the first turn and the second.
  for (let turn = 0; turn < 2; turn += 1) await setImmediate()
}

export const watchInterruption = (): Interruption => {
  let controller: AbortController | undefined
  let isComputing = false
  let isLent = false
  let status: number | undefined
  const onSignal = (name: Name): void => {
    if (isLent && name === 'SIGINT') return
    if (status !== undefined) process.exit(statuses[name])
    status = statuses[name]
    controller?.abort(name)
  }
  let hasHandlers = false
  const handle = (isHandled: boolean): void => {
    // Handlers that are replaced lose a signal that is still to be delivered.
    if (isHandled === hasHandlers) return
    hasHandlers = isHandled
    for (const name of names) {
      process.off(name, onSignal)
      if (isHandled) process.on(name, onSignal)
    }
  }
  return {
    signal: () => {
      if (controller === undefined) {
        controller = new AbortController()
        // All requests in flight listen to it; that many listeners are no leak.
        setMaxListeners(0, controller.signal)
      }
      handle(!isComputing)
      return controller.signal
    },
    isUsed: () => controller !== undefined,
    computing: async (run) => {
      if (controller !== undefined) await delivered()
      if (status !== undefined) process.exit(status)
      isComputing = true
      handle(false)
      try {
        return await run()
      } finally {
        isComputing = false
        handle(controller !== undefined)
      }
    },
    lend: () => {
      isLent = true
      return () => {
        isLent = false
      }
    },
    status: () => status,
  }
}
