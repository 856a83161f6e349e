/** The terminal that progress is written to. */

/** `columns` and `rows` are read each time, since they may change; absent when it is not a terminal. */
type Screen = {
  readonly write: (text: string) => unknown
  readonly columns?: number | undefined
  readonly rows?: number | undefined
}

export type ScreenFrame = { readonly screen: Screen; readonly isTerminal: boolean; readonly color: boolean }
