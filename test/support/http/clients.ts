/**
 * Every client of a server, with the servers for them. Their certificate is for a name that only proxies resolve, to this
 * machine.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { createServer as createNetServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import * as E from 'fp-ts/lib/Either.js'
import { dialTcp } from '../../../src/adapters/buildkit/rpc/dial.ts'
import { dialDocker } from '../../../src/adapters/docker/grpc.ts'
import { httpClient } from '../../../src/adapters/http/client.ts'
import { accessOf } from '../../../src/adapters/kube/access.ts'
import { type ApiTransport, openTransport } from '../../../src/adapters/kube/api/transport.ts'
import { nodeNetwork } from '../../../src/adapters/network/network.ts'
import { httpRegistry } from '../../../src/adapters/registry/client.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'
import { memoryHome } from '../../memory/home.ts'
import { switching, usualPing } from '../build/docker-fake.ts'
import { realClusters } from '../e2e/real-cluster.ts'
import { closing, join as joinStreams, listening } from '../http/proxy.ts'
import { manifestType, sha256 } from '../registry/fake.ts'

export type Env = Readonly<Record<string, string>>

const folder = mkdtempSync(join(tmpdir(), 'devtool-clients-'))
export const tlsPath = (name: string): string => new URL(`../tls/${name}`, import.meta.url).pathname
export const tlsFile = (name: string): Buffer => readFileSync(tlsPath(name))
/** The name that the certificate of these tests is for; only proxies know where it is. */
export const host = 'builder.example.com'
export const trusting: Env = { SSL_CERT_FILE: tlsPath('ca.pem') }
const manifest = '{"schemaVersion":2}'

const api: RequestListener = ({ url = '' }, response) => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', uid: 'u', resourceVersion: '1' } }
  if (url.includes('watch=true')) response.write(`${JSON.stringify({ type: 'ADDED', object })}\n`)
  else response.end(JSON.stringify(object))
}

/** A registry with its token service, the API server, a page, and the Docker daemon, by the path. */
const everything: RequestListener = (asked, response) => {
  const { headers, url = '' } = asked
  if (url.startsWith('/api/')) return api(asked, response)
  if (url === '/_ping') return void response.writeHead(200, usualPing).end('OK')
  if (url.startsWith('/token')) return void response.end('{"token":"given"}')
  if (!url.startsWith('/v2/')) return void response.end('page')
  if (headers.authorization === 'Bearer given') {
    return void response
      .writeHead(200, { 'content-type': manifestType, 'docker-content-digest': sha256(manifest) })
      .end()
  }
  const realm = `https://${host}:${securedPort}/token`
  response.writeHead(401, { 'www-authenticate': `Bearer realm="${realm}",service="s"` }).end()
}

const secured = createServer({ key: tlsFile('server-key.pem'), cert: tlsFile('server.pem') }, everything)
const plain = createHttpServer(everything)
for (const server of [secured, plain]) {
  server.on('upgrade', (_asked, socket) => {
    socket.write(switching)
    joinStreams(socket, socket)
  })
}
const greeting = createNetServer((socket) => socket.end('hello'))
const [closeSecured, closePlain, closeGreeting] = [closing(secured), closing(plain), closing(greeting)]
export const [securedPort, plainPort] = [await listening(secured), await listening(plain)]
const greetingPort = await listening(greeting)

export const closeClients = (): void => {
  for (const close of [closeSecured, closePlain, closeGreeting]) close()
  rmSync(folder, { recursive: true })
}

export const key = { resource: resources.ConfigMap, namespace: 'n', name: 'a' }
const { signal } = new AbortController()
const server = `https://${host}:${securedPort}`

