/**
 * API tokens: `dvt_<id>_<secret><checksum>`. The prefix lets scanners find leaked ones, the id names the Secret with
 * the hash, and the checksum tells a mistyped token from a revoked one without a read.
 */
import { decodeBase64 } from '../text/base64.ts'
import { sha256, sha256Bytes } from '../text/sha256.ts'

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const [ID_LENGTH, SECRET_LENGTH, CHECK_LENGTH] = [12, 32, 6]

export type ApiToken = { readonly id: string; readonly secret: string }

/** The random bytes of a token: those of the id, and 32 for the secret. */
export const TOKEN_BYTES = 48
const TOKEN_ID_BYTES = 16

/** The lowest `length` digits, most significant first. */
const digitsOf = (value: bigint, base: number, length: number): string => {
  let [left, text] = [value, '']
  for (let digit = 0; digit < length; digit += 1) {
    text = DIGITS.charAt(Number(left % BigInt(base))) + text
    left /= BigInt(base)
  }
  return text
}

const numberOf = (bytes: Uint8Array): bigint => bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)

/** From {@link TOKEN_BYTES} random bytes. Ids are lower-case, as names of objects are. */
export const tokenFrom = (bytes: Uint8Array): ApiToken => ({
  id: digitsOf(numberOf(bytes.subarray(0, TOKEN_ID_BYTES)), 36, ID_LENGTH),
  secret: digitsOf(numberOf(bytes.subarray(TOKEN_ID_BYTES, TOKEN_BYTES)), 62, SECRET_LENGTH),
})

/**
 * The same input gives the same token. `seed`: base64 of {@link TOKEN_BYTES} random bytes, which pass through a browser
 * in sealed form; `verifier`: known to the terminal only.
 */
export const tokenFromSeed = (seed: string, verifier = ''): ApiToken => {
  const id = (decodeBase64(seed) ?? new Uint8Array()).subarray(0, TOKEN_ID_BYTES)
  return tokenFrom(Uint8Array.from([...id, ...sha256Bytes(`${seed}\0${verifier}`)]))
}

/** CRC-32 of ASCII text (ISO 3309), as in gzip. */
const crc32 = (text: string): number => {
  let crc = 0xffffffff
  for (let at = 0; at < text.length; at += 1) {
    crc ^= text.charCodeAt(at)
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

const unchecked = ({ id, secret }: ApiToken): string => `dvt_${id}_${secret}`

export const showToken = (token: ApiToken): string => {
  const text = unchecked(token)
  return text + digitsOf(BigInt(crc32(text)), 62, CHECK_LENGTH)
}

/** `undefined` for an invalid token, including one with a wrong checksum. Law: reads what `showToken` shows. */
export const readToken = (text: string): ApiToken | undefined => {
  const [, id, secret] = /^dvt_([0-9a-z]{12})_([0-9A-Za-z]{32})[0-9A-Za-z]{6}$/.exec(text) ?? []
  if (id === undefined || secret === undefined) return undefined
  const token = { id, secret }
  return showToken(token) === text ? token : undefined
}

/**
 * The hash of the secret that the cluster stores. The secret has 190 random bits, so it needs no salt and no slow hash.
 */
export const hashOf = ({ secret }: ApiToken): string => sha256(secret)

/** Takes the same time wherever the texts differ. */
export const isSameHash = (a: string, b: string): boolean => {
  let difference = a.length ^ b.length
  for (let at = 0; at < a.length; at += 1) difference |= a.charCodeAt(at) ^ b.charCodeAt(at)
  return difference === 0
}
