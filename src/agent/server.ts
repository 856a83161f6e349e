/** The SSH server of a development container: one key may connect, and only from inside the pod. */
import type { Duplex } from 'node:stream'
import ssh2, { type Algorithms, type AuthContext, type Connection, type ParsedKey } from 'ssh2'
import { serveForwards } from './forwards.ts'
import type { Sessions } from './kept-session.ts'
import { serveSession } from './session.ts'

/** Keys in OpenSSH's formats: the private key of this host, and the public key of the client. */
export type AgentKeys = { readonly host: Buffer; readonly client: Buffer }

/** The fastest in Node, and every OpenSSH since 6.2 has them. */
const algorithms: Algorithms = {
  cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'chacha20-poly1305@openssh.com'],
}
const keepAlive = { keepaliveInterval: 5_000, keepaliveCountMax: 3 }
/** A client that has not logged in by then has gone. */
const loginMs = 120_000
/** ssh2 never renews keys by itself. */
const rekeyMs = 60 * 60_000

const isAllowed = (context: AuthContext, allowed: ParsedKey): boolean => {
  if (context.method !== 'publickey') return false
  const { blob, hashAlgo, key, signature } = context
  if (key.algo !== allowed.type || !key.data.equals(allowed.getPublicSSH())) return false
  // Without a signature the client only asks whether the key would be accepted.
  if (signature === undefined || blob === undefined) return signature === undefined
  // Despite its type, it may also return an error.
  const verified: unknown = allowed.verify(blob, signature, hashAlgo)
  return verified === true
}

const serveClient = (sessions: Sessions, allowed: ParsedKey, client: Connection, connection: Duplex): void => {
  // One listener per forwarded connection.
  connection.setMaxListeners(0)
  const tooLate = setTimeout(() => connection.destroy(), loginMs)
  connection.once('close', () => clearTimeout(tooLate))
  client.on('authentication', (context) => {
    if (isAllowed(context, allowed)) context.accept()
    else context.reject(['publickey'])
  })
  client.on('ready', () => {
    clearTimeout(tooLate)
    client.on('session', (accept) => serveSession(sessions, accept(), connection))
    serveForwards(client, connection)
    const rekey = setInterval(() => client.rekey(), rekeyMs)
    client.on('close', () => clearInterval(rekey))
  })
  // ssh2 ends only its own direction, which a client that has gone does not notice.
  client.on('error', (failure) => {
    if ('level' in failure && failure.level === 'client-timeout') connection.destroy()
  })
}

/** Throws when the keys cannot be read. */
export const serving = (sessions: Sessions, keys: AgentKeys): ((connection: Duplex) => void) => {
  const allowed = ssh2.utils.parseKey(keys.client)
  if (allowed instanceof Error) throw allowed
  return (connection) => {
    const config = { hostKeys: [keys.host], ident: 'devtool', algorithms, ...keepAlive }
    const server = new ssh2.Server(config, (client) => serveClient(sessions, allowed, client, connection))
    server.injectSocket(Object(connection))
  }
}
