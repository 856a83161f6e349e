/**
 * A real registry that requires tokens, and the server that issues them; also pushes images to any registry through
 * plain HTTP.
 */
import { createHash, createPrivateKey, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCertificates } from '../build/certificates.ts'
import { pathOf, startDaemon } from '../build/programs.ts'
import { freePort, listen } from '../process/ports.ts'
import { until } from '../process/until.ts'
import { account, type RegistryServer } from './server.ts'

const issuer = 'issuer of a test'
const service = 'registry of a test'

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const accessOf = (scopes: ReadonlyArray<string>): ReadonlyArray<object> =>
  scopes.map((scope) => {
    const [, type = '', name = '', actions = ''] = /^([a-z]+):(.*):([a-z,*]*)$/.exec(scope) ?? []
    return { type, name, actions: actions.split(',') }
  })

/** Signed with the key of the certificate in this folder. */
const tokenFrom = (folder: string, scopes: ReadonlyArray<string>): string => {
  const certificate = readFileSync(join(folder, 'cert.pem'), 'utf8').replace(/-----[A-Z ]+-----|\s/g, '')
  const now = Math.floor(Date.now() / 1000)
  const times = { exp: now + 300, nbf: now - 10, iat: now }
  const claims = { iss: issuer, sub: account.user, aud: service, jti: String(now), ...times, access: accessOf(scopes) }
  const text = `${base64({ typ: 'JWT', alg: 'ES256', x5c: [certificate] })}.${base64(claims)}`
  const key = createPrivateKey(readFileSync(join(folder, 'key.pem')))
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

const textOf = async (incoming: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of incoming) text += String(chunk)
  return text
}

/** `isModern`: accepts the OAuth 2 form; otherwise only Basic. */
const giveToken = async (folder: string, isModern: boolean, incoming: IncomingMessage, response: ServerResponse) => {
  const form = new URLSearchParams(await textOf(incoming))
  const { searchParams } = new URL(incoming.url ?? '/', 'http://registry.example.com')
  const isForm = incoming.method === 'POST'
  const basic = `Basic ${Buffer.from(`${account.user}:${account.password}`).toString('base64')}`
  const isKnown = isForm
    ? form.get('username') === account.user && form.get('password') === account.password
    : incoming.headers.authorization === basic
  const scopes = isForm ? (form.get('scope') ?? '').split(' ') : searchParams.getAll('scope')
  const status = isForm && !isModern ? 404 : isKnown ? 200 : 401
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(status === 200 ? JSON.stringify({ access_token: tokenFrom(folder, scopes), expires_in: 300 }) : '{}')
}

export const startTokenRegistry = async ({ isModern }: { readonly isModern: boolean }): Promise<RegistryServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'devtool-registry-'))
  const { authority, server: signer } = makeCertificates(join(folder, 'tls'))
  const server = createServer((incoming, response) => {
    giveToken(signer, isModern, incoming, response).catch(() => response.destroy())
  })
  server.unref()
  const realm = `http://127.0.0.1:${await listen(server)}/token`
  const address = `127.0.0.1:${await freePort()}`
  const token = { realm, service, issuer, rootcertbundle: join(authority, 'ca.pem') }
  // JSON is valid YAML.
  const settings = {
    version: 0.1,
    log: { level: 'warn', accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: join(folder, 'images') } },
    http: { addr: address, secret: 'of a test' },
    auth: { token },
  }
  writeFileSync(join(folder, 'config.yml'), JSON.stringify(settings))
  const daemon = startDaemon([pathOf('docker-registry'), 'serve', join(folder, 'config.yml')], join(folder, 'log'))
  const end = (): void => {
    process.off('exit', end)
    server.closeAllConnections()
    server.close()
    if (!daemon.hasEnded()) process.kill(daemon.pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
  process.once('exit', end)
  try {
    await until('docker-registry wants a token', async () => {
      if (daemon.hasEnded()) throw new Error(`docker-registry ended:\n${daemon.log()}`)
      const answer = await send(`http://${address}/v2/`, 'GET', {}).catch(() => undefined)
      return answer?.status === 401
    })
  } catch (cause) {
    end()
    throw cause
  }
  return { address, end }
}

type RegistryReply = {
  readonly status: number
  readonly location: string
  readonly challenge: string
  readonly text: string
}

const send = (
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): Promise<RegistryReply> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, agent: false, timeout: 10_000, headers }, (response) => {
      const { location = '', 'www-authenticate': challenge = '' } = response.headers
      textOf(response).then((text) => resolve({ status: response.statusCode ?? 0, location, challenge, text }), reject)
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer')))
    sent.on('error', reject)
    sent.end(body)
  })

const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`

const authorizationFor = async (address: string, repository: string): Promise<Readonly<Record<string, string>>> => {
  const { challenge, status } = await send(`http://${address}/v2/`, 'GET', {})
  const authorization = `Basic ${Buffer.from(`${account.user}:${account.password}`).toString('base64')}`
  if (status !== 401) return {}
  const [, realm] = /realm="(http[^"]*)"/.exec(challenge) ?? []
  if (realm === undefined) return { authorization }
  const { text } = await send(`${realm}?scope=repository:${repository}:pull,push`, 'GET', { authorization })
  const [, token = ''] = /"access_token":"([^"]+)"/.exec(text) ?? []
  return { authorization: `Bearer ${token}` }
}

/** Pushes an image without layers; returns its digest. */
export const putImage = async ({ address }: RegistryServer, repository: string, tag: string): Promise<string> => {
  const headers = await authorizationFor(address, repository)
  const at = `http://${address}/v2/${repository}`
  const config = JSON.stringify({ architecture: 'amd64', os: 'linux', rootfs: { type: 'layers', diff_ids: [] } })
  const must = async (told: Promise<RegistryReply>): Promise<RegistryReply> => {
    const answer = await told
    if (answer.status > 299) throw new Error(`the registry answers ${answer.status}: ${answer.text}`)
    return answer
  }
  const { location } = await must(send(`${at}/blobs/uploads/`, 'POST', headers))
  const target = new URL(location, at)
  target.searchParams.set('digest', sha256(config))
  await must(send(String(target), 'PUT', { ...headers, 'content-type': 'application/octet-stream' }, config))
  const type = 'application/vnd.oci.image.manifest.v1+json'
  const part = { mediaType: 'application/vnd.oci.image.config.v1+json', size: config.length, digest: sha256(config) }
  const manifest = JSON.stringify({ schemaVersion: 2, mediaType: type, config: part, layers: [] })
  await must(send(`${at}/manifests/${tag}`, 'PUT', { ...headers, 'content-type': type }, manifest))
  return sha256(manifest)
}
