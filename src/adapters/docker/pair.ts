/** A pair of connected sockets within this process. */
import { connect, createServer, type Server, type Socket } from 'node:net'
import { basename, join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { makeScratchFolder } from '../process/scratch-folder.ts'

const joined = (server: Server, path: string): Promise<readonly [Socket, Socket]> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      const near = connect(path)
      near.once('error', reject)
      server.once('connection', (far: Socket) => {
        near.off('error', reject)
        resolve([near, far])
      })
    })
  })

/** Uses a socket in a private temporary folder, which is removed before it returns. */
export const socketPair: TE.TaskEither<string, readonly [Socket, Socket]> = async () => {
  try {
    const { path: folder, remove } = await makeScratchFolder()
    const path = process.platform === 'win32' ? `\\\\.\\pipe\\${basename(folder)}` : join(folder, 's')
    const server = createServer()
    server.maxConnections = 1
    try {
      return E.right(await joined(server, path))
    } finally {
      server.close()
      await remove()
    }
  } catch (cause) {
    return E.left(`no socket for ssh: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}
