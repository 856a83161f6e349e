/** Takes the archive of an image from the builder and loads it into the Docker daemon: moby.filesync.v1.FileSend. */
import * as E from 'fp-ts/lib/Either.js'
import type { BuildFailure } from '../../domain/build/failure.ts'
import type { Daemon } from '../docker/link.ts'
import { BytesMessage } from './gen/buildkit.ts'
import type { RpcCall, RpcService } from './rpc/call.ts'
import { readMessage } from './rpc/unreadable.ts'

const aborted = 10

/** A truncated call must not look like the end of the archive. */
async function* archiveIn({ messages, signal }: RpcCall): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const message of messages) yield readMessage(BytesMessage, message).data
  if (signal.aborted) throw new Error('the builder ended the transfer')
}

/** `fail` is called before the builder is told. */
export const loadService = (daemon: Daemon, fail: (failure: BuildFailure) => void): RpcService =>
  new Map([
    [
      '/moby.filesync.v1.FileSend/DiffCopy',
      async (call) => {
        const { loadImage } = await import('../docker/load.ts')
        const loaded = await loadImage(daemon, archiveIn(call), call.signal)()
        if (E.isRight(loaded)) return undefined
        fail(loaded.left)
        return { code: aborted, message: 'the image was not loaded' }
      },
    ],
  ])