export const connectKube = async (env: Env, cluster: object = {}): Promise<Cluster> => {
  const config = join(folder, 'config')
  const one = {
    clusters: [{ name: 'a', cluster: { server, ...cluster } }],
    users: [{ name: 'a', user: { token: 't' } }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
  }
  writeFileSync(config, JSON.stringify(one))
  const connected = await realClusters(env).connect({ file: config, context: 'a' })()
  if (E.isLeft(connected)) throw new Error(connected.left.message)
  return connected.right
}

const upstreamOf = (env: Env): ApiTransport =>
  openTransport(
    accessOf(
      {
        server: new URL(server),
        cluster: { server },
        user: {},
        file: 'config',
        env,
        isTerminal: false,
        say: () => {},
        store: memoryHome(),
      },
      systemClock,
    ),
  )

/** Each returns `fine`, or the reason for its failure. */
export const clients: Readonly<Record<string, (env: Env) => Promise<string>>> = {
  'the API server': async (env) => {
    const cluster = await connectKube(env)
    const got = await cluster.get(key)()
    cluster.close()
    if (E.isRight(got)) return 'fine'
    return got.left._tag === 'Unreachable' ? got.left.cause : got.left._tag
  },
  'a watch of the API server': async (env) => {
    const cluster = await connectKube(env)
    const selection = { resource: resources.ConfigMap, namespace: 'n', version: '1' }
    for await (const event of cluster.watch(selection, signal)) {
      cluster.close()
      if (event._tag === 'Seen') return 'fine'
      if (event._tag === 'Failed' && event.failure._tag === 'Unreachable') return event.failure.cause
    }
    return 'nothing'
  },
  'an upgrade of the API server': async (env) => {
    const upstream = upstreamOf(env)
    const headers = { connection: 'Upgrade', upgrade: 'h2c' }
    const upgraded = await upstream.upgrade({ method: 'GET', path: '/x', headers, signal, isStream: true })()
    if (E.isLeft(upgraded)) return upgraded.left.cause
    if (upgraded.right._tag === 'Answered') return 'answered'
    const { socket } = upgraded.right
    socket.write('echo')
    const [echoed]: ReadonlyArray<unknown> = await new Promise((resolve) => {
      socket.once('data', (bytes: Buffer) => resolve([bytes.toString()]))
    })
    socket.destroy()
    upstream.close()
    return echoed === 'echo' ? 'fine' : String(echoed)
  },
  'a registry and its tokens': async (env) => {
    const credentials = { of: async () => undefined }
    const registry = httpRegistry({
      clock: systemClock,
      client: httpClient(env, systemClock),
      credentials,
      pauseMs: 1,
      timeoutMs: 5000,
    })
    const found = await registry.digestOf(`${host}:${securedPort}/app:1`, signal)()
    return E.isRight(found) ? (found.right === sha256(manifest) ? 'fine' : String(found.right)) : found.left.message
  },
  'Docker with TLS': async (env) => {
    const dialled = await dialDocker(
      { clock: systemClock, host: { _tag: 'Tcp', host, port: securedPort, isTls: true }, env },
      signal,
      5000,
    )()
    if (E.isLeft(dialled)) return dialled.left
    dialled.right.destroy()
    return 'fine'
  },
  'Docker without TLS': async (env) => {
    const dialled = await dialDocker(
      { clock: systemClock, host: { _tag: 'Tcp', host, port: plainPort, isTls: false }, env },
      signal,
      5000,
    )()
    if (E.isLeft(dialled)) return dialled.left
    dialled.right.destroy()
    return 'fine'
  },
  BuildKit: async (env) => {
    const dialled = await dialTcp(systemClock, { host, port: greetingPort }, env)()
    if (E.isLeft(dialled)) return dialled.left
    return (await text(dialled.right)) === 'hello' ? 'fine' : 'something else'
  },
  'an endpoint with TLS': async (env) => {
    const answer = await nodeNetwork(env, systemClock).ask(`${server}/page`, 5000)()
    return answer._tag === 'Silent' ? answer.text : answer.status === 200 ? 'fine' : String(answer.status)
  },
  'an endpoint without TLS': async (env) => {
    const answer = await nodeNetwork(env, systemClock).ask(`http://${host}:${plainPort}/page`, 5000)()
    return answer._tag === 'Silent' ? answer.text : answer.status === 200 ? 'fine' : String(answer.status)
  },
  'an endpoint that is a port': async (env) => {
    const reached = await nodeNetwork(env, systemClock).reach(host, greetingPort, 5000)()
    return reached._tag === 'Open' ? 'fine' : reached.text
  },
}
