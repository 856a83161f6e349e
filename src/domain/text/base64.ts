/** Base64 with padding (RFC 4648, section 4), for the data of Secrets. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

export const encodeBase64 = (bytes: Uint8Array): string => {
  let out = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    const left = bytes.length - at
    out += ALPHABET.charAt(group >> 18) + ALPHABET.charAt((group >> 12) & 63)
    out += (left > 1 ? ALPHABET.charAt((group >> 6) & 63) : '=') + (left > 2 ? ALPHABET.charAt(group & 63) : '=')
  }
  return out
}

/** `undefined` for invalid base64. Line breaks are not allowed. */
export const decodeBase64 = (text: string): Uint8Array | undefined => {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
  const length = (text.length / 4) * 3 - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0)
  const bytes = new Uint8Array(length)
  for (let from = 0, to = 0; from < text.length; from += 4, to += 3) {
    let group = 0
    for (let i = 0; i < 4; i += 1) group = (group << 6) | Math.max(0, ALPHABET.indexOf(text.charAt(from + i)))
    for (let i = 0; i < 3 && to + i < length; i += 1) bytes[to + i] = (group >> (16 - 8 * i)) & 255
  }
  return bytes
}

/** Encodes the UTF-8 bytes. */
export const encodeBase64Text = (text: string): string => encodeBase64(new TextEncoder().encode(text))
