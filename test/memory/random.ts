import type { Random } from '../../src/ports/random.ts'

/** Always the same bytes. */
export const memoryRandom: Random = { bytes: (count) => new Uint8Array(count).fill(7) }
