/** Compresses text, and decompresses text that may come from anybody. Programs for Node are built with its native code. */
import { gunzipSync, gzipSync } from 'fflate'

/** Without a timestamp, so equal texts give equal bytes. */
export const gzip = (text: string): Uint8Array => gzipSync(new TextEncoder().encode(text), { mtime: 0 })

const mostBytes = 64 * 1024 * 1024

/**
 * The last four bytes give the length of the text, which the library trusts. Throws if the text is longer than 64 MiB
 * or not gzip.
 */
export const gunzip = (bytes: Uint8Array): string => {
  const length = bytes.slice(-4).reduceRight((sum, byte) => sum * 256 + byte, 0)
  const accepted = length > mostBytes ? new Uint8Array() : bytes
  return new TextDecoder().decode(gunzipSync(accepted, { out: new Uint8Array(Math.min(length, mostBytes)) }))
}
