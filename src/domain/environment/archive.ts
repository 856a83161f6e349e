/** Packs texts into a zip file. The same texts always give the same bytes. */
import { type Zippable, zipSync } from 'fflate'

/** The earliest time that the zip format can express. */
const MOMENT = '1980-01-01T00:00:00'

/** By path, with forward slashes. */
export const zipOf = (texts: ReadonlyMap<string, string>): Uint8Array => {
  const encoder = new TextEncoder()
  const files: Zippable = Object.fromEntries(
    [...texts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([path, text]) => [path, encoder.encode(text)]),
  )
  return zipSync(files, { mtime: MOMENT, level: 6 })
}
