/** The keys that leave a command which goes on without its terminal: Ctrl-P, then Ctrl-Q, as in Docker. */

const [first, second] = [16, 17]

/** `passed`: what the command gets; of Ctrl-P alone not before the next key. */
export type Detaching = { readonly passed: Uint8Array; readonly isHalf: boolean; readonly isLeft: boolean }

export const detachAfter = (wasHalf: boolean, typed: Uint8Array): Detaching => {
  const passed: Array<number> = []
  let isHalf = wasHalf
  for (const byte of typed) {
    if (isHalf && byte === second) return { passed: Uint8Array.from(passed), isHalf: false, isLeft: true }
    if (isHalf) passed.push(first)
    isHalf = byte === first
    if (!isHalf) passed.push(byte)
  }
  return { passed: Uint8Array.from(passed), isHalf, isLeft: false }
}
