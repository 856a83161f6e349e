/**
 * A self-signed certificate for the loopback address: clients send a token only over TLS. Its key never leaves the
 * process. Encoded as DER by RFC 5280; with P-256, since not every client supports Ed25519.
 */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

/** Both as PEM. */
export type Identity = { readonly key: string; readonly certificate: string }

const tlv = (tag: number, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const header = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...header]), content])
}

const sequence = (...parts: ReadonlyArray<Uint8Array>): Buffer => tlv(0x30, ...parts)
const oid = (...bytes: ReadonlyArray<number>): Buffer => tlv(0x06, Buffer.from(bytes))
const integer = (bytes: Uint8Array): Buffer => tlv(0x02, bytes)
const bits = (bytes: Uint8Array, unused = 0): Buffer => tlv(0x03, Buffer.from([unused]), bytes)
const octets = (bytes: Uint8Array): Buffer => tlv(0x04, bytes)
const isTrue = tlv(0x01, Buffer.from([0xff]))

const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
const commonName = sequence(tlv(0x31, sequence(oid(0x55, 0x04, 0x03), tlv(0x0c, Buffer.from('devtool')))))

/** `YYMMDDHHMMSSZ`. */
const time = (ms: number): Buffer =>
  tlv(
    0x17,
    Buffer.from(
      new Date(ms)
        .toISOString()
        .slice(2)
        .replace(/[-:T]|\.\d+/g, ''),
    ),
  )

/** Extensions of `id-ce` (2.5.29). */
const extension = (id: number, isCritical: boolean, value: Uint8Array): Buffer =>
  sequence(oid(0x55, 0x1d, id), ...(isCritical ? [isTrue] : []), octets(value))

const extensions = (publicKey: Buffer): Buffer => {
  const keyId = createHash('sha256').update(publicKey).digest().subarray(0, 20)
  return sequence(
    extension(19, true, sequence(isTrue)),
    // digitalSignature and keyCertSign: strict clients require the latter of a self-signed certificate.
    extension(15, true, bits(Buffer.from([0x84]), 2)),
    extension(37, false, sequence(oid(0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01))),
    extension(14, false, octets(keyId)),
    extension(35, false, sequence(tlv(0x80, keyId))),
    extension(17, false, sequence(tlv(0x87, Buffer.from([127, 0, 0, 1])), tlv(0x82, Buffer.from('localhost')))),
  )
}

const hourMs = 3_600_000

/** Valid for 127.0.0.1 for two months, beginning a day ago, since clocks in containers may differ. */
export const makeIdentity = (nowMs: number): Identity => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const publicBytes = publicKey.export({ type: 'spki', format: 'der' })
  const serial = randomBytes(16)
  // A leading 01 keeps the number positive and its length constant.
  serial[0] = 1
  const body = sequence(
    tlv(0xa0, integer(Buffer.from([2]))),
    integer(serial),
    ecdsaWithSha256,
    commonName,
    sequence(time(nowMs - 24 * hourMs), time(nowMs + 60 * 24 * hourMs)),
    commonName,
    publicBytes,
    tlv(0xa3, extensions(publicBytes)),
  )
  const signature = createSign('sha256').update(body).sign(privateKey)
  const der = sequence(body, ecdsaWithSha256, bits(signature))
  const lines = der
    .toString('base64')
    .replace(/(.{64})/g, '$1\n')
    .trimEnd()
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}
