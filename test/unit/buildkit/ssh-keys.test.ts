/** Files with private keys, as an agent answers with them. */
import { createPublicKey, generateKeyPairSync, type JsonWebKey, type KeyObject, verify } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import * as E from 'fp-ts/lib/Either.js'
import type { ParsedKey } from 'ssh2'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sshService } from '../../../src/adapters/buildkit/ssh.ts'
import { answerWith, readSshKey } from '../../../src/adapters/buildkit/ssh-keys.ts'
import { wire } from '../../../src/adapters/buildkit/ssh-wire.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { BytesMessageSchema } from '../../support/build/gen/buildkit_pb.ts'
import { callService } from '../../support/build/session-call.ts'
import { readWire } from '../../support/build/ssh-wire.ts'

const { number, text, uint32 } = wire
const data = Buffer.from('what is signed')

const generate = {
  ed25519: () => generateKeyPairSync('ed25519').privateKey,
  rsa: () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  nistp256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  nistp384: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey,
  nistp521: () => generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey,
} as const
type Kind = keyof typeof generate
const kinds = Object.keys(generate).filter((kind): kind is Kind => Object.hasOwn(generate, kind))

const partsOf = (jwk: JsonWebKey) => {
  const part = (name: 'n' | 'e' | 'd' | 'qi' | 'p' | 'q' | 'x' | 'y'): Buffer =>
    Buffer.from(jwk[name] ?? '', 'base64url')
  const point = (): Buffer => text(Buffer.concat([Buffer.from([4]), part('x'), part('y')]))
  const numbers = (names: ReadonlyArray<Parameters<typeof part>[0]>): Buffer =>
    Buffer.concat(names.map((name) => number(part(name))))
  return { numbers, part, point }
}

/** The fields of a public key after its name. */
const publicFieldsOf = (kind: Kind, jwk: JsonWebKey): Buffer => {
  const { numbers, part, point } = partsOf(jwk)
  if (kind === 'ed25519') return text(part('x'))
  return kind === 'rsa' ? numbers(['e', 'n']) : Buffer.concat([text(kind), point()])
}

/** The fields of a private key after its name. */
const privateFieldsOf = (kind: Kind, jwk: JsonWebKey): Buffer => {
  const { numbers, part, point } = partsOf(jwk)
  if (kind === 'ed25519') return Buffer.concat([text(part('x')), text(Buffer.concat([part('d'), part('x')]))])
  return kind === 'rsa'
    ? numbers(['n', 'e', 'd', 'qi', 'p', 'q'])
    : Buffer.concat([text(kind), point(), numbers(['d'])])
}

const nameOf = (kind: Kind): string => (kind === 'ed25519' || kind === 'rsa' ? `ssh-${kind}` : `ecdsa-sha2-${kind}`)

const openSsh = (kind: Kind, key: KeyObject, cipher = 'none'): string => {
  const jwk = key.export({ format: 'jwk' })
  const name = text(nameOf(kind))
  const blob = text(Buffer.concat([name, publicFieldsOf(kind, jwk)]))
  const unpadded = Buffer.concat([uint32(7), uint32(7), name, privateFieldsOf(kind, jwk), text('a comment')])
  const padding = Array.from({ length: (8 - (unpadded.length % 8)) % 8 }, (_, index) => index + 1)
  const inner = Buffer.concat([unpadded, Buffer.from(padding)])
  const kdf = cipher === 'none' ? 'none' : 'bcrypt'
  const head = [Buffer.from('openssh-key-v1\0'), text(cipher), text(kdf), text(''), uint32(1), blob]
  const body = Buffer.concat([...head, text(inner)]).toString('base64')
  const label = ['OPENSSH', 'PRIVATE', 'KEY'].join(' ')
  return `-----BEGIN ${label}-----\n${body.replace(/.{70}/g, '$&\n')}\n-----END ${label}-----\n`
}

const keyOf = (written: string): ParsedKey => {
  const read = readSshKey(written)
  if (E.isLeft(read)) throw new Error(read.left)
  return read.right
}

const hashes: Readonly<Record<string, string>> = {
  'ssh-rsa': 'sha1',
  'rsa-sha2-256': 'sha256',
  'rsa-sha2-512': 'sha512',
  'ecdsa-sha2-nistp256': 'sha256',
  'ecdsa-sha2-nistp384': 'sha384',
  'ecdsa-sha2-nistp521': 'sha512',
}
const sizes: Readonly<Partial<Record<Kind, number>>> = { nistp256: 32, nistp384: 48, nistp521: 66 }

