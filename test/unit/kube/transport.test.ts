/** Credentials, connections and what goes wrong with them, against servers of our own. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { accessOf } from '../../../src/adapters/kube/access.ts'
import type { Access, Grant } from '../../../src/adapters/kube/api/transport.ts'
import { makeIdentity } from '../../../src/adapters/kube/proxy/certificate.ts'
import type { Failure } from '../../../src/domain/cluster/failure.ts'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'
import { type MemoryClock, memoryClock } from '../../memory/clock.ts'
import { memoryHome } from '../../memory/home.ts'
import { realClusters } from '../../support/e2e/real-cluster.ts'

type Context = { folder: string; ends: Array<() => void> }

const test = suite<Context>('transport')

test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'transport-'))
  context.ends = []
})
test.after.each(({ ends, folder }) => {
  for (const end of ends) end()
  rmSync(folder, { recursive: true })
})

const listen = async (server: Server, { ends }: Context): Promise<number> => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  ends.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const objectOf = (name: string): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, uid: 'u', resourceVersion: '1' } })

const key = (name: string) => ({ resource: resources.ConfigMap, namespace: 'n', name })

type Ways = {
  readonly server: string
  readonly cluster?: object
  readonly user?: object
  readonly env?: Readonly<Record<string, string>>
}

const open = async (context: Context, { cluster, env = {}, server, user }: Ways): Promise<Cluster> => {
  const file = join(context.folder, 'config')
  const config = {
    clusters: [{ name: 'a', cluster: { server, ...cluster } }],
    users: [{ name: 'a', user: user ?? {} }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
  }
  writeFileSync(file, JSON.stringify(config))
  const connected = await realClusters({ PATH: process.env['PATH'], ...env }).connect({ file, context: 'a' })()
  if (E.isLeft(connected)) throw new Error(connected.left.message)
  context.ends.push(connected.right.close)
  return connected.right
}

const plain = async (context: Context, listener: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listen(createServer(listener), context)}`

/** A plugin that prints `token-1`, then `token-2`, and writes down that it ran. */
const rotating = (folder: string, expiry = '') => {
  const status = `{\\"token\\":\\"token-$n\\"${expiry}}`
  const script = `echo x >> ${folder}/runs; n=$(wc -l < ${folder}/runs); echo "{\\"kind\\":\\"ExecCredential\\",\\"status\\":${status}}"`
  return { exec: { command: 'sh', args: ['-c', script.replaceAll('$n', '${n}')] } }
}

const runsOf = ({ folder }: Context): number => readFileSync(join(folder, 'runs'), 'utf8').split('\n').length - 1

const tokenOf = ({ headers }: IncomingMessage): string => headers.authorization ?? ''

const unreachable = (result: E.Either<Failure, unknown>): string =>
  E.isLeft(result) && result.left._tag === 'Unreachable' ? result.left.cause : JSON.stringify(result)

test('rejected credentials are renewed once for all requests', async (context) => {
  const server = await plain(context, (request, response) => {
    const isOld = tokenOf(request) === 'Bearer token-1'
    response.writeHead(isOld ? 401 : 200).end(isOld ? '{}' : objectOf('a'))
  })
  const cluster = await open(context, { server, user: rotating(context.folder) })
  const got = await Promise.all(Array.from({ length: 10 }, () => cluster.get(key('a'))()))
  assert.is(got.filter(E.isRight).length, 10)
  assert.is(runsOf(context), 2)
})

test('credentials that are rejected again are not renewed in a loop', async (context) => {
  const server = await plain(context, (_request, response) => {
    response.writeHead(401).end('{"kind":"Status","code":401,"reason":"Unauthorized","message":"no"}')
  })
  const cluster = await open(context, { server, user: rotating(context.folder) })
  const got = await cluster.get(key('a'))()
  assert.ok(E.isLeft(got) && got.left._tag === 'Refused' && got.left.status === 401)
  assert.is(runsOf(context), 2)
})

