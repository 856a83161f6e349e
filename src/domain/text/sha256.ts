/** SHA-256 (FIPS 180-4), as a pure function, because names and annotations in the core depend on it. */

// biome-ignore format: a table is read in rows
const ROUND_CONSTANTS: ReadonlyArray<number> = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]
// biome-ignore format: as above
const INITIAL: ReadonlyArray<number> = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]

/** 64 lower-case hexadecimal digits, of the UTF-8 bytes. */
export const sha256 = (text: string): string => {
  const blocks = pad(new TextEncoder().encode(text))
  const hash = Uint32Array.from(INITIAL)
  const words = new Uint32Array(64)
  for (let at = 0; at < blocks.byteLength; at += 64) {
    expand(words, blocks, at)
    compress(hash, words)
  }
  return Array.from(hash, (word) => word.toString(16).padStart(8, '0')).join('')
}

/** The message, a 1 bit, zeros, and its length in bits as the last 64 bits of a block. */
const pad = (bytes: Uint8Array): DataView => {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(padded.length - 4, (bytes.length * 8) >>> 0)
  return view
}

const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits))

const expand = (words: Uint32Array, blocks: DataView, at: number): void => {
  for (let i = 0; i < 16; i += 1) words[i] = blocks.getUint32(at + i * 4)
  for (let i = 16; i < 64; i += 1) {
    const [early, late] = [words[i - 15] ?? 0, words[i - 2] ?? 0]
    const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
    const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
    words[i] = (words[i - 16] ?? 0) + s0 + (words[i - 7] ?? 0) + s1
  }
}

const compress = (hash: Uint32Array, words: Uint32Array): void => {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash
  for (let i = 0; i < 64; i += 1) {
    const choice = (e & f) ^ (~e & g)
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const first = h + s1 + choice + (ROUND_CONSTANTS[i] ?? 0) + (words[i] ?? 0)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) hash[i] = (hash[i] ?? 0) + word
}

export const sha256Bytes = (text: string): Uint8Array =>
  Uint8Array.from(sha256(text).match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
