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

/** Of the UTF-8 bytes. */
export const encodeBase64Text = (text: string): string => encodeBase64(new TextEncoder().encode(text))
