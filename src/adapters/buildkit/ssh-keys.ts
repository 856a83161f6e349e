/** Private key files: PEM in all its forms, and OpenSSH's own format (PROTOCOL.key), without a passphrase. */
import { createPrivateKey, type JsonWebKey, type KeyObject, sign } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import { readWire, wire } from './ssh-wire.ts'

/** `blob`: the public key. `sign` takes the flags of a request and returns a signature with its algorithm. */
export type SshKey = {
  readonly blob: Buffer
  readonly sign: (data: Uint8Array, flags: number) => Buffer
}

const protectedKey = 'it has a passphrase: add it to an SSH agent with ssh-add'
const unknownKey = 'it is not a private key of a supported kind'

/** Curves by their names in SSH, with their names in JSON Web Keys and the hash for signatures. */
const curves = {
  nistp256: { crv: 'P-256', hash: 'sha256', bytes: 32 },
  nistp384: { crv: 'P-384', hash: 'sha384', bytes: 48 },
  nistp521: { crv: 'P-521', hash: 'sha512', bytes: 66 },
} as const
type CurveName = keyof typeof curves

const isCurve = (name: string): name is CurveName => Object.hasOwn(curves, name)
const nameOfCurve = (crv: string | undefined): CurveName | undefined =>
  Object.keys(curves)
    .filter(isCurve)
    .find((name) => curves[name].crv === crv)

const bytesOf = (value: string | undefined): Buffer => Buffer.from(value ?? '', 'base64url')
const base64 = (value: Uint8Array): string => Buffer.from(value).toString('base64url')

