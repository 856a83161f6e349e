/** Kubeconfigs with OpenID Connect and with SOCKS, against a real issuer, proxy and API server on this machine. */
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { oidcTokens } from '../../../src/adapters/kube/oidc.ts'
import { makeIdentity } from '../../../src/adapters/kube/proxy/certificate.ts'
import { nodeHome } from '../../../src/adapters/node-fs/home.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import type { Home } from '../../../src/ports/home.ts'
import { memoryHome } from '../../memory/home.ts'
import { realClusters } from '../../support/e2e/real-cluster.ts'
import { closing, listening } from '../../support/http/proxy.ts'
import { socksProxy } from '../../support/http/socks.ts'
import { closedAfterEach } from '../../support/process/opened.ts'

const opened = closedAfterEach(test)

const key = { resource: resources.ConfigMap, namespace: 'dev', name: 'a' }
const object = JSON.stringify({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', uid: 'u', resourceVersion: '1' },
})

/** A token that names a user and says when it expires. */
const tokenOf = (sub: string, lastsSeconds: number): string => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none' })}.${part({ sub, exp: Math.floor(Date.now() / 1000) + lastsSeconds })}.x`
}

/** Takes each refresh token once, as issuers that rotate them do. `lastsSeconds`: how long its tokens are valid. */
const issuer = async (lastsSeconds: number) => {
  const { certificate, key: secret } = makeIdentity(Date.now())
  const refreshes: Array<string> = []
  let url = ''
  const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = new URLSearchParams(await text(request))
    response.setHeader('content-type', 'application/json')
    if (request.url === '/realm/.well-known/openid-configuration') {
      response.end(JSON.stringify({ issuer: url, token_endpoint: `${url}/token` }))
      return
    }
    const isClient = request.headers.authorization === `Basic ${Buffer.from('devtool:geheim').toString('base64')}`
    const isKnown = body.get('refresh_token') === `refresh-${refreshes.length}`
    if (request.url !== '/realm/token' || !isClient || !isKnown) {
      response.writeHead(400).end('{"error":"invalid_grant"}')
      return
    }
    refreshes.push(body.get('grant_type') ?? '')
    const tokens = {
      id_token: tokenOf(`me-${refreshes.length}`, lastsSeconds),
      refresh_token: `refresh-${refreshes.length}`,
    }
    response.end(JSON.stringify(tokens))
  }
  const server = createSecureServer({ cert: certificate, key: secret }, (...about) => void listener(...about))
  opened({ close: closing(server) })
  url = `https://127.0.0.1:${await listening(server)}/realm`
  return { url, refreshes, authority: Buffer.from(certificate).toString('base64') }
}

const api = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  opened({ close: closing(server) })
  return `http://127.0.0.1:${await listening(server)}`
}

const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'oidc-'))
  opened({ close: () => rmSync(folder, { recursive: true }) })
  return folder
}

