/** Files that hold keys or other files, recognised by their first bytes. */

/** One character per byte; `at`: the offset of the signature. */
type Signature = { readonly what: string; readonly begin: string; readonly at?: number }

const archive = 'an archive'
const keyStore = 'a key store'

const signatures: ReadonlyArray<Signature> = [
  { what: archive, begin: 'PK\x03\x04' },
  { what: archive, begin: 'PK\x05\x06' },
  { what: archive, begin: '\x1f\x8b' },
  { what: archive, begin: 'BZh' },
  { what: archive, begin: '\xfd7zXZ\x00' },
  { what: archive, begin: '\x28\xb5\x2f\xfd' },
  { what: archive, begin: '7z\xbc\xaf\x27\x1c' },
  { what: archive, begin: 'Rar!\x1a\x07' },
  { what: archive, begin: '!<arch>\n' },
  { what: archive, begin: 'ustar', at: 257 },
  { what: keyStore, begin: '\xfe\xed\xfe\xed' },
  { what: keyStore, begin: '\xce\xce\xce\xce' },
  { what: keyStore, begin: '\x03\xd9\xa2\x9a' },
  { what: keyStore, begin: 'openssh-key-v1\x00' },
]

/**
 * ASN.1: a sequence, its length, and the version of PKCS#12 (3), or that of a private key (0 or 1) with what follows
 * it.
 */
const der = /^\x30(?:[\x00-\x7f]|\x81[^]|\x82[^]{2}|\x83[^]{3})\x02\x01(?:(\x03\x30)|[\x00\x01][\x02\x04\x30])/

const headBytes = 512

export const secretType = (bytes: Uint8Array): string | undefined => {
  const text = Array.from(bytes.subarray(0, headBytes), (byte) => String.fromCharCode(byte)).join('')
  const known = signatures.find(({ at = 0, begin }) => text.startsWith(begin, at))
  if (known !== undefined) return known.what
  const found = der.exec(text)
  if (found === null) return undefined
  return found[1] === undefined ? 'a private key' : keyStore
}
