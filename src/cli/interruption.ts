/** Ctrl-C and `kill`: who asked for the signal may end in order, everybody else ends at once, and so does the second time. */
import { setMaxListeners } from 'node:events'

/** `status`: that of the signal that came. */
type Interruption = { readonly signal: () => AbortSignal; readonly status: () => number | undefined }

/** From now on the process is ended here: 130 for SIGINT, 143 for SIGTERM. */
export const watchInterruption = (): Interruption => {
  const controller = new AbortController()
  // Every request in flight listens; that many are no leak.
  setMaxListeners(0, controller.signal)
  let isUsed = false
  let status: number | undefined
  const end = (code: number) => (): void => {
    if (!isUsed || status !== undefined) process.exit(code)
    status = code
    controller.abort()
  }
  process.on('SIGINT', end(130))
  process.on('SIGTERM', end(143))
  return {
    signal: () => {
      isUsed = true
      return controller.signal
    },
    status: () => status,
  }
}
