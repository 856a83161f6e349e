/** Characters of YAML by their codes. Beyond the end of a text the code is NaN. */

export const isBlank = (c: number): boolean => c === 32 || c === 9
export const isBreak = (c: number): boolean => c === 10 || c === 13
export const endsToken = (c: number): boolean => isBlank(c) || isBreak(c) || Number.isNaN(c)

export const isHash = (c: number): boolean => c === 35
export const isColon = (c: number): boolean => c === 58
export const isQuote = (c: number): boolean => c === 34 || c === 39
/** `&` or `!`: an anchor or a tag. */
export const isProperty = (c: number): boolean => c === 38 || c === 33
/** `|` or `>`. */
export const isBlockScalar = (c: number): boolean => c === 124 || c === 62
export const isOpening = (c: number): boolean => c === 91 || c === 123
/** `,`, `[`, `]`, `{` or `}`. */
export const isFlowIndicator = (c: number): boolean => c === 44 || c === 91 || c === 93 || c === 123 || c === 125
/** `-`, `?` or `:`, when a blank follows. */
export const isBlockIndicator = (c: number): boolean => c === 45 || c === 63 || c === 58

export const skip = (text: string, from: number, isSkipped: (c: number) => boolean): number => {
  let at = from
  while (isSkipped(text.charCodeAt(at))) at += 1
  return at
}

/** The end of an anchor or tag; `!<…>` may contain characters that otherwise end one in a flow collection. */
export const propertyEnd = (text: string, from: number, isInFlow: boolean): number => {
  const start = text.startsWith('!<', from) ? skip(text, from, (c) => c !== 62 && !endsToken(c)) : from
  return skip(text, start, (c) => !endsToken(c) && !(isInFlow && isFlowIndicator(c)))
}

export const lineEnd = (text: string, from: number): number => {
  let at = from
  while (at < text.length && !isBreak(text.charCodeAt(at))) at += 1
  return at
}

export const nextLine = (text: string, from: number): number => {
  const end = lineEnd(text, from)
  return text.startsWith('\r\n', end) ? end + 2 : end + 1
}

/** `---` or `...` at the start of a line: the document ends here. */
export const isMarker = (text: string, lineStart: number): boolean =>
  (text.startsWith('---', lineStart) || text.startsWith('...', lineStart)) && endsToken(text.charCodeAt(lineStart + 3))
