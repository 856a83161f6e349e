/** How a call ended: the gRPC status in headers or trailers, else the HTTP/2 error. */

import { constants, type IncomingHttpHeaders } from 'node:http2'
import { defined, ifDefined } from '../../../domain/object/defined.ts'
import type { RpcFailure } from './rpc.ts'

const internal = 13
const unknown = 2

/** Never fails: invalid UTF-8 is replaced. */
const decodeMessage = (value: string): string =>
  Buffer.from(
    value.replace(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

/** nghttp2 sends no header block over 64 KiB, and one byte may be encoded as three. */
const messageLimitBytes = 8192

export const encodeMessage = (message: string): string =>
  Array.from(Buffer.from(message, 'utf8').subarray(0, messageLimitBytes), (byte) =>
    byte >= 0x20 && byte <= 0x7e && byte !== 0x25
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('')

/** gRPC's meaning of an HTTP status without a gRPC status: another kind of server, or a proxy, answered. */
const codesOfHttp: ReadonlyMap<number, number> = new Map([
  [400, internal],
  [401, 16],
  [403, 7],
  [404, 12],
  [429, 14],
  [502, 14],
  [503, 14],
  [504, 14],
])

const first = (value: string | ReadonlyArray<string> | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.[0]

/** `undefined` while the call goes on; `OK` for a successful end. */
export const readStatus = (headers: IncomingHttpHeaders): RpcFailure | 'OK' | undefined => {
  const written = first(headers['grpc-status'])
  if (written !== undefined) {
    const code = /^\d{1,9}$/.test(written) ? Number(written) : unknown
    if (code === 0) return 'OK'
    const details = first(headers['grpc-status-details-bin'])
    return {
      _tag: 'Status',
      code,
      message: decodeMessage(first(headers['grpc-message']) ?? ''),
      ...defined({ details: ifDefined(details, (text) => Buffer.from(text, 'base64')) }),
    }
  }
  const status = Number(headers[':status'] ?? 200)
  if (status === 200) return undefined
  return {
    _tag: 'Status',
    code: codesOfHttp.get(status) ?? unknown,
    message: `the answer is HTTP ${status} and not one of gRPC`,
  }
}

const codesOfReset: ReadonlyMap<number, number> = new Map([
  [constants.NGHTTP2_REFUSED_STREAM, 14],
  [constants.NGHTTP2_CANCEL, 1],
  [constants.NGHTTP2_ENHANCE_YOUR_CALM, 8],
  [constants.NGHTTP2_INADEQUATE_SECURITY, 7],
])

const names: ReadonlyMap<number, string> = new Map(
  Object.entries(constants).flatMap(([name, value]) =>
    /^NGHTTP2_(?:NO_ERROR|(?:PROTOCOL|INTERNAL|FLOW_CONTROL|FRAME_SIZE|COMPRESSION|CONNECT)_ERROR|SETTINGS_TIMEOUT|STREAM_CLOSED|REFUSED_STREAM|CANCEL|ENHANCE_YOUR_CALM|INADEQUATE_SECURITY|HTTP_1_1_REQUIRED)$/.test(
      name,
    ) && typeof value === 'number'
      ? [[value, name.slice('NGHTTP2_'.length)] as const]
      : [],
  ),
)

/** The name of an HTTP/2 error code. */
export const nameOfCode = (code: number): string => names.get(code) ?? `error ${code}`

/**
 * The builder ended the call with this error code and without a status. It sends INTERNAL_ERROR instead of a status
 * that is larger than the client accepts.
 */
export const failureOfReset = (code: number): RpcFailure => {
  if (code === constants.NGHTTP2_INTERNAL_ERROR) return { _tag: 'Cut' }
  if (code === constants.NGHTTP2_NO_ERROR)
    return { _tag: 'Status', code: internal, message: 'the call ended without a status' }
  return {
    _tag: 'Status',
    code: codesOfReset.get(code) ?? internal,
    message: `the call was reset (${nameOfCode(code)})`,
  }
}

/** As text, for an exception or a log. */
export const showRpcFailure = (failure: RpcFailure): string => {
  switch (failure._tag) {
    case 'Status':
      return `${failure.message} (code ${failure.code})`
    case 'Broken':
      return failure.cause
    case 'Silent':
      return `no response for ${failure.afterMs} ms`
    case 'Cut':
      return 'the answer is too large'
    case 'Aborted':
      return 'aborted'
  }
}
