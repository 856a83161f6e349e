/** Every client comes to an end with servers and proxies that misbehave, in bounded memory, and says why. */
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { kitBuilders } from '../../../src/adapters/buildkit/builders.ts'
import { dialDocker } from '../../../src/adapters/docker/grpc.ts'
import { httpClient } from '../../../src/adapters/http/client.ts'
import { dial } from '../../../src/adapters/http/dial.ts'
import { accessOf } from '../../../src/adapters/kube/access.ts'
import { type Asker, asker } from '../../../src/adapters/kube/api/request.ts'
import { type ApiTransport, openTransport } from '../../../src/adapters/kube/api/transport.ts'
import { podsOf } from '../../../src/adapters/kube/pods/pods.ts'
import { getting, paging } from '../../../src/adapters/kube/read.ts'
import { watching } from '../../../src/adapters/kube/watch.ts'
import { nodeNetwork } from '../../../src/adapters/network/network.ts'
import { httpRegistry } from '../../../src/adapters/registry/client.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { memoryClusters } from '../../memory/clusters.ts'
import { memoryHome } from '../../memory/home.ts'
import { behaviours, hostileServer } from '../../support/http/hostile.ts'
import { closedAfterEach } from '../../support/process/opened.ts'

const opened = closedAfterEach(test)
const { signal } = new AbortController()

/** A minute is 0.3 s. */
const pace = 200
const fast: Clock = {
  ...systemClock,
  after: (ms, run) => systemClock.after(ms / pace, run),
  sleep: (ms, stop) => systemClock.sleep(ms / pace, stop),
}

const registryAt = (port: number) =>
  httpRegistry({
    clock: fast,
    client: httpClient({}, fast),
    credentials: { of: async () => ({ username: 'me', secret: 'geheim' }) },
    pauseMs: 1,
    timeoutMs: 30_000,
  }).digestOf(`127.0.0.1:${port}/app:1`, signal)

const transportAt = async <A>(port: number, run: (upstream: ApiTransport) => Promise<A>): Promise<A> => {
  const server = `http://127.0.0.1:${port}`
  const access = accessOf(
    {
      server: new URL(server),
      cluster: { server },
      user: {},
      file: 'config',
      env: {},
      isTerminal: false,
      say: () => {},
      store: memoryHome(),
    },
    fast,
  )
  try {
    return await run(openTransport(access))
  } finally {
    access.close()
  }
}

const apiAt = <A>(port: number, run: (ask: Asker) => Promise<A>): Promise<A> =>
  transportAt(port, (upstream) => run(asker(upstream, { clock: fast, random: () => 0 }, () => {})))

const pod = { namespace: 'n', name: 'p' }
const saidOf = (either: E.Either<unknown, unknown>): string | undefined =>
  E.isLeft(either) ? JSON.stringify(either.left) : undefined

