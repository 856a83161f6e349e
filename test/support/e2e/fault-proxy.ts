/**
 * A reverse proxy in front of the API server that injects faults: the same seed gives the same faults. It listens on
 * this machine without TLS and uses the credentials of the given kubeconfig; upgraded connections pass unchanged.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import { Agent, type RequestOptions, request } from 'node:https'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { KubeConfig } from '@kubernetes/client-node/dist/config.js'
import { type EventFault, type Fault, type FaultPlan, faultPlan, type Rates } from './fault-plan.ts'

type Options = {
  readonly seed: number
  readonly rates?: Rates<Fault>
  readonly eventRates?: Rates<EventFault>
  readonly isFirstWriteRefused?: boolean
  readonly retryAfterSeconds?: number
  readonly delayMs?: number
  /** Called after the server has carried out a write, before its response is passed on. `write`: its number, from 1. */
  readonly afterWrite?: (write: number) => void
  /** Called when a request arrives. `count`: its number, from 1. */
  readonly onRequest?: (count: number) => void
}

/**
 * The state of the server as a whole. Killed: connections are cut and refused. Paused: they stay open, but nothing
 * passes.
 */
export type Outage = 'Killed' | 'Paused'

/** One line per request: `PATCH /path Throttled`; without a third word it passed unchanged. */
export type FaultProxy = {
  /** The path of a kubeconfig for this proxy. */
  readonly kubeconfig: string
  readonly log: () => ReadonlyArray<string>
  /** The same, each with the milliseconds since the start. */
  readonly history: () => string
  readonly outage: (what: Outage, ms: number) => void
  readonly close: () => Promise<void>
}

type Upstream = {
  readonly server: URL
  readonly agent: Agent
  readonly options: RequestOptions
  readonly headers: OutgoingHttpHeaders
}

const upstreamOf = async (kubeconfig: string): Promise<Upstream> => {
  const config = new KubeConfig()
  config.loadFromString(readFileSync(kubeconfig, 'utf8'))
  const cluster = config.getCurrentCluster()
  if (cluster === null) throw new Error(`${kubeconfig} has no current context`)
  const options: RequestOptions = {}
  await config.applyToHTTPSOptions(options)
  const { ca, cert, headers, key } = options
  const given = Object.entries({ ca, cert, key }).filter(([, value]) => value !== undefined)
  const agent = new Agent({ keepAlive: true })
  const own = Object.fromEntries(Object.entries(headers ?? {}))
  return { server: new URL(cluster.server), headers: own, agent, options: { ...Object.fromEntries(given), agent } }
}

const statuses: Readonly<Partial<Record<Fault, readonly [number, string]>>> = {
  Throttled: [429, 'TooManyRequests'],
  Broken: [500, 'InternalError'],
  Unavailable: [503, 'ServiceUnavailable'],
  Denied: [401, 'Unauthorized'],
  Conflict: [409, 'Conflict'],
}

const refuse = (response: ServerResponse, fault: Fault, { retryAfterSeconds = 1 }: Options): boolean => {
  const status = statuses[fault]
  if (status === undefined) return false
  const [code, reason] = status
  const headers: OutgoingHttpHeaders = { 'content-type': 'application/json' }
  if (fault === 'Throttled') headers['retry-after'] = String(retryAfterSeconds)
  response.writeHead(code, headers)
  response.end(
    JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: `fault: ${fault}` }),
  )
  return true
}

const headersOf = ({ headers }: IncomingMessage): OutgoingHttpHeaders => {
  const { authorization: _authorization, host: _host, ...rest } = headers
  return rest
}

const ask = (
  { headers: own, options, server }: Upstream,
  incoming: IncomingMessage,
  body: Buffer,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = server
    const headers = { ...headersOf(incoming), ...own, 'accept-encoding': 'identity' }
    const { method, url } = incoming
    const sent = request({ ...options, hostname, port, method, path: url, headers }, resolve)
    sent.on('error', reject)
    sent.end(body.length === 0 ? undefined : body)
  })

/** A review of permissions or of the caller's identity, which is sent by POST. */
const isReview = (path: string): boolean => /^\/apis\/auth(?:entication|orization)\.k8s\.io\//.test(path)

const gone = {
  type: 'ERROR',
  object: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 410, reason: 'Expired' },
}

/** Event by event. */
const passWatch = async (
  answer: IncomingMessage,
  response: ServerResponse,
  faultOf: (event: number) => EventFault | undefined,
  note: (fault: EventFault) => void,
  awake: ProxyContext['awake'],
): Promise<void> => {
  let [event, isSilent] = [0, false]
  for await (const line of createInterface({ input: answer })) {
    await awake()
    if (isSilent) continue
    const fault = line.includes('"type":"BOOKMARK"') ? undefined : faultOf(event)
    event += 1
    if (fault !== undefined) note(fault)
    if (fault === 'Cut') {
      response.write(line.slice(0, line.length / 2))
      answer.destroy()
      response.socket?.resetAndDestroy()
      return
    }
    if (fault === 'Gone') {
      response.end(`${JSON.stringify(gone)}\n`)
      answer.destroy()
      return
    }
    isSilent = fault === 'Silent'
    if (fault !== 'Dropped' && !isSilent) response.write(`${line}\n`)
    if (fault === 'Doubled') response.write(`${line}\n`)
  }
  response.end()
}

type ProxyContext = {
  readonly plan: FaultPlan
  readonly options: Options
  readonly note: (line: string) => void
  readonly written: () => void
  /** Resolves once the server is not paused. */
  readonly awake: () => Promise<void>
}

