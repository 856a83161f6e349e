/** Certificates of the platform's own authority, as TLS takes them. */
import { connect, createServer } from 'node:tls'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { x509Certificates } from '../../../src/adapters/x509/certificates.ts'
import { certificateFor, ofPlatform } from '../../../src/app/install/certificate.ts'
import { encodeBase64Text } from '../../../src/domain/text/base64.ts'
import { memoryClock } from '../../memory/clock.ts'
import { type MemoryCluster, memoryCluster } from '../../memory/cluster.ts'

const { authority, issue, read } = x509Certificates
const now = { nowMs: Date.now(), days: 30 }

/** Why a client that trusts `trusted` refuses the server, or `undefined`. */
const refused = async (
  server: ReturnType<typeof issue>,
  trusted: string,
  host: string,
): Promise<string | undefined> => {
  const listening = createServer({ cert: server.certificate, key: server.key }, (socket) => {
    socket.on('error', () => {}).end()
  })
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const address = listening.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  try {
    return await new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.1', port, servername: host, ca: trusted })
      socket.once('secureConnect', () => {
        socket.destroy()
        resolve(undefined)
      })
      socket.once('error', (cause: NodeJS.ErrnoException) => resolve(cause.code))
    })
  } finally {
    listening.close()
  }
}

test('a server with a certificate of the authority is trusted by clients that trust the authority', async () => {
  const own = authority('devtool platform', now)
  const server = issue(own, ['devtool.apps.example.com'], now)
  assert.is(await refused(server, own.certificate, 'devtool.apps.example.com'), undefined)
  assert.is(await refused(server, own.certificate, 'other.example.com'), 'ERR_TLS_CERT_ALTNAME_INVALID')
  const other = authority('devtool platform', now)
  assert.ok((await refused(server, other.certificate, 'devtool.apps.example.com')) !== undefined)
  const known = read(server.certificate, own.certificate)
  assert.equal(known?.hosts, ['devtool.apps.example.com'])
  assert.is(read(server.certificate, other.certificate), undefined)
  assert.is(read('nothing', own.certificate), undefined)
})

const NOW = '2026-11-21T10:00:00Z'
const LATER = '2028-11-21T10:00:00Z'

const made = async (cluster: MemoryCluster, domain: string, date = NOW) => {
  const ports = { certificates: () => Promise.resolve(x509Certificates), clock: memoryClock(date) }
  const asked = { target: { cluster }, signal: new AbortController().signal }
  const result = await certificateFor(ports, asked, ofPlatform(domain))()
  if (result._tag === 'Left') throw new Error(result.left.message)
  const { authority: signing, server } = result.right
  const secret = (name: string, data: Readonly<Record<string, string>>) =>
    cluster.put({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace: 'devtool-system' },
      data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, encodeBase64Text(text)])),
    })
  secret('devtool-ca', { 'ca.crt': signing.certificate, 'ca.key': signing.key })
  secret('devtool-self-signed', { 'tls.crt': server.certificate, 'tls.key': server.key })
  return result.right
}

test('another installation keeps the authority, and the certificate unless it has expired or is for another host', async () => {
  const cluster = memoryCluster()
  const first = await made(cluster, 'apps.example.com')
  assert.equal(await made(cluster, 'apps.example.com'), first)
  const moved = await made(cluster, 'other.example.com')
  assert.equal(moved.authority, first.authority)
  assert.is.not(moved.server.certificate, first.server.certificate)
  assert.equal(read(moved.server.certificate, first.authority.certificate)?.hosts, ['devtool.other.example.com'])
  const later = await made(cluster, 'other.example.com', LATER)
  assert.is(later.fingerprint, first.fingerprint)
  assert.is.not(later.server.certificate, moved.server.certificate)
})

test.run()
