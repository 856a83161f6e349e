/** Decompresses text that may come from anybody. */
import { gunzipSync, gzipSync } from 'fflate'

export type Gzip = (bytes: Uint8Array) => Uint8Array

/** Without a timestamp, so equal texts give equal bytes. */
export const portableGzip: Gzip = (bytes) => gzipSync(bytes, { mtime: 0 })

const mostBytes = 64 * 1024 * 1024

/**
 * The last four bytes give the length of the text, which the library trusts. Throws if the text is too long or not
 * gzip.
 */
export const gunzip = (bytes: Uint8Array): string => {
  const length = bytes.slice(-4).reduceRight((sum, byte) => sum * 256 + byte, 0)
  const out = new Uint8Array(Math.min(length, mostBytes))
  return new TextDecoder().decode(length > mostBytes ? new Uint8Array() : gunzipSync(bytes, { out }))
}
