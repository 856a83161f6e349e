/** Lines of logs, as terminals show them: colours become classes, and control characters become visible. */

/** `style`: class names, or ''. */
type Styled = { readonly text: string; readonly style: string }

/** `undefined`: the default. Colours are numbers of the palette, from 0 to 15. */
type Look = {
  readonly color: number | undefined
  readonly isBold: boolean
  readonly isDim: boolean
  readonly isItalic: boolean
  readonly isUnderlined: boolean
}

const plain: Look = { color: undefined, isBold: false, isDim: false, isItalic: false, isUnderlined: false }

const styleOf = ({ color, isBold, isDim, isItalic, isUnderlined }: Look): string =>
  [
    color === undefined ? '' : `c${color}`,
    isBold ? 'bold' : '',
    isDim ? 'dim' : '',
    isItalic ? 'italic' : '',
    isUnderlined ? 'underline' : '',
  ]
    .filter((name) => name !== '')
    .join(' ')

const single: Readonly<Record<number, Partial<Look>>> = {
  1: { isBold: true },
  2: { isDim: true },
  3: { isItalic: true },
  4: { isUnderlined: true },
  22: { isBold: false, isDim: false },
  23: { isItalic: false },
  24: { isUnderlined: false },
  39: { color: undefined },
}

const colorOf = (code: number): number | undefined => {
  if (code >= 30 && code <= 37) return code - 30
  return code >= 90 && code <= 97 ? code - 82 : undefined
}

/** How many numbers follow a colour that is not one of the palette: `5;n` or `2;r;g;b`. */
const rest = (kind: number | undefined): number => (kind === 5 ? 2 : kind === 2 ? 4 : 0)

const changed = (before: Look, parameters: string): Look => {
  const codes = parameters.split(/[;:]/).map(Number)
  let look = before
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0
    if (code === 0) look = plain
    else if (code === 38 || code === 48) {
      const [kind, value = 0] = codes.slice(at + 1)
      // Of the 256 colours, the first are those of the palette; others are left out.
      if (code === 38) look = { ...look, color: kind === 5 && value < 16 ? value : undefined }
      at += rest(kind)
    } else {
      const color = colorOf(code)
      look = { ...look, ...single[code], ...(color !== undefined && { color }) }
    }
  }
  return look
}

const hex = (char: string): string => (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')

/**
 * Writes out control characters, and those that change the direction of text, which can make a line look like another.
 */
export const visibleText = (text: string): string =>
  text.replaceAll(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, (char) => {
    // As `less` shows them: `^[` is ESC.
    if (char < ' ') return `^${String.fromCharCode(0x40 + char.charCodeAt(0))}`
    return char === '\u007f' ? '^?' : `<U+${hex(char)}>`
  })

/** Law: without sequences of colours, the texts together are the text, made visible. */
export const spansOf = (line: string): ReadonlyArray<Styled> => {
  const spans: Array<Styled> = []
  let [look, from] = [plain, 0]
  const push = (text: string): void => {
    if (text !== '') spans.push({ text: visibleText(text), style: styleOf(look) })
  }
  for (const match of line.matchAll(/\u001b\[([\d;:]*)m/g)) {
    push(line.slice(from, match.index))
    look = changed(look, match[1] ?? '')
    from = match.index + match[0].length
  }
  push(line.slice(from))
  return spans
}

/** The text for searching: the line without its colours. */
export const plainText = (line: string): string => visibleText(line.replaceAll(/\u001b\[[\d;:]*m/g, ''))
