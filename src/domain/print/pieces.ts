/**
 * A long text assembled from short pieces. They are joined in batches: appending to one string of megabytes takes three
 * times as long. The list for a batch keeps its size, since one that is emptied has to grow again.
 */
export type Pieces = { length: number; count: number; readonly batch: Array<string>; readonly joined: Array<string> }

const BATCH = 1024

export const noPieces = (): Pieces => ({ length: 0, count: 0, batch: [], joined: [] })

export const put = (pieces: Pieces, text: string): void => {
  pieces.length += text.length
  pieces.batch[pieces.count] = text
  pieces.count += 1
  if (pieces.count < BATCH) return
  pieces.joined.push(pieces.batch.join(''))
  pieces.count = 0
}

export const joinPieces = ({ batch, count, joined }: Pieces): string =>
  [...joined, batch.slice(0, count).join('')].join('')
