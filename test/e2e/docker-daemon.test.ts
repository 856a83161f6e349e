/** Builds in a real Docker daemon, pushes out of it, and what is said when it does not work. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { kitBuilders } from '../../src/adapters/buildkit/builders.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import type { DockerHost } from '../../src/domain/build/address.ts'
import type { BuildEvent } from '../../src/domain/build/event.ts'
import type { BuildFailure } from '../../src/domain/build/failure.ts'
import type { Solve, Solved } from '../../src/domain/build/solve.ts'
import { type Json, textAt } from '../../src/domain/cluster/json.ts'
import type { Builder } from '../../src/ports/builder.ts'
import type { RegistryCredential } from '../../src/ports/credentials.ts'
import { memoryClusters } from '../memory/clusters.ts'
import { makeCertificates } from '../support/build/certificates.ts'
import { commandsBelow, type Dockerd, withDockerd } from '../support/build/dockerd.ts'
import { pathOf } from '../support/build/programs.ts'
import { listen } from '../support/process/ports.ts'
import { until } from '../support/process/until.ts'
import { account, startRegistry, startTroubledRegistry } from '../support/registry/server.ts'

type Env = Readonly<Record<string, string>>
type Connection = { readonly env?: Env; readonly credential?: RegistryCredential }

const never = new AbortController().signal
const folder = mkdtempSync(join(tmpdir(), 'devtool-docker-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

const connect = (host: DockerHost | undefined, { credential, env = {} }: Connection = {}) =>
  kitBuilders({
    clock: systemClock,
    credentials: { of: () => Promise.resolve(credential) },
    tokens: { fetch: () => TE.left({ _tag: 'Unusable', cause: 'no tokens here' }) },
    env,
    clusters: memoryClusters(new Map()),
  }).connect(
    {
      address: { _tag: 'Docker', ...(host === undefined ? {} : { host }) },
      keepalive: { timeMs: Number.POSITIVE_INFINITY, timeoutMs: 20_000, whileIdle: false },
    },
    never,
  )()

const mustConnect = async (host: DockerHost | undefined, connection?: Connection): Promise<Builder> => {
  const connected = await connect(host, connection)
  if (E.isLeft(connected)) throw new Error(JSON.stringify(connected.left))
  return connected.right
}

const solveOf = (lines: ReadonlyArray<string>, names: ReadonlyArray<string>, output: Solve['output']): Solve => {
  const base = ['FROM scratch', 'COPY busybox /bin/busybox', 'RUN ["/bin/busybox","--install","-s","/bin"]']
  // A connection lists a folder once.
  const path = mkdtempSync(join(folder, 'context-'))
  copyFileSync(pathOf('busybox'), join(path, 'busybox'))
  writeFileSync(join(path, 'Dockerfile'), [...base, ...lines, ''].join('\n'))
  const served = { _tag: 'Folder', path } as const
  return {
    frontend: new Map([['filename', 'Dockerfile']]),
    served: new Map([
      ['context', served],
      ['dockerfile', served],
    ]),
    names,
    output,
    cacheImports: [],
    cacheExports: [],
    secrets: [],
    ssh: [],
  }
}

type BuildResult = { readonly events: ReadonlyArray<BuildEvent>; readonly result: E.Either<BuildFailure, Solved> }

const run = async (builder: Builder, solve: Solve, signal: AbortSignal = never): Promise<BuildResult> => {
  const events: Array<BuildEvent> = []
  const result = await builder.build(solve, (more) => events.push(...more), signal)()
  return { events, result }
}

const solvedOf = ({ result }: BuildResult): Solved => {
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}
const failureOf = ({ result }: BuildResult): BuildFailure => {
  if (E.isRight(result)) throw new Error('it was built')
  return result.left
}

const steps = ({ events }: BuildResult) => events.flatMap((event) => (event._tag === 'Vertex' ? [event] : []))

/** The digest that a registry has for a tag. */
const digestAt = (address: string, repository: string, tag: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const accept = 'application/vnd.docker.distribution.manifest.v2+json'
    const url = `http://${address}/v2/${repository}/manifests/${tag}`
    const sent = request(url, { method: 'HEAD', headers: { accept }, agent: false, timeout: 20_000 }, (response) => {
      response.resume()
      resolve(String(response.headers['docker-content-digest']))
    })
    sent.on('timeout', () => sent.destroy(new Error(`${url}: no answer`)))
    sent.on('error', reject)
    sent.end()
  })

const idOf = async (docker: Dockerd, name: string): Promise<string | undefined> => {
  const json: Json = JSON.parse(await docker.get(`/images/${name}/json`))
  return textAt(json, 'Id')
}

/** Of the steps of builds and of all else that runs in the daemon. */
const runs = (docker: Dockerd, word: string): boolean => docker.processes().some((command) => command.includes(word))

