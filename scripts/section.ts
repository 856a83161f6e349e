/** Replaces one section of a document. */

/** The text with `body` under `## heading`, which is appended when it is missing. */
export const withSection = (text: string, heading: string, body: string): string => {
  const [before = '', rest] = text.split(`\n## ${heading}\n`)
  const after = rest === undefined ? '' : (/\n## .*/s.exec(rest)?.[0] ?? '')
  return `${before.trimEnd()}\n\n## ${heading}\n\n${body.trim()}\n${after}`
}
