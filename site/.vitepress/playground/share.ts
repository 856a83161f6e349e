/** A project as the fragment of an address, which browsers keep to themselves. */
import type { Files } from './messages.ts'

const prefix = '#v1.'

const through = async (
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer())

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))

const isFiles = (value: unknown): value is Files =>
  typeof value === 'object' && value !== null && Object.values(value).every((text) => typeof text === 'string')

export const toFragment = async (files: Files): Promise<string> =>
  prefix +
  toBase64Url(await through(new TextEncoder().encode(JSON.stringify(files)), new CompressionStream('deflate-raw')))

/** Nothing, if the fragment is none of `toFragment`. */
export const fromFragment = async (fragment: string): Promise<Files | undefined> => {
  if (!fragment.startsWith(prefix)) return undefined
  try {
    const bytes = await through(fromBase64Url(fragment.slice(prefix.length)), new DecompressionStream('deflate-raw'))
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return isFiles(value) && Object.keys(value).length > 0 ? value : undefined
  } catch {
    return undefined
  }
}