const accessWith = (context: Context, clock: MemoryClock, user: JsonObject): Access => {
  const server = 'http://127.0.0.1'
  const access = accessOf(
    {
      server: new URL(server),
      cluster: { server },
      user,
      file: join(context.folder, 'config'),
      env: { PATH: process.env['PATH'] },
      isTerminal: false,
      say: () => {},
      store: memoryHome(),
    },
    clock,
  )
  context.ends.push(access.close)
  return access
}

test('credentials are renewed 10 seconds before they expire, and not sooner', async (context) => {
  const clock = memoryClock('2026-11-21T10:00:00Z')
  const user = rotating(context.folder, `,\\"expirationTimestamp\\":\\"2026-11-21T10:01:00Z\\"`)
  const access = accessWith(context, clock, user)
  const tokenAfter = async (ms: number): Promise<unknown> => {
    await clock.advance(ms)
    return E.map(({ headers }: Grant) => headers['authorization'])(await access.grant())
  }
  assert.equal(await tokenAfter(0), E.right('Bearer token-1'))
  assert.equal(await tokenAfter(49_999), E.right('Bearer token-1'))
  assert.equal(await tokenAfter(1), E.right('Bearer token-2'))
})

test('a request with outdated credentials uses those renewed meanwhile', async (context) => {
  const access = accessWith(context, memoryClock(), { ...rotating(context.folder) })
  const old = await access.grant()
  if (E.isLeft(old)) throw new Error(old.left)
  const renewed = await access.renew(old.right)()
  assert.equal(await access.renew(old.right)(), renewed)
  assert.is(runsOf(context), 2)
})

test('credentials that are already expired are used for a second, not renewed for every request', async (context) => {
  const clock = memoryClock('2026-11-21T10:00:00Z')
  const user = rotating(context.folder, `,\\"expirationTimestamp\\":\\"2020-01-01T00:00:00Z\\"`)
  const access = accessWith(context, clock, user)
  for (let times = 0; times < 5; times += 1) await access.grant()
  assert.is(runsOf(context), 1)
  await clock.advance(1000)
  await access.grant()
  assert.is(runsOf(context), 2)
})

test('requests share at most sixteen connections, and streams use none of them', async (context) => {
  const sockets = new Set<unknown>()
  const server = await plain(context, (request, response) => {
    if (request.url?.includes('watch') === true) return void response.write('\n')
    sockets.add(request.socket)
    setTimeout(() => response.end(objectOf('a')), 10)
  })
  const cluster = await open(context, { server })
  const stop = new AbortController()
  const watches = Array.from({ length: 20 }, async () => {
    const watch = cluster.watch({ resource: resources.Pod, version: '1' }, stop.signal)
    for await (const _event of watch) break
  })
  const got = await Promise.all(Array.from({ length: 100 }, () => cluster.get(key('a'))()))
  assert.is(got.filter(E.isRight).length, 100)
  assert.is(sockets.size, 16)
  stop.abort()
  await Promise.all(watches)
})

test('a truncated body is requested again', async (context) => {
  let times = 0
  const server = await plain(context, (_request, response) => {
    times += 1
    if (times > 2) return void response.end(objectOf('a'))
    if (times === 1) response.setHeader('content-length', 1000)
    response.write('{"kind":', () => response.destroy())
  })
  const cluster = await open(context, { server })
  assert.ok(E.isRight(await cluster.get(key('a'))()))
  assert.is(times, 3)
})

test('a creation is retried if the server has not started it', async (context) => {
  let times = 0
  const server = await plain(context, (_request, response) => {
    times += 1
    if (times === 1) response.writeHead(503, { 'retry-after': '0' }).end('{}')
    else if (times === 2) response.writeHead(429, { 'retry-after': '0' }).end('{}')
    else response.writeHead(500).end('{}')
  })
  const cluster = await open(context, { server })
  const made = await cluster.create({ resource: resources.ConfigMap, namespace: 'n' }, {}, { manager: 'm' })()
  assert.ok(E.isLeft(made) && made.left._tag === 'Refused' && made.left.status === 500)
  assert.is(times, 3)
})

