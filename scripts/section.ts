/** A document of which one section is replaced. */

/** The text with `body` under the heading `## heading`, which is added at the end when there is none. */
export const withSection = (text: string, heading: string, body: string): string => {
  const [before = '', rest] = text.split(`\n## ${heading}\n`)
  const after = rest === undefined ? '' : (/\n## .*/s.exec(rest)?.[0] ?? '')
  return `${before.trimEnd()}\n\n## ${heading}\n\n${body.trim()}\n${after}`
}
