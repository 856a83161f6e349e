/** The current user and machine. */

/** `who`: user and host, for people. `holder`: the same, and unique for this run. */
export type Machine = { readonly who: string; readonly holder: string; readonly host: string }
