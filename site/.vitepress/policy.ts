/** A Content-Security-Policy for each page: nothing is loaded from elsewhere, and no script sends anything anywhere. */
import { createHash } from 'node:crypto'

const inlineScripts = /<script(?![^>]*\bsrc=)[^>]*>([^]*?)<\/script>/g

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

export const withPolicy = (html: string): string => {
  const hashes = [...html.matchAll(inlineScripts)].map(([, text = '']) => hashOf(text))
  const policy = [
    "default-src 'self'",
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    "img-src 'self' data:",
    "style-src 'self' 'unsafe-inline'",
    ["script-src 'self'", ...new Set(hashes)].join(' '),
  ].join('; ')
  return html.replace(
    '<meta charset="utf-8">',
    (charset) => `${charset}\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`,
  )
}