test('an image is built into the image store once', () =>
  withDockerd({}, async (docker) => {
    const builder = await mustConnect(docker.host)
    assert.is(builder.kind, 'Docker')
    const solve = solveOf(['RUN echo hello from the step'], ['app:1', 'other.example.com/app:2'], 'Store')
    const first = await run(builder, solve)
    const { digest } = solvedOf(first)
    const logs = first.events.flatMap((event) => (event._tag === 'Log' ? [event.text] : []))
    assert.match(logs.join(''), /hello from the step/)
    assert.match(digest ?? '', /^sha256:[0-9a-f]{64}$/)
    assert.equal([await idOf(docker, 'app:1'), await idOf(docker, 'other.example.com/app:2')], [digest, digest])
    const second = await run(builder, solve)
    assert.is(solvedOf(second).digest, digest)
    const cached = new Set(steps(second).flatMap(({ isCached, name }) => (isCached ? [name] : [])))
    assert.equal(
      ['COPY busybox', 'RUN ["/bin/busybox"', 'RUN echo'].filter((text) => ![...cached].some((n) => n.includes(text))),
      [],
    )
    const failed = failureOf(await run(builder, solveOf(['RUN echo bad >&2; exit 7'], ['app:1'], 'Store')))
    assert.ok(failed._tag === 'Failed' && failed.exitCode === 7, JSON.stringify(failed))
    builder.close()
  }))

test('every name is pushed, and the digest is the one that the registry has', async () => {
  const registry = await startRegistry()
  try {
    await withDockerd({}, async (docker) => {
      const builder = await mustConnect(undefined, { env: { DOCKER_HOST: docker.address } })
      const names = [`${registry.address}/app:1`, `${registry.address}/team/app:2`]
      const built = await run(builder, solveOf(['RUN echo pushed'], names, 'Push'))
      const { digest } = solvedOf(built)
      assert.is(digest, await digestAt(registry.address, 'app', '1'))
      assert.is(digest, await digestAt(registry.address, 'team/app', '2'))
      assert.is.not(digest, await idOf(docker, names[0] ?? ''))
      const pushes = steps(built).filter(({ endedMs, name }) => name.startsWith('pushing ') && endedMs !== undefined)
      assert.equal(
        pushes.map(({ error, name }) => [name, error]),
        names.map((name) => [`pushing ${name}`, undefined]),
      )
      const moved = built.events.flatMap((event) =>
        event._tag === 'Transfer' && event.vertex.startsWith('push:') && event.endedMs !== undefined ? [event] : [],
      )
      assert.ok(
        moved.some(({ current, total }) => total > 1000 && current === total),
        JSON.stringify(moved),
      )
      builder.close()
    })
  } finally {
    registry.end()
  }
})

/** A registry that has nothing, and takes nothing from anybody. */
const deny = (asked: IncomingMessage, response: ServerResponse): void => {
  asked.resume()
  response.statusCode = asked.url === '/v2/' ? 200 : asked.method === 'POST' ? 403 : 404
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ errors: [{ code: 'DENIED', message: 'no rights here' }] }))
}

test('a registry requires credentials, refuses, or is unreachable', async () => {
  const guarded = await startRegistry({ isGuarded: true })
  const denying = createServer(deny)
  const denied = `127.0.0.1:${await listen(denying)}`
  try {
    await withDockerd({}, async (docker) => {
      const attempt = async (address: string, credential?: RegistryCredential): Promise<BuildResult> => {
        const builder = await mustConnect(docker.host, credential === undefined ? {} : { credential })
        const ran = await run(builder, solveOf([], [`${address}/app:1`], 'Push'))
        builder.close()
        return ran
      }
      const mine = await attempt(guarded.address, { username: account.user, secret: account.password })
      assert.match(solvedOf(mine).digest ?? '', /^sha256:/)
      const refused = [
        [await attempt(guarded.address), `${guarded.address}/app:1`, /no basic auth credentials/],
        [
          await attempt(guarded.address, { username: account.user, secret: 'Wrong-Horse-1' }),
          `${guarded.address}/app:1`,
          /unauthorized|denied|authentication/i,
        ],
        [await attempt(denied), `${denied}/app:1`, /^denied: no rights here$/],
      ] as const
      for (const [ran, name, says] of refused) {
        const failure = failureOf(ran)
        if (failure._tag !== 'NotPushed') throw new Error(JSON.stringify(failure))
        assert.is(failure.name, name)
        assert.match(failure.message, says)
        assert.not.match(JSON.stringify(ran), /Horse/)
      }
    })
  } finally {
    denying.close()
    denying.closeAllConnections()
    guarded.end()
  }
})

