/** Custom certificate authorities: those in SSL_CERT_FILE and SSL_CERT_DIR are trusted in addition to Node's. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import type { Env } from './proxy.ts'

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Missing files count as empty, as in OpenSSL and Go: some systems set the variables to files that do not exist. */
const certificatesIn = (file: string): ReadonlyArray<string> => {
  try {
    // A pipe or a device may have no end.
    return statSync(file).isFile() ? (readFileSync(file, 'utf8').match(block) ?? []) : []
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

/** PEM; `undefined` when the variables are unset, so that Node decides, also by NODE_EXTRA_CA_CERTS. */
export const ownAuthorities = (env: Env): Array<string> | undefined => {
  const folders = given(env['SSL_CERT_DIR']).flatMap((list) => list.split(':'))
  const named = [...given(env['SSL_CERT_FILE']), ...folders.flatMap(filesIn)].flatMap(certificatesIn)
  if (named.length === 0) return undefined
  // With a list of our own, Node adds neither its roots nor NODE_EXTRA_CA_CERTS.
  const extra = given(env['NODE_EXTRA_CA_CERTS']).flatMap(certificatesIn)
  return [...new Set([...rootCertificates, ...extra, ...named])]
}