const toNumber = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`)
const unsigned = (bytes: Buffer): Buffer =>
  bytes.subarray(
    Math.max(
      bytes.findIndex((byte) => byte !== 0),
      0,
    ),
  )
const ofLength = (bytes: Buffer, length: number): Buffer =>
  Buffer.concat([Buffer.alloc(Math.max(length - unsigned(bytes).length, 0)), unsigned(bytes)])

/** JSON Web Keys require values that OpenSSH leaves to be computed. */
const remainder = (d: Uint8Array, prime: Uint8Array): string => {
  const hex = (toNumber(d) % (toNumber(prime) - 1n)).toString(16)
  return base64(Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex'))
}

const readOwnKey = (bytes: Buffer): JsonWebKey | undefined => {
  const { text } = readWire(bytes)
  const kind = text().toString()
  if (kind === 'ssh-ed25519') {
    const [x, both] = [text(), text()]
    return { kty: 'OKP', crv: 'Ed25519', x: base64(x), d: base64(both.subarray(0, 32)) }
  }
  if (kind === 'ssh-rsa') {
    const [n, e, d, qi, p, q] = [text(), text(), text(), text(), text(), text()].map(unsigned)
    if (n === undefined || e === undefined || d === undefined || qi === undefined) return undefined
    if (p === undefined || q === undefined) return undefined
    const parts = { n: base64(n), e: base64(e), d: base64(d), p: base64(p), q: base64(q), qi: base64(qi) }
    return { kty: 'RSA', ...parts, dp: remainder(d, p), dq: remainder(d, q) }
  }
  const name = kind.replace(/^ecdsa-sha2-/, '')
  if (!isCurve(name)) return undefined
  const { bytes: size, crv } = curves[name]
  const [, point, d] = [text(), text(), text()]
  const [x, y] = [point.subarray(1, 1 + size), point.subarray(1 + size)]
  return { kty: 'EC', crv, x: base64(x), y: base64(y), d: base64(ofLength(d, size)) }
}

const magic = 'openssh-key-v1\0'

const readOpenSsh = (pem: string): E.Either<string, KeyObject> => {
  const bytes = Buffer.from(pem.replace(/-----[A-Z ]+-----|\s/g, ''), 'base64')
  if (bytes.subarray(0, magic.length).toString('latin1') !== magic) return E.left(unknownKey)
  const { text, uint32 } = readWire(bytes.subarray(magic.length))
  const cipher = text().toString()
  if (cipher !== 'none') return E.left(protectedKey)
  text()
  text()
  if (uint32() !== 1) return E.left('it holds more than one key')
  text()
  const inner = readWire(text())
  if (inner.uint32() !== inner.uint32()) return E.left(unknownKey)
  const key = readOwnKey(inner.rest())
  return key === undefined ? E.left(unknownKey) : E.right(createPrivateKey({ key, format: 'jwk' }))
}

const ed25519 = (key: KeyObject, { x }: JsonWebKey): SshKey => {
  const name = wire.text('ssh-ed25519')
  return {
    blob: Buffer.concat([name, wire.text(bytesOf(x))]),
    sign: (data) => Buffer.concat([name, wire.text(sign(null, data, key))]),
  }
}

const rsa = (key: KeyObject, { e, n }: JsonWebKey): SshKey => ({
  blob: Buffer.concat([wire.text('ssh-rsa'), wire.number(bytesOf(e)), wire.number(bytesOf(n))]),
  sign: (data, flags) => {
    const [name, hash] =
      (flags & 4) > 0 ? ['rsa-sha2-512', 'sha512'] : (flags & 2) > 0 ? ['rsa-sha2-256', 'sha256'] : []
    return Buffer.concat([wire.text(name ?? 'ssh-rsa'), wire.text(sign(hash ?? 'sha1', data, key))])
  },
})

const ecdsa = (key: KeyObject, curve: CurveName, { x, y }: JsonWebKey): SshKey => {
  const name = wire.text(`ecdsa-sha2-${curve}`)
  const { bytes: size, hash } = curves[curve]
  const point = Buffer.concat([Buffer.from([4]), bytesOf(x), bytesOf(y)])
  return {
    blob: Buffer.concat([name, wire.text(curve), wire.text(point)]),
    sign: (data) => {
      const both = sign(hash, data, { key, dsaEncoding: 'ieee-p1363' })
      const pair = [wire.number(both.subarray(0, size)), wire.number(both.subarray(size))]
      return Buffer.concat([name, wire.text(Buffer.concat(pair))])
    },
  }
}

const keyFrom = (key: KeyObject): E.Either<string, SshKey> => {
  const jwk = key.export({ format: 'jwk' })
  const curve = nameOfCurve(jwk.crv)
  if (jwk.kty === 'OKP' && jwk.crv === 'Ed25519') return E.right(ed25519(key, jwk))
  if (jwk.kty === 'RSA') return E.right(rsa(key, jwk))
  return jwk.kty === 'EC' && curve !== undefined ? E.right(ecdsa(key, curve, jwk)) : E.left(unknownKey)
}

/** Left: why the key cannot be used, without any part of it. */
export const readSshKey = (text: string): E.Either<string, SshKey> => {
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return E.left(unknownKey)
  if (/-----BEGIN ENCRYPTED |^Proc-Type: 4,ENCRYPTED/m.test(text)) return E.left(protectedKey)
  try {
    const key = text.includes('BEGIN OPENSSH PRIVATE KEY') ? readOpenSsh(text) : E.right(createPrivateKey(text))
    return E.chain(keyFrom)(key)
  } catch {
    return E.left(unknownKey)
  }
}

const listType = 11
const listAnswer = 12
const signType = 13
const signAnswer = 14

/** The response of an agent with these keys to a message with its header; `undefined` to refuse it. */
export const answerWith = (keys: ReadonlyArray<SshKey>, message: Uint8Array): Uint8Array | undefined => {
  const framed = (type: number, body: Buffer): Uint8Array => wire.text(Buffer.concat([Buffer.from([type]), body]))
  if (message[4] === listType) {
    const entries = keys.flatMap(({ blob }) => [wire.text(blob), wire.text('')])
    return framed(listAnswer, Buffer.concat([wire.uint32(keys.length), ...entries]))
  }
  if (message[4] !== signType) return undefined
  try {
    const { text, uint32 } = readWire(message.subarray(5))
    const [blob, data, flags] = [text(), text(), uint32()]
    const key = keys.find((one) => one.blob.equals(blob))
    return key === undefined ? undefined : framed(signAnswer, wire.text(key.sign(data, flags)))
  } catch {
    return undefined
  }
}
