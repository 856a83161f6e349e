/** The port `Certificates`. */
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import type { Certificates, Identity, ReadCertificate, Validity } from '../../ports/certificates.ts'
import {
  certificateOf,
  clientUsage,
  dnsName,
  extension,
  identityOf,
  newParty,
  type Party,
  serverUsage,
} from './certificate.ts'
import { bits, integer, isTrue, sequence } from './der.ts'

const hourMs = 3_600_000

const lasting = ({ days, nowMs }: Validity) => ({ from: nowMs - hourMs, until: nowMs + days * 24 * hourMs })

/** Its certificate was created here, so its subject is a common name and nothing else. */
const partyOf = ({ certificate, key }: Identity): Party => {
  const privateKey = createPrivateKey(key)
  return {
    name: new X509Certificate(certificate).subject.replace(/^CN=/, ''),
    privateKey,
    publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
  }
}

const readIn = (pem: string, authority: string): ReadCertificate | undefined => {
  const certificate = new X509Certificate(pem)
  if (!certificate.verify(new X509Certificate(authority).publicKey)) return undefined
  return {
    hosts: (certificate.subjectAltName ?? '')
      .split(', ')
      .flatMap((name) => (name.startsWith('DNS:') ? name.slice(4) : [])),
    endsMs: Date.parse(certificate.validTo),
    fingerprint: certificate.fingerprint256,
  }
}

/** Signed by the authority, for a server or a client. */
const issued = (authority: Identity, name: string, validity: Validity, more: ReadonlyArray<Buffer>): Identity => {
  const party = newParty(name)
  const extensions = [
    extension(19, true, sequence()),
    extension(15, true, bits(Buffer.from([0b1000_0000]), 7)),
    ...more,
  ]
  const own = certificateOf(partyOf(authority), party, { ...lasting(validity), extensions })
  return identityOf(party, own + authority.certificate)
}

export const x509Certificates: Certificates = {
  authority: (name, validity) => {
    const party = newParty(name)
    // keyCertSign and cRLSign; no further authorities below it.
    const usage = extension(15, true, bits(Buffer.from([0b0000_0110]), 1))
    const extensions = [extension(19, true, sequence(isTrue, integer(0))), usage]
    return identityOf(party, certificateOf(party, party, { ...lasting(validity), extensions }))
  },
  issue: (authority, hosts, validity) =>
    issued(authority, hosts[0] ?? '', validity, [serverUsage, extension(17, false, sequence(...hosts.map(dnsName)))]),
  issueClient: (authority, name, validity) => issued(authority, name, validity, [clientUsage]),
  read: (pem, authority) => {
    try {
      return readIn(pem, authority)
    } catch {
      return undefined
    }
  },
}
