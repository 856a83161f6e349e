/** `proxies` of the Docker configuration, as RUN steps get them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { kitBuilders } from '../../../src/adapters/buildkit/builders.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { proxyArguments, proxyCredentials } from '../../../src/domain/build/docker-proxies.ts'
import { memoryClusters } from '../../memory/clusters.ts'
import {
  begin,
  type ControlRequest,
  openControl,
  reply,
  solved,
  solveRequestIn,
} from '../../support/build/control-fake.ts'
import { closedAfterEach } from '../../support/process/opened.ts'

const opened = closedAfterEach(test)
const proxy = 'http://proxy.example.com:3128'

test('proxies of the builder are used, or else the default ones', () => {
  const config = { proxies: { default: { httpsProxy: proxy }, 'tcp://b:1234': { allProxy: proxy } } }
  const of = (address: string) => Object.fromEntries(proxyArguments(config, address))
  assert.equal(of('tcp://b:1234'), { ALL_PROXY: proxy, all_proxy: proxy })
  assert.equal(of('tcp://other:1234'), { HTTPS_PROXY: proxy, https_proxy: proxy })
  assert.equal([...proxyArguments({ proxies: { default: { ftpProxy: '', noProxy: 7 } } }, 'x')], [])
  assert.equal([...proxyArguments(undefined, 'x')], [])
})

test('credentials of proxies are masked in the output of steps', () => {
  const proxies = new Map([
    ['HTTP_PROXY', 'http://me:s3cret@proxy.example.com:3128'],
    ['http_proxy', 'http://me:s3cret@proxy.example.com:3128'],
    ['HTTPS_PROXY', proxy],
    ['NO_PROXY', '*.example.com,a@b'],
  ])
  assert.equal(proxyCredentials(proxies), ['me:s3cret'])
})

test('proxies become build arguments unless the image sets them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'docker-config-'))
  writeFileSync(
    join(folder, 'config.json'),
    JSON.stringify({ proxies: { default: { httpProxy: proxy, noProxy: 'a' } } }),
  )
  let asked: ControlRequest | undefined
  const answers = reply(solved({}))
  const take = (one: ControlRequest): void => {
    asked = one
    answers(one)
  }
  const fake = opened(await openControl({ Session: begin, Solve: take }))
  const builders = kitBuilders({
    clock: systemClock,
    credentials: { of: () => Promise.resolve(undefined) },
    tokens: { fetch: () => TE.left({ _tag: 'Denied', cause: 'nobody may' }) },
    env: { DOCKER_CONFIG: folder },
    clusters: memoryClusters(new Map()),
  })
  const { signal } = new AbortController()
  const keepalive = { timeMs: Number.POSITIVE_INFINITY, timeoutMs: 20_000, whileIdle: false }
  const address = { _tag: 'Tcp', host: '127.0.0.1', port: fake.port } as const
  const builder = await builders.connect({ address, keepalive }, signal)()
  rmSync(folder, { recursive: true })
  if (E.isLeft(builder)) throw new Error('nobody connects')
  const lists = { names: [], cacheImports: [], cacheExports: [], secrets: [], ssh: [] }
  const frontend = new Map([['build-arg:NO_PROXY', 'mine']])
  await builder.right.build({ ...lists, frontend, served: new Map(), output: 'Store' }, () => {}, signal)()
  builder.right.close()
  assert.ok(asked)
  assert.equal(solveRequestIn(asked).frontendAttrs, {
    'build-arg:HTTP_PROXY': proxy,
    'build-arg:http_proxy': proxy,
    'build-arg:NO_PROXY': 'mine',
    'build-arg:no_proxy': 'a',
  })
})

test.run()
