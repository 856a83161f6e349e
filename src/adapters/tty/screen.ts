/** What progress is written to, and how wide it is. */

/** `columns` and `rows` are read anew for each look, so that they may change; absent when it is no terminal. */
type Screen = {
  readonly write: (text: string) => unknown
  readonly columns?: number
  readonly rows?: number
}

export type ScreenFrame = { readonly screen: Screen; readonly isTerminal: boolean; readonly color: boolean }
