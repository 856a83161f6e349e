/** Certificates of the platform's own authorities. */
import type { Task } from 'fp-ts/lib/Task.js'

/** Both as PEM. */
export type Identity = { readonly key: string; readonly certificate: string }

/** `fingerprint`: SHA-256 of the certificate, as openssl prints it: `39:C2:...`. */
export type ReadCertificate = {
  readonly hosts: ReadonlyArray<string>
  readonly endsMs: number
  readonly fingerprint: string
}

/** Valid from an hour before `nowMs`, as clocks differ, for `days`. */
export type Validity = { readonly nowMs: number; readonly days: number }

export type Certificates = {
  /** A certificate that can sign others, signed by itself. */
  readonly authority: (name: string, validity: Validity) => Identity
  /** With the certificate of the authority after its own. */
  readonly issue: (authority: Identity, hosts: ReadonlyArray<string>, validity: Validity) => Identity
  /** For a client of servers that the authority has signed; it is not valid for a server. */
  readonly issueClient: (authority: Identity, name: string, validity: Validity) => Identity
  /** The first certificate of a PEM text, if it was signed by the first one of `authority`. */
  readonly read: (pem: string, authority: string) => ReadCertificate | undefined
}

export type LazyCertificates = Task<Certificates>
