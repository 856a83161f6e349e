/** Kubeconfigs with OpenID Connect and with SOCKS, against a real issuer, proxy and API server on this machine. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { realClusters } from '../../support/e2e/real-cluster.ts'
import { closing, listening } from '../../support/http/proxy.ts'
import { socksProxy } from '../../support/http/socks.ts'
import { closedAfterEach } from '../../support/opened.ts'

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

const get = async (cluster: object, user: object, times = 1): Promise<ReadonlyArray<string>> => {
  const folder = mkdtempSync(join(tmpdir(), 'oidc-'))
  const file = join(folder, 'config')
  const config = {
    clusters: [{ name: 'a', cluster }],
    users: [{ name: 'a', user }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
  }
  writeFileSync(file, JSON.stringify(config))
  try {
    const connected = await realClusters({ PATH: process.env['PATH'] }).connect({ file, context: 'a' })()
    if (E.isLeft(connected)) return [connected.left.message]
    const got: Array<string> = []
    for (let time = 0; time < times; time += 1) {
      const answer = await connected.right.get(key)()
      got.push(E.isRight(answer) ? 'got it' : JSON.stringify(answer.left))
    }
    connected.right.close()
    return got
  } finally {
    rmSync(folder, { recursive: true })
  }
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

test('an id-token of OIDC that is valid is used, and its issuer is not asked', async () => {
  const idp = await issuer(3600)
  const { seen, server } = await subjects()
  assert.equal(await get({ server }, providerOf(tokenOf('me', 3600), idp)), ['got it'])
  assert.equal([seen, idp.refreshes], [['me'], []])
})

test('an id-token of OIDC that has expired is refreshed once', async () => {
  const idp = await issuer(3600)
  const { seen, server } = await subjects()
  assert.equal(await get({ server }, providerOf(tokenOf('me', -60), idp), 3), ['got it', 'got it', 'got it'])
  assert.equal([seen, idp.refreshes], [['me-1', 'me-1', 'me-1'], ['refresh_token']])
})

test('refreshed tokens that expire are refreshed again, with the newest refresh token', async () => {
  const idp = await issuer(-60)
  const tokens = oidcTokens(providerOf(tokenOf('me', -60), idp), {}, systemClock)
  for (let time = 0; time < 3; time += 1) assert.ok(E.isRight(await tokens()))
  assert.is(idp.refreshes.length, 3)
})

test('a refresh token that the issuer refuses is told, without what was sent', async () => {
  const idp = await issuer(3600)
  const user = providerOf(tokenOf('me', -60), idp)
  user['auth-provider'].config['refresh-token'] = 'spent'
  const [said = ''] = await get({ server: 'http://127.0.0.1:1' }, user)
  assert.match(said, /OIDC: https:\/\/127\.0\.0\.1:\d+\/realm\/token gave no id_token: 400 invalid_grant/)
  assert.not.match(said, /spent|geheim/)
})

test('an issuer whose certificate is not trusted is not asked', async () => {
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
