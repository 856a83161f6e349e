/**
 * A self-signed certificate for the loopback address: clients send a token only over TLS. Its key never leaves the
 * process.
 */
import type { Identity } from '../../../ports/certificates.ts'
import { certificateOf, dnsName, extension, identityOf, newParty, serverUsage } from '../../x509/certificate.ts'
import { bits, inPlace, isTrue, sequence } from '../../x509/der.ts'

const dayMs = 24 * 3_600_000

/** Valid for 127.0.0.1 for two months, beginning a day ago, since clocks in containers may differ. */
export const makeIdentity = (nowMs: number): Identity => {
  const party = newParty('devtool')
  const extensions = [
    extension(19, true, sequence(isTrue)),
    // digitalSignature and keyCertSign: strict clients require the latter of a self-signed certificate.
    extension(15, true, bits(Buffer.from([0x84]), 2)),
    serverUsage,
    extension(17, false, sequence(inPlace(7, Buffer.from([127, 0, 0, 1])), dnsName('localhost'))),
  ]
  const validity = { from: nowMs - dayMs, until: nowMs + 60 * dayMs }
  return identityOf(party, certificateOf(party, party, { ...validity, extensions }))
}
