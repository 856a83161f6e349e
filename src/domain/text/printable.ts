/** The last step before output: no text can control a terminal, or be taken for a command of a code host. */
import { replaceUnsafe, visible, withoutMarks } from './visible.ts'

/** GitHub takes lines that begin with `::` for commands. */
const FIRST_IN_LINE = /^([^\S\r\n\u2028\u2029]*):(?=:)/gm

/** For devtool's own text, which may contain colours. */
export const withoutCommands = (text: string): string =>
  withoutMarks(text.includes('::') ? text.replace(FIRST_IN_LINE, '$1\\x3a') : text)

const HARMLESS = /^[\n\t -~]*$/

/** Only line breaks and tabs are kept. */
export const printable = (text: string): string =>
  withoutCommands(
    HARMLESS.test(text) ? text : replaceUnsafe(text, (char) => (char === '\n' || char === '\t' ? char : visible(char))),
  )
