/** Makes a log line safe for a terminal: colours are the only control sequences that are kept. */
import { visible, withoutMarks } from './visible.ts'

const PLAIN = /^[\t -"$-~]*$/

/** Select Graphic Rendition; the capture group makes `split` keep it. */
const SGR = /(\u001b\[[0-9;:]*m)/

const RESET = '\u001b[0m'

const withTabs = (text: string): string => text.split('\t').map(visible).join('\t')

/**
 * Tabs are kept, other control characters are shown as escapes. Colours are kept if `isColored`, and reset at the end
 * of the line; otherwise they are removed.
 */
export const harmless = (text: string, isColored: boolean): string => {
  if (PLAIN.test(text)) return text
  const line = text.endsWith('\r') ? text.slice(0, -1) : text
  if (!line.includes('\u001b[')) return withTabs(line)
  const parts = line.split(SGR)
  if (parts.length === 1) return withTabs(line)
  if (!isColored) return withoutMarks(parts.map((part, index) => (index % 2 === 1 ? '' : withTabs(part))).join(''))
  return `${parts.map((part, index) => (index % 2 === 1 ? part : withTabs(part))).join('')}${RESET}`
}
