/** Authorities of one's own: what SSL_CERT_FILE and SSL_CERT_DIR name is trusted beside what Node trusts by itself. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import type { Env } from './proxy.ts'

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** What is not there counts as empty, as it does for OpenSSL and Go: some systems name files that never are. */
const certificatesIn = (file: string): ReadonlyArray<string> => {
  try {
    return readFileSync(file, 'utf8').match(block) ?? []
  } catch {
    return []
  }
}

const filesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    return []
  }
}

const given = (text: string | undefined): ReadonlyArray<string> => (text === undefined || text === '' ? [] : [text])

/** PEM; `undefined` where nothing is named, so that Node decides, by NODE_EXTRA_CA_CERTS too. */
export const ownAuthorities = (env: Env): Array<string> | undefined => {
  const folders = given(env['SSL_CERT_DIR']).flatMap((list) => list.split(':'))
  const named = [...given(env['SSL_CERT_FILE']), ...folders.flatMap(filesIn)].flatMap(certificatesIn)
  if (named.length === 0) return undefined
  // With a list of our own, Node adds neither its roots nor these.
  const extra = given(env['NODE_EXTRA_CA_CERTS']).flatMap(certificatesIn)
  return [...new Set([...rootCertificates, ...extra, ...named])]
}
