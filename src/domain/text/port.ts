/**
 * The short notation of a published port (Compose spec, "ports"): `[[ip:][published[-end]]:]target[-end][/protocol]`.
 */

import * as E from 'fp-ts/lib/Either.js'
import { defined } from '../object/defined.ts'
import { type Fault, fail, quote } from './fault.ts'
import { isIp, isIpv6 } from './ip.ts'

type Protocol = 'TCP' | 'UDP' | 'SCTP'

/**
 * Ranges include both ends. A `published` range longer than `target` means any one port of it; 0 means a random port.
 */
export type PortRange = {
  readonly hostIp?: string
  readonly published?: readonly [number, number]
  readonly target: readonly [number, number]
  readonly protocol: Protocol
}

const PROTOCOLS: ReadonlyArray<Protocol> = ['TCP', 'UDP', 'SCTP']

/** `80` and `8080:80`, as most ports are written. */
const usual = /^(?:([1-9][0-9]{0,3}):)?([1-9][0-9]{0,3})$/

export const readPort = (text: string): E.Either<Fault, PortRange> => {
  const match = usual.exec(text)
  if (match !== null) {
    const target = Number(match[2])
    if (match[1] === undefined) return E.right({ target: [target, target], protocol: 'TCP' })
    const published = Number(match[1])
    return E.right({ published: [published, published], target: [target, target], protocol: 'TCP' })
  }
  if (text === '') return fail('the port is empty', 0, 0)
  const slash = text.indexOf('/')
  const end = slash === -1 ? text.length : slash
  const host = readHost(text.slice(0, end))
  if (host._tag === 'Left') return host
  const { hostIp, next } = host.right
  const [first = '', second, third] = text.slice(next, end).split(':', 3)
  if (third !== undefined) return fail('too many colons: an IPv6 address is written in brackets', 0, end)
  if (hostIp !== undefined && second === undefined) {
    return fail('an address is followed by two ports, of which the first may be empty', 0, end)
  }
  const target = readRange(second ?? first, end - (second ?? first).length, 1)
  if (target._tag === 'Left') return target
  const published = second === undefined || first === '' ? E.right(undefined) : readRange(first, next, 0)
  if (published._tag === 'Left') return published
  const [inside, outside] = [lengthOf(target.right), lengthOf(published.right ?? target.right)]
  if (inside !== outside && inside !== 1) {
    return fail(`${outside} published and ${inside} container ports do not pair`, next, end)
  }
  const name = slash === -1 ? 'TCP' : text.slice(slash + 1).toUpperCase()
  const protocol = PROTOCOLS.find((known) => known === name)
  if (protocol === undefined) return fail(`unknown protocol ${quote(text.slice(slash + 1))}`, slash + 1, text.length)
  return E.right({
    ...defined({ hostIp, published: published.right }),
    target: target.right,
    protocol,
  })
}

type Host = { readonly hostIp?: string; readonly next: number }

const noHost: E.Either<Fault, Host> = E.right({ next: 0 })

/** The address before the ports, if the number of colons says there is one. */
const readHost = (text: string): E.Either<Fault, Host> => {
  if (text.startsWith('[')) {
    const close = text.indexOf(']')
    if (close === -1) return fail('the bracket "[" is not closed', 0, text.length)
    const hostIp = text.slice(1, close)
    if (!isIpv6(hostIp)) return fail(`${quote(hostIp)} is not an IPv6 address`, 1, close)
    if (text[close + 1] === ':') return E.right({ hostIp, next: close + 2 })
    return fail('a colon is missing after the address', close, close + 1)
  }
  const colon = text.indexOf(':')
  if (colon === -1 || !text.includes(':', colon + 1)) return noHost
  const [hostIp = '', ...fields] = text.split(':', 4)
  if (fields.length > 2) return fail('too many colons: an IPv6 address is written in brackets', 0, text.length)
  if (hostIp === '') return E.right({ next: 1 })
  if (!isIp(hostIp)) return fail(`${quote(hostIp)} is not an IP address`, 0, hostIp.length)
  return E.right({ hostIp, next: hostIp.length + 1 })
}

/** `80` or `80-90`. */
export const readRange = (piece: string, start: number, lowest: number): E.Either<Fault, readonly [number, number]> => {
  const end = start + piece.length
  if (piece === '') return fail('the container port is missing', start, end)
  const match = /^(\d+)(?:-(\d+))?$/.exec(piece)
  if (match === null) return fail(`${quote(piece)} is not a port`, start, end)
  const [, low = '', high = low] = match
  const first = Number(low)
  const last = Number(high)
  const isPort = (number: number): boolean => number >= lowest && number <= 65_535
  if (!isPort(first) || !isPort(last)) {
    return fail(`port ${quote(isPort(first) ? high : low)} is not between ${lowest} and 65535`, start, end)
  }
  if (first > last) return fail(`the range ${quote(piece)} ends before it starts`, start, end)
  return E.right([first, last])
}

const lengthOf = ([first, last]: readonly [number, number]): number => last - first + 1
