/** Certificates of a private authority, for a server on this machine and its client. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask, pathOf } from './programs.ts'

/** Paths. `server` and `client` are folders with ca.pem, cert.pem and key.pem; `authority` one with ca.pem alone. */
export type Certificates = { readonly server: string; readonly client: string; readonly authority: string }

const days = '2'
const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'] as const

/** Written to a new folder. */
export const makeCertificates = (folder: string): Certificates => {
  const openssl = (...args: ReadonlyArray<string>): Buffer => ask(pathOf('openssl'), args)
  const authority = join(folder, 'authority')
  const signer = join(folder, 'signer.pem')
  mkdirSync(authority, { recursive: true })
  const ca = join(authority, 'ca.pem')
  openssl('req', '-x509', ...key, '-keyout', signer, '-out', ca, '-days', days, '-subj', '/CN=authority of a test')
  const issue = (name: string, usage: string): string => {
    const own = join(folder, name)
    mkdirSync(own)
    const [request, extensions] = [join(folder, `${name}.csr`), join(folder, `${name}.ext`)]
    writeFileSync(extensions, `subjectAltName=IP:127.0.0.1,DNS:builder.example.com\nextendedKeyUsage=${usage}\n`)
    openssl('req', ...key, '-keyout', join(own, 'key.pem'), '-out', request, '-subj', `/CN=${name} of a test`)
    const signed = ['-CA', ca, '-CAkey', signer, '-CAcreateserial', '-days', days, '-extfile', extensions]
    openssl('x509', '-req', '-in', request, ...signed, '-out', join(own, 'cert.pem'))
    openssl('x509', '-in', ca, '-out', join(own, 'ca.pem'))
    return own
  }
  return { authority, server: issue('server', 'serverAuth'), client: issue('client', 'clientAuth') }
}
