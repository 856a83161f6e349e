/** What takes the place of the portable functions in programs for Node: native, and without tables to fill at the start. */
import { gunzipSync, gzipSync } from 'node:zlib'

const mostBytes = 64 * 1024 * 1024

/** Without a timestamp, so equal texts give equal bytes. */
export const gzip = (text: string): Uint8Array => gzipSync(text)

/** Throws if the text is longer than 64 MiB or not gzip. */
export const gunzip = (bytes: Uint8Array): string =>
  new TextDecoder().decode(gunzipSync(bytes, { maxOutputLength: mostBytes }))
