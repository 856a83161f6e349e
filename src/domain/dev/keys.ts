/**
 * The SSH keys of a development container, and the Secret that holds them. Each end knows the other's public key from
 * the start.
 */

import { textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { decodeBase64, encodeBase64 } from '../text/base64.ts'

/** In OpenSSH's format. */
type KeyPair = { readonly private: string; readonly public: string }

export type SessionKeys = { readonly client: KeyPair; readonly host: KeyPair }

/** What a client needs: its own private key, and the public one of the host. */
export type LinkKeys = { readonly client: string; readonly host: string }

/** The keys of the Secret that the container mounts. The client's private key stays out of the container. */
export const mountedKeys = ['host_key', 'client_key.pub'] as const

const clientKey = 'client_key'
const hostKey = 'host_key.pub'

/** The `data` of the Secret. */
export const keyData = ({ client, host }: SessionKeys): Readonly<Record<string, string>> => {
  const texts = {
    host_key: host.private,
    'client_key.pub': client.public,
    [clientKey]: client.private,
    [hostKey]: host.public,
  }
  const encode = (text: string): string => encodeBase64(new TextEncoder().encode(text))
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, encode(text)]))
}

/** The keys in such a Secret, in the order of {@link keyData}, without its other data. */
export const keyDataIn = (secret: ClusterObject): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ['host_key', 'client_key.pub', clientKey, hostKey].map((name) => [name, textAt(secret, 'data', name) ?? '']),
  )

/** `undefined` when it is not such a Secret. */
export const keysIn = (secret: ClusterObject): LinkKeys | undefined => {
  const read = (name: string): string | undefined => {
    const bytes = decodeBase64(textAt(secret, 'data', name) ?? '')
    return bytes === undefined || bytes.length === 0 ? undefined : new TextDecoder().decode(bytes)
  }
  const [client, host] = [read(clientKey), read(hostKey)]
  return client === undefined || host === undefined ? undefined : { client, host }
}
