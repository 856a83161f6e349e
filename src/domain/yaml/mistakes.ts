/**
 * What is probably wrong where a parser had to stop. It only knows that what follows fits nowhere; the lines around
 * show the usual mistakes.
 */
/** `what`: completes "invalid YAML: ". */
export type Mistake = { readonly what: string; readonly help?: string }

/** `before`: the last line above that is not blank. `column`: counts from 0. */
type Stop = {
  readonly line: string
  readonly column: number
  readonly before: string
  readonly above: ReadonlyArray<string>
}

type Rule = (stop: Stop, reason: string) => Mistake | undefined

const entry = /^( *(?:- +)*)(?:("[^"]*"|'[^']*'|[^\s"'#:][^:]*): +)?/

/** Where the value of a line begins, or the text of an entry that has no key. */
const valueAt = (line: string): number => entry.exec(line)?.[0].length ?? 0

const indentOf = (line: string): number => line.length - line.trimStart().length

const spaces = (line: string): string => `${indentOf(line)} ${indentOf(line) === 1 ? 'space' : 'spaces'}`

const isItem = (line: string): boolean => /^ *-(?: |$)/.test(line)

const conflict: Rule = ({ before, line }) =>
  [line, before].some((each) => /^(?:<{7}|={7}|>{7})(?: |$)/.test(each))
    ? { what: 'a merge conflict is not resolved', help: 'keep one of the two versions, and remove the marks' }
    : undefined

const reserved: Rule = ({ column, line }) => {
  const [first = ''] = line.slice(valueAt(line))
  return column === valueAt(line) && '@`%'.includes(first) && first !== ''
    ? { what: `a value cannot begin with ${first}`, help: 'put it in quotes' }
    : undefined
}

const afterQuote: Rule = ({ column, line }) => {
  const value = line.slice(valueAt(line))
  const [quoted] = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/.exec(value) ?? []
  return quoted !== undefined && column >= valueAt(line) + quoted.length
    ? {
        what: 'text follows a closing quote',
        help: `put the whole value in ${value[0] === '"' ? 'single' : 'double'} quotes`,
      }
    : undefined
}

const noSpaceAfter = /^ *([\w.-]+):[^\s:/\\]/

/** A line that is indented more than the entry above it continues its value. */
const continued: Rule = ({ before, column, line }) => {
  const isKey = /^ *[\w.-]+:(?: |$)/.test(line) && column === line.indexOf(':')
  const isDeeper = indentOf(line) > indentOf(before) && /^ *[\w.-]+: +[^\s"'[{|>&*!#]/.test(before)
  return isKey && isDeeper
    ? {
        what: `this line is indented by ${spaces(line)} and the one above by ${spaces(before)}`,
        help: 'indent the keys of a mapping alike',
      }
    : undefined
}

const colonInValue: Rule = ({ before, column, line }) => {
  const value = line.slice(valueAt(line))
  if (noSpaceAfter.test(before) && column === line.indexOf(':')) return undefined
  return column > valueAt(line) && /^[^\s"'[{|>&*!#].*:(?: |$)/.test(value)
    ? { what: 'a value without quotes contains a colon and a space', help: 'put the value in quotes' }
    : undefined
}

const noSpace: Rule = ({ before, line }) => {
  const [, key] = [line, before].map((each) => noSpaceAfter.exec(each)).find((found) => found !== null) ?? []
  return key === undefined ? undefined : { what: `no space follows the colon after ${key}` }
}

const mixed: Rule = ({ above, line }) => {
  const sibling = above.findLast((each) => indentOf(each) <= indentOf(line))
  if (sibling === undefined || indentOf(sibling) !== indentOf(line) || isItem(sibling) === isItem(line))
    return undefined
  const what = isItem(line) ? 'a list entry among the keys of a mapping' : 'a key among the entries of a list'
  return { what, help: 'write all of them as list entries, or all as keys' }
}

const indentation: Rule = ({ before, line }, reason) =>
  reason.startsWith('bad indentation') && before !== ''
    ? {
        what: reason,
        help: `this line is indented by ${spaces(line)} and the one above by ${spaces(before)}: entries of one mapping or list are indented alike`,
      }
    : undefined

const told: Rule = (_stop, reason) => {
  if (reason === 'deficient indentation') return { what: reason, help: 'close the bracket or quote that is open here' }
  if (reason.startsWith('tab characters')) return { what: reason, help: 'indent with spaces' }
  if (/hexadecimal|escape/.test(reason)) {
    return { what: reason, help: 'in double quotes \\ begins an escape: write \\\\, or use single quotes' }
  }
  return undefined
}

const rules: ReadonlyArray<Rule> = [
  told,
  conflict,
  reserved,
  afterQuote,
  continued,
  colonInValue,
  noSpace,
  mixed,
  indentation,
]

/** Lines further up do not explain why the parser stopped. */
const mostAbove = 200

/** `reason`: in the words of the parser, which stopped at this offset. */
export const mistakeAt = (text: string, offset: number, reason: string): Mistake => {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const [line = ''] = text.slice(start, start + 1000).split(/\r?\n/, 1)
  const above = text
    .slice(Math.max(0, start - 20_000), start)
    .split(/\r?\n/)
    .filter((each) => !/^\s*(?:#|$)/.test(each))
    .slice(-mostAbove)
  const stop: Stop = { line, column: offset - start, before: above.at(-1) ?? '', above }
  for (const rule of rules) {
    const found = rule(stop, reason)
    if (found !== undefined) return found
  }
  return { what: reason }
}
