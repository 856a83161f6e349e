/** A session: lets a builder request files, secrets and credentials from this machine during a build. */
import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import type { Solve } from '../../domain/build/solve.ts'
import type { RpcService } from './rpc/call.ts'
import { healthPath } from './rpc/health.ts'
import type { Rpc } from './rpc/rpc.ts'
import { type Serving, serveSession } from './serve/server.ts'

/** `sharedKey`: builders keep files received in a session for later ones with the same key. */
type Identity = { readonly id: string; readonly sharedKey: string }

const realPath = async (path: string): Promise<string> => {
  try {
    return await realpath(path)
  } catch {
    return path
  }
}

/** The same for all builds of a folder on this machine, so that only changes are sent. */
export const sharedKeyOf = async (hostname: string, served: Solve['served']): Promise<string> => {
  const folder = [served.get('context'), served.get('dockerfile')].find((one) => one?._tag === 'Folder')
  const path = folder?._tag === 'Folder' ? await realPath(folder.path) : ''
  return createHash('sha256').update(`${hostname}:${path}`).digest('hex')
}

/** The builder only calls methods that are announced. */
export const openSession = (rpc: Rpc, { id, sharedKey }: Identity, service: RpcService): Serving => {
  const methods = [healthPath, ...service.keys()].map(
    (method) => ['x-docker-expose-session-grpc-method', method] as const,
  )
  const tunnel = rpc.tunnel('/moby.buildkit.v1.Control/Session', [
    ['x-docker-expose-session-uuid', id],
    ['x-docker-expose-session-name', 'devtool'],
    ['x-docker-expose-session-sharedkey', sharedKey],
    ...methods,
  ])
  return serveSession(tunnel, service)
}
