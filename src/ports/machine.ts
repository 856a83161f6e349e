/** Who and where we are. */

/** `who`: user and host, for people. `holder`: the same and what makes this run the only one. */
export type Machine = { readonly who: string; readonly holder: string }
