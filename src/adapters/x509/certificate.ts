/** Certificates by RFC 5280, with P-256, since not every client supports Ed25519. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { Identity } from '../../ports/certificates.ts'
import { around, bits, inPlace, integer, isTrue, octets, oid, sequence, set, time, utf8 } from './der.ts'

/** A name, its key as SubjectPublicKeyInfo, and what the key is for. */
export type Party = { readonly name: string; readonly publicKey: Uint8Array; readonly privateKey: KeyObject }

export const newParty = (name: string): Party => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { name, privateKey, publicKey: publicKey.export({ type: 'spki', format: 'der' }) }
}

const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))

const commonName = (name: string): Buffer => sequence(set(sequence(oid(0x55, 0x04, 0x03), utf8(name))))

/** Extensions of `id-ce` (2.5.29). */
export const extension = (id: number, isCritical: boolean, value: Uint8Array): Buffer =>
  sequence(oid(0x55, 0x1d, id), ...(isCritical ? [isTrue] : []), octets(value))

export const dnsName = (name: string): Buffer => inPlace(2, Buffer.from(name))

const keyIdOf = ({ publicKey }: Party): Buffer => createHash('sha256').update(publicKey).digest().subarray(0, 20)

/** `extensions`: beside those that identify the keys. */
export const certificateOf = (
  issuer: Party,
  subject: Party,
  {
    extensions,
    from,
    until,
  }: { readonly extensions: ReadonlyArray<Buffer>; readonly from: number; readonly until: number },
): string => {
  const body = sequence(
    around(0, integer(2)),
    // A leading 01 keeps the number positive and its length constant.
    integer(1, ...randomBytes(15)),
    ecdsaWithSha256,
    commonName(issuer.name),
    sequence(time(from), time(until)),
    commonName(subject.name),
    subject.publicKey,
    around(
      3,
      sequence(
        ...extensions,
        extension(14, false, octets(keyIdOf(subject))),
        extension(35, false, sequence(inPlace(0, keyIdOf(issuer)))),
      ),
    ),
  )
  const der = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, issuer.privateKey)))
  const lines = der
    .toString('base64')
    .replace(/(.{64})/g, '$1\n')
    .trimEnd()
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

export const identityOf = ({ privateKey }: Party, certificate: string): Identity => ({
  key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  certificate,
})

/** What TLS may use the certificate for: 1 is a server, 2 a client. */
const usage = (of: 1 | 2): Buffer => extension(37, false, sequence(oid(0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, of)))
export const serverUsage = usage(1)
export const clientUsage = usage(2)
