/** The port `Network`: addresses outside of the cluster, with the proxies and authorities of the environment. */
import * as E from 'fp-ts/lib/Either.js'
import type { EndpointAnswer, Reached } from '../../domain/network/answer.ts'
import type { ConnectionCause } from '../../domain/network/causes.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Network } from '../../ports/network.ts'
import { causeOf } from '../http/causes.ts'
import { type HttpClient, httpClient } from '../http/client.ts'
import { dial as dialThrough } from '../http/dial.ts'
import { type Env, proxyOf } from '../http/proxy.ts'
import { accept, dial, listen } from './listen.ts'
import { readText, urlOf } from './read.ts'

type Silent = Extract<EndpointAnswer, { readonly _tag: 'Silent' }>

const silent = ({ because, text }: ConnectionCause): Silent => {
  switch (because) {
    case 'UnknownName':
    case 'Refused':
    case 'Untrusted':
    case 'TimedOut':
    case 'Broken':
      return { _tag: 'Silent', because, text }
    case 'BadCertificate':
      return { _tag: 'Silent', because: 'Untrusted', text }
    case 'NotTls':
    case 'Aborted':
    case 'Proxy':
      return { _tag: 'Silent', because: 'Broken', text }
  }
}

const late = (timeoutMs: number): Silent => ({
  _tag: 'Silent',
  because: 'TimedOut',
  text: `no response within ${timeoutMs} ms`,
})

const ask = async (
  client: HttpClient,
  clock: Clock,
  [text, timeoutMs, isLenient = false]: Parameters<Network['ask']>,
): Promise<EndpointAnswer> => {
  const url = urlOf(text)
  if (url === undefined) return { _tag: 'Silent', because: 'Broken', text: 'it is no URL' }
  const begun = clock.now()
  const signal = clock.timeout(timeoutMs)
  const opened = await client.open({ method: 'GET', url, isLenient, headers: { accept: '*/*' } }, signal)()
  if (E.isLeft(opened)) return signal.aborted ? late(timeoutMs) : silent(opened.left)
  const ms = Math.round(clock.now() - begun)
  opened.right.destroy()
  return { _tag: 'Answered', status: opened.right.statusCode ?? 0, ms }
}

/** Through the proxy for https: these ports do not serve plain HTTP. */
const reach = async (env: Env, clock: Clock, host: string, port: number, timeoutMs: number): Promise<Reached> => {
  try {
    const name = host.includes(':') ? `[${host}]` : host
    const proxy = proxyOf(new URL(`https://${name}:${port}`), env)
    if (E.isLeft(proxy)) return { _tag: 'Silent', because: 'Broken', text: proxy.left }
    const socket = await dialThrough({ host, port }, { env, proxy: proxy.right }, { clock, limitMs: timeoutMs })
    socket.destroy()
    return { _tag: 'Open' }
  } catch (cause) {
    return silent(causeOf(cause))
  }
}

export const nodeNetwork = (env: Env, clock: Clock): Network => {
  const client = httpClient(env, clock)
  return {
    ask:
      (...question) =>
      () =>
        ask(client, clock, question),
    read: readText(client, clock),
    reach: (host, port, timeoutMs) => () => reach(env, clock, host, port, timeoutMs),
    listen,
    accept,
    dial,
  }
}
