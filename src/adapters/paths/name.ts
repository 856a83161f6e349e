/**
 * File names as text that can be converted back to their bytes. Linux accepts any bytes in a name: bytes that are not
 * UTF-8 become a lone surrogate, U+DC80 to U+DCFF, which does not occur in valid names.
 */
import { readlinkSync } from 'node:fs'

const RAW = /[\udc80-\udcff]/

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const decoded = (bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

const longestCharacter = 4

const characterAt = (bytes: Uint8Array, at: number): readonly [text: string, length: number] => {
  for (let length = 1; length <= longestCharacter; length += 1) {
    const text = decoded(bytes.subarray(at, at + length))
    if (text !== undefined) return [text, length]
  }
  return [String.fromCharCode(0xdc00 + (bytes[at] ?? 0)), 1]
}

/** Law: `bytesOfName(nameOf(bytes))` is `bytes`. */
export const nameOf = (bytes: Uint8Array): string => {
  const whole = decoded(bytes)
  if (whole !== undefined) return whole
  let name = ''
  for (let at = 0; at < bytes.length; ) {
    const [text, length] = characterAt(bytes, at)
    name += text
    at += length
  }
  return name
}

export const bytesOfName = (name: string): Buffer =>
  RAW.test(name)
    ? Buffer.concat(
        Array.from(name, (char) => {
          const code = char.codePointAt(0) ?? 0
          return code >= 0xdc80 && code <= 0xdcff ? Buffer.of(code & 0xff) : Buffer.from(char)
        }),
      )
    : Buffer.from(name)

/** It may contain bytes that are not UTF-8. */
export const isRaw = (name: string): boolean => RAW.test(name)

/** In the form that functions of node:fs accept. */
export const toPath = (name: string): string | Buffer => (RAW.test(name) ? bytesOfName(name) : name)

/** The character that replaces invalid bytes; a name may also contain it itself. */
const REPLACED = '\ufffd'

/** Where a symbolic link leads. Throws what the file system throws. */
export const readLink = (path: string): string => {
  const at = toPath(path)
  const text = readlinkSync(at)
  return text.includes(REPLACED) ? nameOf(readlinkSync(at, 'buffer')) : text
}
