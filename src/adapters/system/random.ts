import type { Random } from '../../ports/random.ts'

export const systemRandom: Random = { bytes: (count) => globalThis.crypto.getRandomValues(new Uint8Array(count)) }