/** `folder`: the home folder, and where the kubeconfig is written. */
const get = async (
  cluster: object,
  user: object,
  times = 1,
  folder = temporaryFolder(),
): Promise<ReadonlyArray<string>> => {
  const file = join(folder, 'config')
  const config = {
    clusters: [{ name: 'a', cluster }],
    users: [{ name: 'a', user }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
  }
  writeFileSync(file, JSON.stringify(config))
  const connected = await realClusters({ PATH: process.env['PATH'], HOME: folder }).connect({ file, context: 'a' })()
  if (E.isLeft(connected)) return [connected.left.message]
  const got: Array<string> = []
  for (let time = 0; time < times; time += 1) {
    const answer = await connected.right.get(key)()
    got.push(E.isRight(answer) ? 'got it' : JSON.stringify(answer.left))
  }
  connected.right.close()
  return got
}

const subjects = async () => {
  const seen: Array<string> = []
  const server = await api((request, response) => {
    const token = (request.headers.authorization ?? '').replace('Bearer ', '')
    seen.push(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sub)
    response.end(object)
  })
  return { seen, server }
}

const providerOf = (idToken: string, { authority, url }: { readonly authority: string; readonly url: string }) => ({
  'auth-provider': {
    name: 'oidc',
    config: {
      'client-id': 'devtool',
      'client-secret': 'geheim',
      'id-token': idToken,
      'refresh-token': 'refresh-0',
      'idp-issuer-url': url,
      'idp-certificate-authority-data': authority,
    },
  },
})

test('a valid OIDC ID token is used without a request to the issuer', async () => {
  const idp = await issuer(3600)
  const { seen, server } = await subjects()
  assert.equal(await get({ server }, providerOf(tokenOf('me', 3600), idp)), ['got it'])
  assert.equal([seen, idp.refreshes], [['me'], []])
})

test('an expired OIDC ID token is refreshed once', async () => {
  const idp = await issuer(3600)
  const { seen, server } = await subjects()
  assert.equal(await get({ server }, providerOf(tokenOf('me', -60), idp), 3), ['got it', 'got it', 'got it'])
  assert.equal([seen, idp.refreshes], [['me-1', 'me-1', 'me-1'], ['refresh_token']])
})

/** One run of the program: `store` is what it shares with others. */
const tokensOf = (user: JsonObject, store: Home, said: Array<string> = [], ended = new AbortController()) =>
  oidcTokens(user, {
    env: {},
    clock: systemClock,
    ended: () => ended.signal,
    say: (line) => void said.push(line),
    store,
  })

test('refreshed tokens that expire are refreshed again, with the newest refresh token', async () => {
  const idp = await issuer(-60)
  const tokens = tokensOf(providerOf(tokenOf('me', -60), idp), memoryHome())
  for (let time = 0; time < 3; time += 1) assert.ok(E.isRight(await tokens()))
  assert.is(idp.refreshes.length, 3)
})

test('the next run uses the stored tokens, and their file is private', async () => {
  const idp = await issuer(3600)
  const { seen, server } = await subjects()
  const user = providerOf(tokenOf('me', -60), idp)
  const folder = temporaryFolder()
  assert.equal(await get({ server }, user, 1, folder), ['got it'])
  assert.equal(await get({ server }, user, 1, folder), ['got it'])
  assert.equal([seen, idp.refreshes.length], [['me-1', 'me-1'], 1])
  const kept = join(folder, '.devtool', 'context')
  assert.equal(readdirSync(kept), ['oidc.json'])
  assert.is(statSync(join(kept, 'oidc.json')).mode & 0o777, 0o600)
})

test('when stored tokens have expired, the next run refreshes them with the newest refresh token', async () => {
  const idp = await issuer(-60)
  const [user, store] = [providerOf(tokenOf('me', -60), idp), memoryHome()]
  for (let run = 0; run < 3; run += 1) assert.ok(E.isRight(await tokensOf(user, store)()))
  assert.is(idp.refreshes.length, 3)
})

test('concurrent runs with the same refresh token all get a token', async () => {
  const idp = await issuer(3600)
  const [user, store] = [providerOf(tokenOf('me', -60), idp), memoryHome()]
  const got = await Promise.all([1, 2].map(() => tokensOf(user, store)()))
  assert.equal(got.map(E.isRight), [true, true])
})

test('after a new login the stored tokens of the old one are not used', async () => {
  const idp = await issuer(3600)
  const [user, store] = [providerOf(tokenOf('me', -60), idp), memoryHome()]
  assert.ok(E.isRight(await tokensOf(user, store)()))
  user['auth-provider'].config['refresh-token'] = 'refresh-1'
  const again = await tokensOf(user, store)()
  assert.match(E.isRight(again) ? (again.right.token ?? '') : '', tokenOf('me-2', 3600).split('.')[0] ?? '')
  assert.is(idp.refreshes.length, 2)
})

test('a refresh token that cannot be stored is reported, and used for this run', async () => {
  const idp = await issuer(-60)
  const said: Array<string> = []
  const home = temporaryFolder()
  writeFileSync(join(home, '.devtool'), '')
  const tokens = tokensOf(providerOf(tokenOf('me', -60), idp), nodeHome({ HOME: home }, systemClock), said)
  for (let time = 0; time < 2; time += 1) assert.ok(E.isRight(await tokens()))
  assert.match(said[0] ?? '', /^the new refresh token of OIDC cannot be kept, so the next run needs a new login: /)
})

/** Begins a response that never ends. */
const endlessIssuer = async () => {
  let begin = (): void => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const url = await api((_request, response) => {
    response.writeHead(200).write('{')
    begin()
  })
  return { url, authority: '', begun }
}

test('an interruption ends the wait for an issuer', async () => {
  const idp = await endlessIssuer()
  const ended = new AbortController()
  const got = tokensOf(providerOf(tokenOf('me', -60), idp), memoryHome(), [], ended)()
  await idp.begun
  ended.abort('SIGINT')
  assert.equal(await got, E.left('OIDC: was interrupted'))
})

test('a timeout ends the wait for an issuer while a cluster is connected', async () => {
  const idp = await endlessIssuer()
  const file = join(temporaryFolder(), 'config')
  const config = {
    clusters: [{ name: 'a', cluster: { server: 'http://127.0.0.1:1' } }],
    users: [{ name: 'a', user: providerOf(tokenOf('me', -60), idp) }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
  }
  writeFileSync(file, JSON.stringify(config))
  const late = new AbortController()
  const connecting = realClusters({}).connect({ file, context: 'a' }, late.signal)()
  await idp.begun
  late.abort('timeout')
  const connected = await connecting
  assert.is(E.isLeft(connected) && connected.left.code, 'DT3007')
})

test('a refresh token that the issuer rejects is reported without its value', async () => {
  const idp = await issuer(3600)
  const user = providerOf(tokenOf('me', -60), idp)
  user['auth-provider'].config['refresh-token'] = 'spent'
  const [said = ''] = await get({ server: 'http://127.0.0.1:1' }, user)
  assert.match(said, /OIDC: https:\/\/127\.0\.0\.1:\d+\/realm\/token gave no id_token: 400 invalid_grant/)
  assert.not.match(said, /spent|geheim/)
})

test('no request is sent to an issuer whose certificate is not trusted', async () => {
  const idp = await issuer(3600)
  const other = Buffer.from(makeIdentity(Date.now()).certificate).toString('base64')
  const [said = ''] = await get(
    { server: 'http://127.0.0.1:1' },
    providerOf(tokenOf('me', -60), { ...idp, authority: other }),
  )
  assert.match(said, 'OIDC: ')
  assert.equal(idp.refreshes, [])
})

test('proxy-url with SOCKS 5 leads to the API server, whose name the proxy resolves', async () => {
  const { server } = await subjects()
  const proxy = opened(await socksProxy({ credentials: 'me:geheim' }))
  const { port } = new URL(server)
  const cluster = { server: `http://api.cluster.invalid:${port}`, 'proxy-url': proxy.url }
  assert.equal(await get(cluster, { token: `x.${Buffer.from('{"sub":"me"}').toString('base64url')}.x` }), ['got it'])
  assert.equal(proxy.asked, [`api.cluster.invalid:${port}`])
})

test.run()
