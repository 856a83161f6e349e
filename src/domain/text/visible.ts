/** Makes text from outside harmless: characters that would affect the terminal are shown as escapes. */

/** Most texts are plain ASCII: the pattern is not even made for them, which takes most of a millisecond. */
const MAY_BE_UNSAFE = /[^ -~]/

/**
 * C0, DEL, C1, line and paragraph separators, directional marks, spaces and letters of no width or ink, the byte order
 * mark, tags and other selectors, and lone surrogates. Each of them is harmful or invisible. Those that join letters
 * and emoji are ordinary text.
 */
export const replaceUnsafe = (text: string, replacement: (char: string) => string): string =>
  MAY_BE_UNSAFE.test(text)
    ? text.replace(
        /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u00ad\u115f\u1160\u180e\u200b\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}\p{Cs}]/gu,
        replacement,
      )
    : text

const escaped = (char: string): string => {
  const code = char.codePointAt(0) ?? 0
  if (code > 0xffff) return `\\u{${code.toString(16)}}`
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}

/** GitHub and Azure take `##[` and `##vso[` for commands, wherever they stand in a line. */
export const withoutMarks = (text: string): string =>
  text.includes('##') ? text.replace(/##(?=\[|vso\[)/g, '#\\x23') : text

/** One line: `\x1b` for the escape character, `\u202e` for a directional mark. */
export const visible = (text: string): string => withoutMarks(replaceUnsafe(text, escaped))

/** Like {@link visible}, with line breaks kept; every line but the first begins with `indent`. */
export const visibleLines = (text: string, indent: string): string =>
  text
    .split(/\r?\n/)
    .map((line, i) => (i === 0 ? visible(line) : indent + visible(line)))
    .join('\n')

const isInvisible = (char: string): boolean => /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]/u.test(char)

/** East Asian Width W and F (Unicode Annex 11) by blocks, and characters shown as emoji. */
const isWide = (char: string): boolean =>
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u.test(
    char,
  )

/**
 * The width of one visible character in columns. An approximation: each code point counts separately, so a joined emoji
 * (a family, a skin tone) counts as its parts; terminals differ there as well.
 */
const charWidth = (char: string): number => {
  if (char >= ' ' && char <= '~') return 1
  if (isInvisible(char)) return 0
  return isWide(char) ? 2 : 1
}

/** The width of a visible text in columns. */
export const displayWidth = (text: string): number => {
  let width = 0
  for (const char of text) width += charWidth(char)
  return width
}