test('warnings of the server are returned with the written object', async (context) => {
  const server = await plain(context, (_request, response) => {
    response.setHeader('warning', ['299 - "old \\"v1\\""', '299 - "odd"'])
    response.writeHead(201).end(objectOf('a'))
  })
  const cluster = await open(context, { server })
  const written = await cluster.apply(key('a'), '{}', { manager: 'm' })()
  assert.ok(E.isRight(written) && written.right.isNew)
  assert.equal(E.isRight(written) ? written.right.warnings : [], ['old "v1"', 'odd'])
})

test('a path before the API is kept', async (context) => {
  const server = await plain(context, (request, response) => void response.end(objectOf(request.url ?? '')))
  const cluster = await open(context, { server: `${server}/k8s/clusters/c-1/` })
  const got = await cluster.get(key('a'))()
  assert.is(E.isRight(got) ? got.right?.metadata.name : '', '/k8s/clusters/c-1/api/v1/namespaces/n/configmaps/a')
})

const secure = async (context: Context, proxied: Array<string> = []) => {
  const { certificate, key: secret } = makeIdentity(Date.now())
  const server = createSecureServer({ cert: certificate, key: secret }, (_request, response) => {
    response.end(objectOf('a'))
  })
  const port = await listen(server, context)
  const proxy = createServer()
  proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
    proxied.push(request.url ?? '')
    const upstream = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      upstream.pipe(socket).pipe(upstream)
    })
    for (const one of [socket, upstream]) one.on('error', () => {})
  })
  const data = { 'certificate-authority-data': Buffer.from(certificate).toString('base64') }
  return { server: `https://127.0.0.1:${port}`, data, proxy: `http://127.0.0.1:${await listen(proxy, context)}` }
}

test('a certificate is checked against the authority of the kubeconfig', async (context) => {
  const { data, server } = await secure(context)
  assert.ok(E.isRight(await (await open(context, { server, cluster: data })).get(key('a'))()))
  const strange = await (await open(context, { server })).get(key('a'))()
  assert.match(unreachable(strange), 'its certificate is self-signed')
  const insecure = await open(context, { server, cluster: { 'insecure-skip-tls-verify': true } })
  assert.ok(E.isRight(await insecure.get(key('a'))()))
})

test('a proxy of the kubeconfig is used, and keeps its connections', async (context) => {
  const proxied: Array<string> = []
  const { data, proxy, server } = await secure(context, proxied)
  const cluster = await open(context, { server, cluster: { ...data, 'proxy-url': proxy } })
  assert.ok(E.isRight(await cluster.get(key('a'))()))
  assert.ok(E.isRight(await cluster.get(key('a'))()))
  assert.equal(proxied, [server.slice('https://'.length)])
})

test('impersonation is sent with every group', async (context) => {
  let seen: IncomingMessage['headers'] = {}
  const server = await plain(context, (request, response) => {
    seen = request.headersDistinct['impersonate-group'] === undefined ? {} : request.headers
    response.end(objectOf(request.headersDistinct['impersonate-group']?.join(' ') ?? ''))
  })
  const user = { as: 'jane', 'as-groups': ['a', 'b'], username: 'u', password: 'p' }
  const got = await (await open(context, { server, user })).get(key('a'))()
  assert.is(E.isRight(got) ? got.right?.metadata.name : '', 'a b')
  assert.is(seen['impersonate-user'], 'jane')
  assert.is(seen.authorization, `Basic ${Buffer.from('u:p').toString('base64')}`)
})

test('a server that never responds is reported soon, with the reason', async (context) => {
  const cluster = await open(context, { server: 'http://127.0.0.1:1' })
  assert.is(unreachable(await cluster.get(key('a'))()), 'connection refused')
  const { signal } = new AbortController()
  const events: Array<string> = []
  for await (const event of cluster.watch({ resource: resources.Pod, version: '1' }, signal)) {
    events.push(event._tag === 'Failed' ? unreachable(E.left(event.failure)) : event._tag)
  }
  assert.equal(events, ['connection refused'])
})

test.run()
