/** What progress is written to, and what wakes it. */

/** `columns` and `rows` are read anew for each look, so that they may change; absent when it is no terminal. */
type Screen = {
  readonly write: (text: string) => unknown
  readonly columns?: number
  readonly rows?: number
}

export type Shown = { readonly screen: Screen; readonly isTerminal: boolean; readonly color: boolean }

/** Calls `f` every so many milliseconds, without keeping the process alive, until the returned function is called. */
export type Every = (ms: number, f: () => void) => () => void

export const timer: Every = (ms, f) => {
  const handle = setInterval(f, ms)
  handle.unref()
  return () => clearInterval(handle)
}
