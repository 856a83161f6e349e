/** A registry on this machine that stores manifests, supports both ways of authentication, and fails on demand. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'

export const account = { username: 'tester', password: 'Pa:ss w0rd+&=%é' } as const
/** Must never appear outside of a request. */
export const secrets: ReadonlyArray<string> = [
  account.password,
  encodeURIComponent(account.password),
  Buffer.from(`${account.username}:${account.password}`).toString('base64'),
]

export const identityToken = 'identity-token-5b1f'
export const givenToken = 'given-token-77aa'
export const manifestType = 'application/vnd.oci.image.manifest.v1+json'

export type Request = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

type Reply = { readonly status: number; readonly headers?: OutgoingHttpHeaders; readonly body?: string }

/** Replaces its response: another one, none at all, or one that is cut off. */
export type FakeFault = Reply | 'silent' | 'cut' | undefined

type Options = {
  readonly guard?: 'open' | 'basic' | 'bearer'
  readonly trouble?: (request: Request) => FakeFault
  readonly expiresInS?: number
}

export type RegistryFake = {
  /** `127.0.0.1:PORT` */
  readonly host: string
  readonly requests: ReadonlyArray<Request>
  readonly manifests: Map<string, string>
  /** Requests, except for those to the token service: `HEAD /v2/app/manifests/1`. */
  readonly asked: () => ReadonlyArray<string>
  readonly end: () => Promise<void>
}

export const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`

const bodyOf = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

const basicOf = ({ headers }: Request): string =>
  Buffer.from((headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString('utf8')

const isAccount = (request: Request): boolean => basicOf(request) === `${account.username}:${account.password}`

/** Reading needs no account. */
const tokenFor = (request: Request, expiresInS: number | undefined): Reply => {
  const form = new URLSearchParams(request.body)
  const isKnown =
    request.method === 'POST'
      ? form.get('password') === account.password || form.get('refresh_token') === identityToken
      : request.headers.authorization === undefined || isAccount(request)
  if (!isKnown) return { status: 401, body: '{"details":"incorrect username or password"}' }
  const expiry = expiresInS === undefined ? {} : { expires_in: expiresInS, issued_at: new Date().toISOString() }
  return { status: 200, body: JSON.stringify({ token: givenToken, ...expiry }) }
}

const keep = (manifests: Map<string, string>, { body, method, path }: Request): Reply => {
  if (path.includes('/blobs/uploads/?mount=')) return { status: 201 }
  const [, repository = '', tag = ''] = /^\/v2\/(.+)\/manifests\/([^/]+)$/.exec(path) ?? []
  const key = `${repository}:${tag}`
  if (method === 'PUT') {
    manifests.set(key, body)
    manifests.set(`${repository}:${sha256(body)}`, body)
    return { status: 201, headers: { 'docker-content-digest': sha256(body) } }
  }
  const isNamed = ([name, text]: readonly [string, string]): boolean =>
    name.startsWith(`${repository}:`) && sha256(text) === tag
  const manifest = manifests.get(key) ?? [...manifests].find(isNamed)?.[1]
  if (manifest === undefined) return { status: 404, body: '{"errors":[{"code":"MANIFEST_UNKNOWN"}]}' }
  const headers = { 'content-type': manifestType, 'docker-content-digest': sha256(manifest) }
  return { status: 200, headers, body: manifest }
}

const guarded = (host: string, guard: Options['guard'], request: Request): Reply | undefined => {
  if (guard === 'basic') {
    return isAccount(request) ? undefined : { status: 401, headers: { 'www-authenticate': 'Basic realm="a test"' } }
  }
  if (guard !== 'bearer' || request.headers.authorization === `Bearer ${givenToken}`) return undefined
  const [, repository = ''] = /^\/v2\/(.+)\/(?:manifests|blobs)\//.exec(request.path) ?? []
  const scope = `repository:${repository}:${request.method.startsWith('P') ? 'pull,push' : 'pull'}`
  const challenge = `Bearer realm="http://${host}/token",service="a test",scope="${scope}"`
  return { status: 401, headers: { 'www-authenticate': challenge } }
}

const give = (response: ServerResponse, method: string, trouble: Exclude<FakeFault, undefined>): void => {
  if (trouble === 'silent') return
  if (trouble === 'cut') {
    response.writeHead(200, { 'content-length': 100 })
    response.write('half', () => response.destroy())
    return
  }
  const { body = '', headers = {}, status } = trouble
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
  response.end(method === 'HEAD' ? '' : body)
}

export const registryFake = async ({ expiresInS, guard, trouble }: Options = {}): Promise<RegistryFake> => {
  const requests: Array<Request> = []
  const manifests = new Map<string, string>()
  let host = ''
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headers, method = '', url: path = '' } = incoming
    const request = { method, path, headers, body: await bodyOf(incoming) }
    requests.push(request)
    const isToken = path.startsWith('/token')
    const usual = (): Reply =>
      isToken ? tokenFor(request, expiresInS) : (guarded(host, guard, request) ?? keep(manifests, request))
    give(response, method, trouble?.(request) ?? usual())
  }
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  const end = async (): Promise<void> => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  const isOfRegistry = ({ path }: Request): boolean => !path.startsWith('/token')
  const asked = (): ReadonlyArray<string> =>
    requests.filter(isOfRegistry).map(({ method, path }) => `${method} ${path}`)
  return { host, requests, manifests, asked, end }
}