const handle = async (
  upstream: Upstream,
  incoming: IncomingMessage,
  response: ServerResponse,
  { awake, note, options, plan, written }: ProxyContext,
): Promise<void> => {
  const { method = 'GET', url = '/' } = incoming
  const [path = '', query = ''] = url.split('?')
  const isWatch = new URLSearchParams(query).get('watch') === 'true'
  const body = await buffer(incoming)
  const what = `${isWatch ? 'WATCH' : method} ${path}`
  const fault = plan.of(isWatch ? 'WATCH' : method, path)
  const eventFaultOf = plan.ofEvents(path)
  note(fault === undefined ? what : `${what} ${fault}`)
  if (fault === 'Stalled') return
  if (fault === 'Delayed') await pause(options.delayMs ?? 200)
  if (fault === 'ResetBefore') {
    incoming.socket.resetAndDestroy()
    return
  }
  if (fault !== undefined && refuse(response, fault, options)) return
  await awake()
  const answer = await ask(upstream, incoming, body)
  await awake()
  if (method !== 'GET' && !isReview(path)) written()
  response.on('close', () => answer.destroy())
  const { 'content-length': length, 'transfer-encoding': _encoding, ...headers } = answer.headers
  if (isWatch && answer.statusCode === 200) {
    response.writeHead(200, headers)
    response.flushHeaders()
    await passWatch(answer, response, eventFaultOf, (one) => note(`${what} ${one}`), awake)
    return
  }
  if (fault === 'ResetAfter') {
    await buffer(answer)
    incoming.socket.resetAndDestroy()
    return
  }
  response.writeHead(answer.statusCode ?? 502, {
    ...headers,
    ...(length === undefined ? {} : { 'content-length': length }),
  })
  if (fault !== 'Truncated') {
    answer.pipe(response)
    return
  }
  const whole = await buffer(answer)
  response.write(whole.subarray(0, whole.length / 2), () => incoming.socket.resetAndDestroy())
}

const passUpgrade = (
  { headers: own, options, server }: Upstream,
  incoming: IncomingMessage,
  socket: Socket,
  head: Buffer,
): void => {
  const { hostname, port } = server
  const { method, url } = incoming
  const headers = { ...headersOf(incoming), ...own }
  const sent = request({ ...options, agent: false, hostname, port, method, path: url, headers })
  sent.on('upgrade', (answer, upstream, first) => {
    const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}`)
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`)
    socket.write(first)
    upstream.write(head)
    upstream.pipe(socket).pipe(upstream)
    for (const one of [socket, upstream]) one.on('error', () => [socket, upstream].forEach((other) => other.destroy()))
  })
  sent.on('response', (answer) => {
    socket.end(`HTTP/1.1 ${answer.statusCode ?? 502} Refused\r\nconnection: close\r\n\r\n`)
    answer.resume()
  })
  sent.on('error', () => socket.destroy())
  sent.end()
}

/** Starts one in front of the cluster of `kubeconfig`. */
const startFaultProxy = async (kubeconfig: string, options: Options): Promise<FaultProxy> => {
  const upstream = await upstreamOf(kubeconfig)
  const { eventRates = {}, isFirstWriteRefused = false, rates = {}, seed } = options
  const plan = faultPlan(seed, rates, eventRates, isFirstWriteRefused)
  const begin = performance.now()
  const noted: Array<{ readonly ms: number; readonly line: string }> = []
  const note = (line: string): void => void noted.push({ ms: Math.round(performance.now() - begin), line })
  let writes = 0
  const written = (): void => options.afterWrite?.((writes += 1))
  let [isDead, asleep, requests] = [false, Promise.resolve(), 0]
  const awake = (): Promise<void> => asleep
  const server = createServer((incoming, response) => {
    options.onRequest?.((requests += 1))
    handle(upstream, incoming, response, { plan, options, note, written, awake }).catch(() => incoming.socket.destroy())
  })
  server.on('connection', (socket: Socket) => {
    if (isDead) socket.resetAndDestroy()
  })
  const outage = (what: Outage, ms: number): void => {
    note(`${what} for ${ms} ms`)
    if (what === 'Paused') {
      asleep = pause(ms)
      return
    }
    isDead = true
    server.closeAllConnections()
    setTimeout(() => {
      isDead = false
    }, ms)
  }
  server.on('upgrade', (incoming, socket: Socket, head) => passUpgrade(upstream, incoming, socket, head))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const folder = mkdtempSync(join(tmpdir(), 'faults-'))
  const path = join(folder, 'kubeconfig')
  const one = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'faults',
    clusters: [{ name: 'faults', cluster: { server: `http://127.0.0.1:${port}` } }],
    users: [{ name: 'faults', user: {} }],
    contexts: [{ name: 'faults', context: { cluster: 'faults', user: 'faults' } }],
  }
  writeFileSync(path, JSON.stringify(one), { mode: 0o600 })
  return {
    kubeconfig: path,
    log: () => noted.map(({ line }) => line),
    history: () => noted.map(({ line, ms }) => `  ${ms} ms: ${line}`).join('\n'),
    outage,
    close: async () => {
      rmSync(folder, { recursive: true })
      server.closeAllConnections()
      // Silent watches are still open towards the API server.
      upstream.agent.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Runs `run` with the proxy and closes it; a failure includes the seed and all requests. */
export const underFaults = async <A>(
  kubeconfig: string,
  options: Options,
  run: (proxy: FaultProxy) => Promise<A>,
): Promise<A> => {
  const proxy = await startFaultProxy(kubeconfig, options)
  try {
    return await run(proxy)
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`with the faults of seed ${options.seed}: ${text}\n${proxy.history()}`, { cause })
  } finally {
    await proxy.close()
  }
}