/** The signature as node takes it. */
const plainSignature = (kind: Kind, signature: Buffer): Buffer => {
  const size = sizes[kind]
  if (size === undefined) return signature
  const pair = readWire(signature)
  const sized = (value: Buffer): Buffer => Buffer.concat([Buffer.alloc(size), value]).subarray(-size)
  return Buffer.concat([sized(pair.text()), sized(pair.text())])
}

const ask = (keys: ReadonlyArray<ParsedKey>, type: number, body: Buffer): Buffer =>
  readWire(answerWith(keys, text(Buffer.concat([Buffer.from([type]), body])))).text()

for (const kind of kinds) {
  const privateKey = generate[kind]()
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  for (const [form, written] of [
    ['PEM', pem],
    ['OpenSSH', openSsh(kind, privateKey)],
  ] as const) {
    test(`${kind} from ${form}: it is listed, and what it signs can be verified`, () => {
      const key = keyOf(written)
      const list = ask([key], 11, Buffer.alloc(0))
      const listed = readWire(list.subarray(1))
      assert.equal([list[0], listed.uint32(), readWire(listed.text()).text().toString()], [12, 1, nameOf(kind)])
      const wanted = kind === 'rsa' ? ['ssh-rsa', 'rsa-sha2-256', 'rsa-sha2-512'] : [nameOf(kind)]
      for (const [index, name] of wanted.entries()) {
        const answer = ask([key], 13, Buffer.concat([text(key.getPublicSSH()), text(data), uint32(index * 2)]))
        const signature = readWire(readWire(answer.subarray(1)).text())
        assert.equal([answer[0], signature.text().toString()], [14, name])
        const options = { key: createPublicKey(privateKey), dsaEncoding: 'ieee-p1363' } as const
        assert.ok(verify(hashes[name] ?? null, data, options, plainSignature(kind, signature.text())), name)
      }
    })
  }
}

test('PEM and OpenSSH files give the same key', () => {
  const privateKey = generate.rsa()
  const pem = privateKey.export({ format: 'pem', type: 'pkcs1' }).toString()
  assert.equal(keyOf(pem).getPublicSSH(), keyOf(openSsh('rsa', privateKey)).getPublicSSH())
})

test('requests for other keys, and malformed ones, are refused', () => {
  const [key, other] = [generate.ed25519(), generate.ed25519()].map((one) => keyOf(openSsh('ed25519', one)))
  assert.ok(key !== undefined && other !== undefined)
  const question = Buffer.concat([text(other.getPublicSSH()), text(data), uint32(0)])
  const refused = Buffer.from([5])
  assert.equal(ask([key], 13, question), refused)
  assert.equal(ask([other], 13, question.subarray(0, -3)), refused)
  assert.equal(ask([key], 17, Buffer.alloc(0)), refused)
})

test('unusable keys are reported with the reason and no part of the key', () => {
  const key = generate.ed25519()
  const own = openSsh('ed25519', key)
  const locked = key.export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'secret' }).toString()
  const x25519 = generateKeyPairSync('x25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  for (const [written, words] of [
    [openSsh('ed25519', key, 'aes256-ctr'), 'ssh-add'],
    [locked, 'ssh-add'],
    [own.slice(0, 200), 'not a private key of a supported kind'],
    [own.replace(/b3Bl/, 'AAAA'), 'not a private key of a supported kind'],
    [x25519, 'not a private key of a supported kind'],
    [createPublicKey(key).export({ format: 'pem', type: 'spki' }).toString(), 'not a private key of a supported kind'],
    ['', 'not a private key of a supported kind'],
  ] as const) {
    const read = readSshKey(written)
    assert.match(E.isLeft(read) ? read.left : 'read', words)
  }
})

test('a build step can use keys of several files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ssh-keys-'))
  const paths = kinds.map((kind) => join(folder, kind))
  for (const [index, kind] of kinds.entries()) writeFileSync(paths[index] ?? '', openSsh(kind, generate[kind]()))
  const service = sshService({ ssh: [{ id: 'own', paths }] }, { clock: systemClock, env: {} })
  const question = toBinary(BytesMessageSchema, create(BytesMessageSchema, { data: text(Buffer.from([11])) }))
  const headers = { 'buildkit.ssh.id': 'own' }
  const { answers, status } = await callService(service, '/moby.sshforward.v1.SSH/ForwardAgent', [question], {
    headers,
  })
  const [answer] = answers.map((message) => readWire(fromBinary(BytesMessageSchema, message).data).text())
  assert.equal([status, answer?.[0], answer?.readUInt32BE(1)], [undefined, 12, kinds.length])
  rmSync(folder, { recursive: true })
})

test.run()