/** What each client says of a server on this port; nothing when it takes it for a good one. */
const clients: Readonly<Record<string, (port: number) => Promise<string | undefined>>> = {
  'the registry client': async (port) => {
    const found = await registryAt(port)()
    return E.isLeft(found) ? `${found.left.code} ${found.left.message}` : undefined
  },
  'a read of one object': (port) =>
    apiAt(port, async (ask) => {
      const got = await getting(ask, 'server')({ resource: resources.ConfigMap, namespace: 'n', name: 'a' })()
      return E.isLeft(got) ? JSON.stringify(got.left) : undefined
    }),
  'a list of objects': (port) =>
    apiAt(port, async (ask) => {
      const got = await paging(ask)({ resource: resources.ConfigMap, namespace: 'n' }, { limit: 500 })()
      return E.isLeft(got) ? JSON.stringify(got.left) : undefined
    }),
  'a command in a pod': (port) =>
    transportAt(port, async (upstream) =>
      saidOf(await podsOf({ upstream, clock: fast }).exec(pod, { command: ['ls'] }, signal)()),
    ),
  'a connection to a pod': (port) =>
    transportAt(port, async (upstream) => saidOf(await podsOf({ upstream, clock: fast }).dial(pod, 80, signal)())),
  'a watch': (port) =>
    transportAt(port, async (upstream) => {
      const list = () => TE.left({ _tag: 'Aborted', asked: { verb: 'list', what: '' } } as const)
      let last: unknown
      for await (const event of watching(upstream, list)(
        { resource: resources.ConfigMap, namespace: 'n', version: '1' },
        signal,
      )) {
        last = event
      }
      return JSON.stringify(last)
    }),
  'a builder': async (port) => {
    const builders = kitBuilders({
      clock: fast,
      credentials: { of: async () => ({ username: 'me', secret: 'geheim' }) },
      tokens: { fetch: () => TE.left({ _tag: 'Denied', cause: 'nobody may' }) },
      env: {},
      clusters: memoryClusters(new Map()),
    })
    const keepalive = { timeMs: 50, timeoutMs: 50, whileIdle: false }
    return saidOf(await builders.connect({ address: { _tag: 'Tcp', host: '127.0.0.1', port }, keepalive }, signal)())
  },
  'the Docker client': async (port) => {
    const host = { _tag: 'Tcp', host: '127.0.0.1', port, isTls: false } as const
    const dialled = await dialDocker({ clock: fast, host, env: {} }, signal, 20_000)()
    return E.isLeft(dialled) ? dialled.left : undefined
  },
  'the Docker client with TLS': async (port) => {
    const host = { _tag: 'Tcp', host: '127.0.0.1', port, isTls: true } as const
    const dialled = await dialDocker({ clock: fast, host, env: {} }, signal, 20_000)()
    return E.isLeft(dialled) ? dialled.left : undefined
  },
  'a look at an endpoint': async (port) => {
    const answer = await nodeNetwork({}, fast).ask(`http://127.0.0.1:${port}/`, 300)()
    return answer._tag === 'Silent' ? answer.text : undefined
  },
  ...Object.fromEntries(
    ['http', 'https', 'socks4', 'socks5'].map((scheme) => [
      `a connection through a proxy (${scheme})`,
      async (port: number): Promise<string | undefined> => {
        const proxy = new URL(`${scheme}://me:geheim@127.0.0.1:${port}`)
        try {
          const socket = await dial({ host: 'example.com', port: 443 }, { env: {}, proxy }, { clock: fast })
          socket.destroy()
          return undefined
        } catch (cause) {
          return cause instanceof Error ? cause.message : String(cause)
        }
      },
    ]),
  ),
}

const megabyte = 1024 * 1024
/** What was sent counts what lies in the buffers of the system. Lists may be long, and are asked for three times. */
const mostSent = (who: string): number => (who === 'a list of objects' ? 512 : 192) * megabyte

/** Far longer than any of them takes, so that one that never ends is named. */
const patienceMs = 60_000

const isSlow = (what: string): boolean => / (?:byte by byte|now and then)$/.test(what)

type Behave = (typeof behaviours)[string]

const ends = async (who: string, reach: (port: number) => Promise<string | undefined>, behave: Behave) => {
  const server = opened(await hostileServer(behave))
  const patience = new AbortController()
  const tooLong = systemClock.sleep(patienceMs, patience.signal).then(() => 'no end')
  const said = await Promise.race([reach(server.port), tooLong]).finally(() => patience.abort())
  assert.is.not(said, 'no end', who)
  assert.ok(server.sentBytes() < mostSent(who), `${who}: ${server.sentBytes()} bytes`)
  assert.not.match(said ?? '', 'geheim', who)
}

for (const [what, behave] of Object.entries(behaviours)) {
  if (isSlow(what)) {
    // They only wait, and so do it together.
    test(`every client ends despite ${what}`, async () => {
      await Promise.all(Object.entries(clients).map(([who, reach]) => ends(who, reach, behave)))
    })
    continue
  }
  for (const [who, reach] of Object.entries(clients)) {
    test(`${who} ends despite ${what}`, () => ends(who, reach, behave))
  }
}

test.run()
