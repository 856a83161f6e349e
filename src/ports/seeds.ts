/** Folders of this machine as streams, to fill folders of a development container. */
import type { Readable } from 'node:stream'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/** What has been read. `left`: paths that could not be. */
export type Packed = { readonly files: number; readonly bytes: number; readonly left: ReadonlyArray<string> }

export type Seeds = {
  /**
   * A tar stream of what is in the folder, without what its .stignore ignores; links are sent as links and never
   * followed. `packed` is whole when the stream has ended. Left: why the folder cannot be read.
   */
  readonly pack: (folder: string) => TaskEither<string, { readonly stream: Readable; readonly packed: () => Packed }>
}
