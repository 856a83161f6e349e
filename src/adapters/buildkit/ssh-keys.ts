/** Private key files without a passphrase, and an SSH agent that holds them. */
import { createPrivateKey, sign } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import ssh2, { type ParsedKey } from 'ssh2'
import { agentFailure } from './ssh-frames.ts'
import { wire } from './ssh-wire.ts'

const protectedKey = 'it has a passphrase: add it to an SSH agent with ssh-add'
const unknownKey = 'it is not a private key of a supported kind'

const pemOf = (label: string, body: Buffer): string =>
  `-----BEGIN ${label}-----\n${body.toString('base64').replace(/.{70}/g, '$&\n')}\n-----END ${label}-----\n`

/** The format of OpenSSH (PROTOCOL.key) for the two halves of an Ed25519 key. */
const openSshOf = (publicHalf: Buffer, privateHalf: Buffer): string => {
  const { text, uint32 } = wire
  const name = text('ssh-ed25519')
  const blob = Buffer.concat([name, text(publicHalf)])
  const halves = text(Buffer.concat([privateHalf, publicHalf]))
  const padding = Buffer.from([1, 2, 3, 4, 5])
  const inner = Buffer.concat([uint32(0), uint32(0), name, text(publicHalf), halves, text(''), padding])
  const head = [Buffer.from('openssh-key-v1\0'), text('none'), text('none'), text(''), uint32(1), text(blob)]
  return pemOf('OPENSSH PRIVATE KEY', Buffer.concat([...head, text(inner)]))
}

/** PKCS #8, which ssh2 does not read, in a format that it reads. */
const fromPkcs8 = (pem: string): string => {
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType === 'rsa') return key.export({ format: 'pem', type: 'pkcs1' }).toString()
  if (key.asymmetricKeyType === 'ec') return key.export({ format: 'pem', type: 'sec1' }).toString()
  if (key.asymmetricKeyType !== 'ed25519') return ''
  const { d = '', x = '' } = key.export({ format: 'jwk' })
  return openSshOf(Buffer.from(x, 'base64url'), Buffer.from(d, 'base64url'))
}

const isEncryptedPem = (text: string): boolean => /-----BEGIN ENCRYPTED |^Proc-Type: 4,ENCRYPTED/m.test(text)

/** The cipher is the first text after the magic word. */
const isEncryptedOpenSsh = (text: string): boolean => {
  const [, body = ''] = /-----BEGIN OPENSSH PRIVATE KEY-----([^-]*)/.exec(text) ?? []
  const head = Buffer.from(body.replace(/\s/g, ''), 'base64').toString('latin1', 0, 23)
  return head.startsWith('openssh-key-v1\0') && !head.endsWith('\0\0\0\x04none')
}

const signatureHashes: Readonly<Record<string, string>> = {
  'ecdsa-sha2-nistp256': 'sha256',
  'ecdsa-sha2-nistp384': 'sha384',
  'ecdsa-sha2-nistp521': 'sha512',
}

/** Left: why the key cannot be used, without any part of it. */
export const readSshKey = (text: string): E.Either<string, ParsedKey> => {
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return E.left(unknownKey)
  if (isEncryptedPem(text) || isEncryptedOpenSsh(text)) return E.left(protectedKey)
  try {
    const key = ssh2.utils.parseKey(text.includes('-----BEGIN PRIVATE KEY-----') ? fromPkcs8(text) : text)
    const isKnown = !(key instanceof Error) && key.isPrivateKey() && key.type !== 'ssh-dss'
    return isKnown ? E.right(key) : E.left(unknownKey)
  } catch {
    return E.left(unknownKey)
  }
}

/** The signature as SSH writes it: the two numbers of ECDSA as texts, those of other algorithms as they are. */
const signatureOf = (key: ParsedKey, data: Buffer, hash: string | undefined): Buffer => {
  const curveHash = signatureHashes[key.type]
  if (curveHash === undefined) return key.sign(data, hash)
  const pair = sign(curveHash, data, { key: key.getPrivatePEM(), dsaEncoding: 'ieee-p1363' })
  const half = pair.length / 2
  return Buffer.concat([wire.number(pair.subarray(0, half)), wire.number(pair.subarray(half))])
}

/**
 * The response of an agent with these keys to one complete message. Each message gets a new protocol object: an
 * incomplete message would leave the old one waiting for the rest.
 */
export const answerWith = (keys: ReadonlyArray<ParsedKey>, message: Uint8Array): Uint8Array => {
  const agent = new ssh2.AgentProtocol(false)
  agent.on('identities', (request) => agent.getIdentitiesReply(request, [...keys]))
  agent.on('sign', (request, asked, data, { hash }) => {
    const key = keys.find((one) => one.getPublicSSH().equals(asked.getPublicSSH()))
    if (key === undefined) agent.failureReply(request)
    else agent.signReply(request, signatureOf(key, data, hash))
  })
  agent.on('error', () => {})
  agent.write(message)
  const answer: unknown = agent.read()
  return answer instanceof Uint8Array ? answer : agentFailure
}
