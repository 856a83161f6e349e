/** The builder's request for a folder, from the headers of its call. */
import { nameOf } from '../../paths/name.ts'
import type { RpcCall } from '../rpc/call.ts'

/** `follow`: `undefined` when the builder does not send it. */
export type FileFilter = {
  readonly name: string
  readonly include: ReadonlyArray<string>
  readonly exclude: ReadonlyArray<string>
  readonly follow: ReadonlyArray<string> | undefined
}

/** An invalid encoding counts as empty, as in Go. */
const unescaped = (value: string): string => {
  const plain = value.replaceAll('+', ' ')
  if (/%(?![0-9A-Fa-f]{2})/.test(plain)) return ''
  const bytes = plain.replace(/%(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
  return nameOf(Buffer.from(bytes, 'latin1'))
}

/** Builders that do not escape values send UTF-8, which arrives as latin1. */
const values = (call: RpcCall, name: string): ReadonlyArray<string> => {
  const isEscaped = /^(?:1|t|T|TRUE|true|True)$/.test(call.header(`${name}-encoded`)[0] ?? '')
  return call.header(name).map((value) => (isEscaped ? unescaped(value) : nameOf(Buffer.from(value, 'latin1'))))
}

export const wantedIn = (call: RpcCall): FileFilter => {
  const follow = values(call, 'followpaths')
  return {
    name: values(call, 'dir-name')[0] ?? '',
    include: values(call, 'include-patterns'),
    exclude: values(call, 'exclude-patterns'),
    follow: follow.length === 0 ? undefined : follow,
  }
}
