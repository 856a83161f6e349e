/** Streams of JSON values, one per line, as the Docker daemon reports progress. */
import type { Json } from '../../domain/cluster/json.ts'

const newline = 0x0a

const parse = (bytes: Uint8Array): Json | undefined => {
  try {
    const json: Json = JSON.parse(Buffer.from(bytes).toString('utf8'))
    return json
  } catch {
    return undefined
  }
}

const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte <= 0x20)

/** `undefined` for a line that is not JSON, or longer than `limitBytes`; blank lines are skipped. */
export async function* jsonLines(
  chunks: AsyncIterable<Uint8Array>,
  limitBytes: number,
): AsyncGenerator<Json | undefined, void, undefined> {
  let parts: Array<Uint8Array> = []
  let length = 0
  const keep = (bytes: Uint8Array): void => {
    length += bytes.length
    if (length <= limitBytes) parts.push(bytes)
  }
  const take = (): Uint8Array | undefined => {
    const line = length <= limitBytes ? Buffer.concat(parts) : undefined
    parts = []
    length = 0
    return line
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      keep(chunk.subarray(from, end))
      from = end + 1
      const line = take()
      if (line === undefined || !isBlank(line)) yield line === undefined ? undefined : parse(line)
    }
    keep(chunk.subarray(from))
  }
  const last = take()
  if (last === undefined || !isBlank(last)) yield last === undefined ? undefined : parse(last)
}
