/** Closes resources of a test when it ends, even when it fails: otherwise the process of a test file would not end. */

type Closable = { readonly close: () => unknown }
type Suite = { readonly after: { readonly each: (hook: () => Promise<void>) => void } }

/** Returns its argument, which is closed after the test, the newest first. */
export const closedAfterEach = (test: Suite): (<A extends Closable>(made: A) => A) => {
  const open: Array<Closable> = []
  test.after.each(async () => {
    for (const made of open.splice(0).toReversed()) await made.close()
  })
  return (made) => {
    open.push(made)
    return made
  }
}
