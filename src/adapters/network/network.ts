/** The port `Network` over node:http, node:https and node:net. */
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect } from 'node:net'
import type { Answer, Reached } from '../../domain/network/answer.ts'
import type { Network } from '../../ports/network.ts'

type Silent = Extract<Answer, { readonly _tag: 'Silent' }>

const reasons: Readonly<Record<string, Silent['because']>> = {
  ENOTFOUND: 'UnknownName',
  EAI_AGAIN: 'UnknownName',
  ENODATA: 'UnknownName',
  ECONNREFUSED: 'Refused',
  ETIMEDOUT: 'TimedOut',
  EPROTO: 'Untrusted',
}

const isTls = (code: string): boolean => /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/.test(code)

const codeOf = (cause: Error): string => ('code' in cause && typeof cause.code === 'string' ? cause.code : '')

/** Of several addresses that were tried one after the other, the first counts. */
const silent = (cause: Error): Silent => {
  const [first] = cause instanceof AggregateError ? cause.errors : []
  const one = first instanceof Error ? first : cause
  const code = codeOf(one)
  const because = reasons[code] ?? (isTls(code) ? 'Untrusted' : 'Broken')
  return { _tag: 'Silent', because, text: one.message === '' ? code : one.message }
}

const late = (timeoutMs: number): Silent => ({
  _tag: 'Silent',
  because: 'TimedOut',
  text: `no answer within ${timeoutMs} ms`,
})

const ask = (url: string, timeoutMs: number): Promise<Answer> =>
  new Promise((resolve) => {
    const begun = performance.now()
    const send = url.startsWith('https:') ? httpsRequest : httpRequest
    const headers = { 'user-agent': 'devtool', accept: '*/*' }
    const request = send(url, { agent: false, headers, signal: AbortSignal.timeout(timeoutMs) })
    request.on('response', (response) => {
      const ms = Math.round(performance.now() - begun)
      resolve({ _tag: 'Answered', status: response.statusCode ?? 0, ms })
      response.on('error', () => {})
      request.destroy()
    })
    request.on('error', (cause) => resolve(codeOf(cause) === 'ABORT_ERR' ? late(timeoutMs) : silent(cause)))
    request.end()
  })

const reach = (host: string, port: number, timeoutMs: number): Promise<Reached> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs })
    const end = (reached: Reached): void => {
      socket.destroy()
      resolve(reached)
    }
    socket.on('connect', () => end({ _tag: 'Open' }))
    socket.on('timeout', () => end(late(timeoutMs)))
    socket.on('error', (cause) => end(silent(cause)))
  })

export const nodeNetwork: Network = {
  ask: (url, timeoutMs) => async () => {
    try {
      return await ask(url, timeoutMs)
    } catch (cause) {
      return silent(cause instanceof Error ? cause : new Error(String(cause)))
    }
  },
  reach: (host, port, timeoutMs) => () => reach(host, port, timeoutMs),
}
