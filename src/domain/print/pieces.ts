/**
 * A long text assembled from short pieces. They are joined in batches: appending to one string of megabytes takes three
 * times as long.
 */
export type Pieces = { length: number; readonly open: Array<string>; readonly joined: Array<string> }

const BATCH = 1024

export const noPieces = (): Pieces => ({ length: 0, open: [], joined: [] })

export const put = (pieces: Pieces, text: string): void => {
  pieces.length += text.length
  if (pieces.open.push(text) < BATCH) return
  pieces.joined.push(pieces.open.join(''))
  pieces.open.length = 0
}

export const joinPieces = ({ joined, open }: Pieces): string => [...joined, open.join('')].join('')
