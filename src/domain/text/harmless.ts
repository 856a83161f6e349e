/** A line of a log that cannot drive the terminal: of all that controls it only colours may stay. */
import { visible } from './visible.ts'

const PLAIN = /^[\t -~]*$/

/** Select Graphic Rendition, as programs write it; the capture makes `split` keep it. */
const SGR = /(\u001b\[[0-9;:]*m)/

const RESET = '\u001b[0m'

const withTabs = (text: string): string => text.split('\t').map(visible).join('\t')

/**
 * Tabs stay, other control characters are shown as escapes. Colours stay when `isColored`, and end with the line; else
 * they are left out.
 */
export const harmless = (text: string, isColored: boolean): string => {
  if (PLAIN.test(text)) return text
  const line = text.endsWith('\r') ? text.slice(0, -1) : text
  if (!line.includes('\u001b[')) return withTabs(line)
  const parts = line.split(SGR)
  if (parts.length === 1) return withTabs(line)
  if (!isColored) return parts.map((part, index) => (index % 2 === 1 ? '' : withTabs(part))).join('')
  return `${parts.map((part, index) => (index % 2 === 1 ? part : withTabs(part))).join('')}${RESET}`
}
