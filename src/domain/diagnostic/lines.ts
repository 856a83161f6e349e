/** Looks up the lines that findings refer to, for excerpts. */
import { showsCredential } from '../text/credential.ts'
import { withMaskedCredentials } from '../text/public-url.ts'
import { lineText, type Source, source } from '../text/source.ts'

/** The text of a line; lines start at 1. */
export type LineOf = (file: string, line: number) => string | undefined

/**
 * Whatever a finding is about, neither the value of a credential nor that of a URL is shown. Lines may be megabytes long,
 * and are asked for often.
 */
const withoutCredentials = (line: LineOf): LineOf => {
  const known = new Map<string, string | undefined>()
  return (file, number) => {
    const key = `${number} ${file}`
    if (!known.has(key)) {
      const text = line(file, number)
      known.set(key, text === undefined || showsCredential(text) ? undefined : withMaskedCredentials(text))
    }
    return known.get(key)
  }
}

/** Lines of files whose text is known. */
export const linesOf = (textOf: (file: string) => string | undefined): LineOf => {
  const sources = new Map<string, Source | undefined>()
  const open = (file: string): Source | undefined => {
    const text = textOf(file)
    return text === undefined ? undefined : source(file, '.', text)
  }
  return withoutCredentials((file, line) => {
    if (!sources.has(file)) sources.set(file, open(file))
    const found = sources.get(file)
    return found === undefined || line > found.lineStarts.length ? undefined : lineText(found, line)
  })
}

/** The same, plus texts from elsewhere, such as Dockerfiles. */
export const withTexts = (line: LineOf, texts: ReadonlyMap<string, string>): LineOf => {
  const sources = new Map([...texts].map(([file, text]) => [file, source(file, '.', text)]))
  return withoutCredentials((file, number) => {
    const own = sources.get(file)
    return own === undefined || number > own.lineStarts.length ? line(file, number) : lineText(own, number)
  })
}
