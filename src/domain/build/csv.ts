/** Comma-separated values, with quotes around values that contain commas (RFC 4180, one line). */

/** `undefined` when a quote is not closed or is in the middle of a value. */
const csvFields = (text: string): ReadonlyArray<string> | undefined => {
  const fields: Array<string> = []
  const field = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y
  for (let isOpen = true; isOpen; ) {
    const match = field.exec(text)
    if (match === null) return undefined
    fields.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    isOpen = match[3] === ','
  }
  return fields
}

export const csvLine = (fields: ReadonlyArray<string>): string =>
  fields.map((field) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',')

/** `key=value` fields, with keys in lower case; the last of each key counts. `undefined` if a field has no `=`. */
export const csvPairs = (text: string): ReadonlyMap<string, string> | undefined => {
  const fields = csvFields(text)
  if (fields === undefined || fields.some((field) => field.indexOf('=') < 1)) return undefined
  return new Map(
    fields.map((field) => {
      const at = field.indexOf('=')
      return [field.slice(0, at).trim().toLowerCase(), field.slice(at + 1)]
    }),
  )
}
