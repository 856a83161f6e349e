/** The keys that leave a terminal whose connection is lost: Enter, tilde, full stop, as in OpenSSH. */

/** How much of it has been typed. */
export type Escape = 'None' | 'Enter' | 'Tilde' | 'Whole'

const [newline, carriageReturn, tilde, stop] = [10, 13, 126, 46]

const isEnter = (byte: number): boolean => byte === newline || byte === carriageReturn

const after = (typed: Escape, byte: number): Escape => {
  if (typed === 'Whole') return typed
  if (typed === 'Enter' && byte === tilde) return 'Tilde'
  if (typed === 'Tilde' && byte === stop) return 'Whole'
  return isEnter(byte) ? 'Enter' : 'None'
}

export const escapeAfter = (typed: Escape, bytes: Uint8Array): Escape => bytes.reduce(after, typed)