test('an interrupt cancels a step or a push', async () => {
  const registry = await startRegistry()
  const troubled = await startTroubledRegistry(registry)
  try {
    await withDockerd({}, async (docker) => {
      const builder = await mustConnect(docker.host)
      const stop = new AbortController()
      const running = run(builder, solveOf(['RUN echo begun && sleep 8642'], ['app:1'], 'Store'), stop.signal)
      await until('the step runs', () => runs(docker, 'sleep 8642'))
      stop.abort()
      assert.equal(failureOf(await running), { _tag: 'Aborted' })
      await until('the step is gone', () => !runs(docker, 'sleep 8642'))
      const stopPush = new AbortController()
      const solve = solveOf([], [`${troubled.address}/silent/app:1`], 'Push')
      const pushing = builder.build(
        solve,
        (events) => {
          if (events.some((event) => event._tag === 'Vertex' && event.name.startsWith('pushing '))) stopPush.abort()
        },
        stopPush.signal,
      )()
      assert.equal(await pushing, E.left({ _tag: 'Aborted' }))
      builder.close()
    })
  } finally {
    troubled.end()
    registry.end()
  }
})

test('the daemon is reached through ssh, which ends with the connection', () =>
  withDockerd({}, async (docker) => {
    const programs = join(folder, 'programs')
    mkdirSync(programs)
    const path = JSON.stringify(docker.address.slice('unix://'.length))
    const script = `const s = require('node:net').connect(${path});process.stdin.pipe(s).pipe(process.stdout)`
    writeFileSync(join(programs, 'ssh'), `#!${process.execPath}\n${script}`, { mode: 0o755 })
    const builder = await mustConnect(undefined, { env: { PATH: programs, HOME: folder, DOCKER_HOST: 'ssh://me@far' } })
    assert.match(solvedOf(await run(builder, solveOf([], ['app:1'], 'Store'))).digest ?? '', /^sha256:/)
    const isThere = (): boolean => commandsBelow(process.pid).some((command) => command.includes(join(programs, 'ssh')))
    assert.ok(isThere())
    builder.close()
    await until('ssh is gone', () => !isThere())
  }))

test('the daemon is reached by TLS, and missing certificates are reported', async () => {
  const certificates = makeCertificates(join(folder, 'tls'))
  await withDockerd({ tls: certificates }, async ({ port }) => {
    const host = (isTls: boolean): DockerHost => ({ _tag: 'Tcp', host: '127.0.0.1', port, isTls })
    const env = (path: string): Connection => ({ env: { DOCKER_CERT_PATH: path, HOME: folder } })
    const builder = await mustConnect(host(true), env(certificates.client))
    assert.ok(E.isRight((await run(builder, solveOf([], ['app:1'], 'Store'))).result))
    builder.close()
    const why = async (isTls: boolean, path: string): Promise<string> => {
      const connected = await connect(host(isTls), env(path))
      if (E.isRight(connected)) throw new Error('connected')
      return connected.left._tag === 'Unreachable' ? connected.left.cause : JSON.stringify(connected.left)
    }
    assert.match(await why(true, certificates.authority), /requires a client certificate/)
    assert.match(await why(true, folder), /certificate is (?:self-signed|signed by an unknown authority)/)
    assert.match(await why(false, certificates.client), /DOCKER_TLS_VERIFY/)
  })
})

test('a daemon killed during a build is reported as lost, and then as not running', () =>
  withDockerd({}, async (docker) => {
    const builder = await mustConnect(docker.host)
    const running = run(builder, solveOf(['RUN sleep 8643'], ['app:1'], 'Store'))
    await until('the step runs', () => runs(docker, 'sleep 8643'))
    await docker.kill()
    assert.is(failureOf(await running)._tag, 'Lost')
    builder.close()
    const again = await connect(docker.host)
    assert.ok(E.isLeft(again) && again.left._tag === 'Unreachable')
    assert.match(again.left.cause, /the Docker daemon is not running/)
  }))

test('the daemon exports cache only within images', () =>
  withDockerd({}, async (docker) => {
    const builder = await mustConnect(docker.host)
    const solve = solveOf([], ['app:1'], 'Store')
    const cache = [{ type: 'registry', attrs: new Map([['ref', 'cache.example.com/a']]) }]
    assert.is(failureOf(await run(builder, { ...solve, cacheExports: cache }))._tag, 'Unusable')
    const inline = await run(builder, { ...solve, cacheExports: [{ type: 'inline', attrs: new Map() }] })
    assert.match(solvedOf(inline).digest ?? '', /^sha256:/)
    const manyArchitectures = failureOf(
      await run(builder, { ...solve, frontend: new Map([...solve.frontend, ['platform', 'linux/amd64,linux/arm64']]) }),
    )
    assert.ok(manyArchitectures._tag === 'Failed' || manyArchitectures._tag === 'Unusable')
    builder.close()
  }))

test.run()
