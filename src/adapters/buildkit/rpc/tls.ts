/** TLS credentials for a builder, from a folder of PEM files. */

import { createPrivateKey, X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { readRegular } from '../../paths/regular.ts'
import type { Tls } from './dial.ts'

type TlsResult<A> = E.Either<string, A>
type TlsFile = 'ca' | 'cert' | 'key'

const authorities: ReadonlyArray<string> = ['ca.pem', 'ca.crt']
const pairs: ReadonlyArray<readonly [certificate: string, key: string]> = [
  ['cert.pem', 'key.pem'],
  ['tls.crt', 'tls.key'],
]

const isMissing = (cause: unknown): boolean => cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
const textOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** `undefined` when there is no such file. */
const readOptional = async (file: string): Promise<TlsResult<Buffer | undefined>> => {
  try {
    return E.right(readRegular(file))
  } catch (cause) {
    return isMissing(cause) ? E.right(undefined) : E.left(`${file}: cannot be read (${textOf(cause)})`)
  }
}

/** OpenSSL's message about an invalid file names neither the file nor what was expected, and may quote it. */
const faultIn = (part: TlsFile, file: string, pem: Buffer): string | undefined => {
  try {
    return (part === 'key' ? createPrivateKey(pem) : new X509Certificate(pem)) && undefined
  } catch {
    if (part !== 'key') return `${file}: is not a certificate in PEM`
    return pem.includes('ENCRYPTED')
      ? `${file}: the key needs a passphrase; store it without one`
      : `${file}: is not a private key in PEM`
  }
}

type PemFile = { readonly file: string; readonly pem: Buffer }

/** The first of several files that exists. */
const findFirst = async (folder: string, names: ReadonlyArray<string>): Promise<TlsResult<PemFile | undefined>> => {
  for (const name of names) {
    const file = join(folder, name)
    const pem = await readOptional(file)
    if (E.isLeft(pem)) return pem
    if (pem.right !== undefined) return E.right({ file, pem: pem.right })
  }
  return E.right(undefined)
}

const checkAuthority =
  (folder: string) =>
  (found: PemFile | undefined): TlsResult<Buffer> => {
    if (found === undefined) return E.left(`${folder}: contains neither ${authorities.join(' nor ')}`)
    const fault = faultIn('ca', found.file, found.pem)
    return fault === undefined ? E.right(found.pem) : E.left(fault)
  }

const checkPair = (certificate: PemFile, key: PemFile): TlsResult<Pick<Tls, 'cert' | 'key'>> => {
  const fault = faultIn('cert', certificate.file, certificate.pem) ?? faultIn('key', key.file, key.pem)
  if (fault !== undefined) return E.left(fault)
  return new X509Certificate(certificate.pem).checkPrivateKey(createPrivateKey(key.pem))
    ? E.right({ cert: certificate.pem, key: key.pem })
    : E.left(`${key.file}: is not the key of ${certificate.file}`)
}

const readPair = async (folder: string): Promise<TlsResult<Pick<Tls, 'cert' | 'key'>>> => {
  for (const [certificateName, keyName] of pairs) {
    const certificate = await findFirst(folder, [certificateName])
    if (E.isLeft(certificate)) return certificate
    const key = await findFirst(folder, [keyName])
    if (E.isLeft(key)) return key
    if (certificate.right === undefined && key.right === undefined) continue
    if (certificate.right === undefined)
      return E.left(`${join(folder, certificateName)}: is missing, and there is a ${keyName}`)
    if (key.right === undefined)
      return E.left(`${join(folder, keyName)}: is missing, and there is a ${certificateName}`)
    return checkPair(certificate.right, key.right)
  }
  return E.right({})
}

/**
 * `ca.pem` or `ca.crt`, and for client authentication `cert.pem` with `key.pem`, or `tls.crt` with `tls.key`. Errors
 * name the file.
 */
export const readTls = async (folder: string): Promise<TlsResult<Tls>> => {
  const ca = E.flatMap(checkAuthority(folder))(await findFirst(folder, authorities))
  const pair = await readPair(folder)
  return E.flatMap((pem: Buffer) => E.map((own: Pick<Tls, 'cert' | 'key'>) => ({ ca: pem, ...own }))(pair))(ca)
}
