/** Texts of known width: without control sequences, and never wider than allowed. */
import { displayWidth, visible } from '../text/visible.ts'

/** Made visible and cut to `width` columns; a cut text ends in `…`. */
export const cut = (text: string, width: number): string => {
  const shown = visible(text)
  if (displayWidth(shown) <= width) return shown
  let [kept, used] = ['', 0]
  for (const char of shown) {
    used += displayWidth(char)
    if (used > width - 1) break
    kept += char
  }
  return width < 1 ? '' : `${kept}…`
}

/** Like {@link cut}, padded with spaces. */
export const fit = (text: string, width: number): string => {
  const short = cut(text, width)
  return short + ' '.repeat(Math.max(0, width - displayWidth(short)))
}

/** Whole seconds, which change once a second: `4s`, `2m05s`, `1h02m`. */
export const showElapsed = (ms: number): string => {
  const seconds = Math.floor(ms / 1000)
  const two = (value: number): string => String(value).padStart(2, '0')
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${two(seconds % 60)}s`
  return `${Math.floor(seconds / 3600)}h${two(Math.floor(seconds / 60) % 60)}m`
}

/** Like {@link showElapsed}, with tenths below a minute: `4.2s`. */
export const showDuration = (ms: number): string => (ms < 59_950 ? `${(ms / 1000).toFixed(1)}s` : showElapsed(ms))

/** `style`: SGR parameters. */
export const paint = (color: boolean, style: string, text: string): string =>
  color && text !== '' ? `\u001b[${style}m${text}\u001b[0m` : text
