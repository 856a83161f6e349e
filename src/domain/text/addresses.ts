/**
 * Hosts that a text addresses: in URLs, alone or in lists. Image references, ARNs and prose that only looks like
 * `host:port` are left out. Nothing here backtracks, since texts can have any length.
 */
import { defined } from '../object/defined.ts'

/** `isUrl`: the text cannot be read in another way. */
export type HostReference = { readonly host: string; readonly port?: number; readonly isUrl: boolean }

const hostAndPort = /^([A-Za-z0-9][A-Za-z0-9_.-]{0,252})(?::([0-9]{1,5}))?$/

const separators = /[^A-Za-z0-9_.-]+/

/** Whether one of the names is a word of the text: a text without any of them cannot address one. */
export const hasName = (text: string, names: { readonly has: (word: string) => boolean }): boolean =>
  separators.test(text) ? text.split(separators).some((word) => names.has(word)) : names.has(text)

const portIn = (digits: string | undefined): number | undefined => {
  const port = Number(digits)
  return digits !== undefined && port >= 1 && port <= 65_535 ? port : undefined
}

/** `host` or `host:port`; with anything but a number for the port, it is not an address. */
const addressOf = (text: string, isUrl: boolean): ReadonlyArray<HostReference> => {
  const match = hostAndPort.exec(text)
  if (match === null) return []
  const [, host = '', digits] = match
  const port = portIn(digits)
  if (digits !== undefined && port === undefined) return []
  return [{ host, isUrl, ...defined({ port }) }]
}

const afterLast = (text: string, mark: string): string => text.slice(text.lastIndexOf(mark) + 1)

/** `scheme://user:password@host:port,other:port/…`, anywhere in the text. */
const inUrls = (text: string): ReadonlyArray<HostReference> =>
  !text.includes('://')
    ? []
    : text
        .split('://')
        .slice(1)
        .flatMap((rest) => {
          const end = rest.search(/[\s/?#"'`<>\\)}\]]/)
          const authority = afterLast(end < 0 ? rest : rest.slice(0, end), '@')
          return authority.split(/[,;]/).flatMap((one) => addressOf(one, true))
        })

const isMark = (char: string | undefined): boolean => char !== undefined && '"\'`[](){}'.includes(char)

/** Without the quotes and brackets around it. */
const bare = (text: string): string => {
  let [start, end] = [0, text.length]
  while (isMark(text[start])) start += 1
  while (end > start && isMark(text[end - 1])) end -= 1
  return text.slice(start, end)
}

/** `db:5432`, `db:5432/shop`, `user:word@db:5432`, `user:word@tcp(db:3306)/shop`, `host=db:5432`. */
const inWord = (word: string): ReadonlyArray<HostReference> => {
  const whole = addressOf(word, false)
  if (whole.length > 0 || word.includes('://')) return whole
  const named = afterLast(afterLast(bare(word), '='), '@')
  const [host = '', ...path] = (named.startsWith('tcp(') ? named.slice('tcp('.length) : named).split(/[/)]/)
  return path.some((step) => step.includes(':')) ? [] : addressOf(bare(host), false)
}

const wordsOf = (text: string): ReadonlyArray<string> => text.split(/\s+/).filter((word) => word !== '')

/** Several words are a list when each could be an address, or gives a name a value. */
const isList = (words: ReadonlyArray<string>): boolean =>
  words.length === 1 || words.every((word) => word.includes('=') || word.includes('://') || /:[0-9]/.test(word))

/** The value of a variable: URLs, and words alone or in a list. */
export const addressesInValue = (value: string): ReadonlyArray<HostReference> => {
  const whole = addressOf(value, false)
  if (whole.length > 0) return whole
  const inItems = value.split(/[,;|]/).flatMap((item) => {
    const words = wordsOf(item)
    return isList(words) ? words.flatMap(inWord) : []
  })
  return [...inUrls(value), ...inItems]
}

const hostFlag = /^(?:-h|-H|--host|--hostname|--server)$/

/**
 * A word of a command, or a script for a shell. A host without a port counts only after a flag for hosts, or before the
 * number of a port.
 */
export const addressesInCommand = (words: ReadonlyArray<string>): ReadonlyArray<HostReference> => {
  const all = words.flatMap((word) => word.split(/[\s,;|&()<>]+/)).filter((word) => word !== '')
  const inWords = all.flatMap((word, index): ReadonlyArray<HostReference> => {
    const port = portIn(/^[0-9]{2,5}$/.exec(all[index + 1] ?? '')?.[0])
    const isHost = hostFlag.test(all[index - 1] ?? '') || /^--?host(?:name)?=/.test(word)
    if (port === undefined && !isHost && !word.includes(':')) return []
    return inWord(word).flatMap((address) => {
      if (address.port !== undefined) return [address]
      if (port !== undefined) return [{ ...address, port }]
      return isHost ? [address] : []
    })
  })
  return [...words.flatMap(inUrls), ...inWords]
}
