/** Splits a byte stream into lines, in linear time and bounded memory. */

const newline = 0x0a
const carriageReturn = 0x0d

/**
 * Lines without line ends; invalid UTF-8 is replaced. A line longer than `limitBytes` is cut, and `cut` replaces the
 * rest; without `cut` it throws. Text after the last line end is a line unless it is empty.
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  limitBytes: number,
  cut: string | undefined,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let parts: Array<Uint8Array> = []
  let length = 0
  let isCut = false
  const keep = (bytes: Uint8Array): void => {
    const room = limitBytes - length
    isCut ||= bytes.length > room
    if (isCut && cut === undefined) throw new Error('a line is too long')
    const kept = bytes.subarray(0, Math.max(room, 0))
    if (kept.length > 0) parts.push(kept)
    length += kept.length
  }
  const take = (): string => {
    const bytes = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
    const end = bytes.at(-1) === carriageReturn && !isCut ? bytes.length - 1 : bytes.length
    const text = decoder.decode(bytes.subarray(0, end)) + (isCut ? (cut ?? '') : '')
    parts = []
    length = 0
    isCut = false
    return text
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      keep(chunk.subarray(from, end))
      yield take()
      from = end + 1
    }
    if (from < chunk.length) keep(chunk.subarray(from))
  }
  if (length > 0) yield take()
}
