/**
 * The code that a person types to log in a terminal on another machine: letters that are not easily confused, the last
 * of which is a check letter.
 */

const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8

/** How many random bytes a code is made of. */
export const USER_CODE_BYTES = 16

/** A single wrong letter, or two neighbours exchanged, give another check letter. */
const checkOf = (letters: string): string => {
  let sum = 0
  for (const letter of letters) sum = (sum * 3 + LETTERS.indexOf(letter) + 1) % 19
  return LETTERS.charAt(sum)
}

/** Like `BCDF-GHJK`. */
export const showUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

export const userCodeFrom = (bytes: Uint8Array): string => {
  let value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  let letters = ''
  for (let at = 1; at < LENGTH; at += 1) {
    letters += LETTERS.charAt(Number(value % BigInt(LETTERS.length)))
    value /= BigInt(LETTERS.length)
  }
  return letters + checkOf(letters)
}

/** Accepts the code as people write it; `undefined` for an invalid one. Law: reads what `showUserCode` shows. */
export const readUserCode = (text: string): string | undefined => {
  const code = text.toUpperCase().replaceAll(/[\s-]/g, '')
  const isCode = /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/.test(code)
  return isCode && checkOf(code.slice(0, -1)) === code.at(-1) ? code : undefined
}
