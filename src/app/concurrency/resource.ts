/** Resources that must be released whatever happens: a lock, a proxy, a folder, a clone. */
import * as E from 'fp-ts/lib/Either.js'
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/** Like `TE.bracket`, but releases the resource after an exception in `use` as well. */
export const withResource =
  <L, R, A>(
    acquire: TaskEither<L, R>,
    use: (resource: R) => TaskEither<L, A>,
    release: (resource: R) => Task<unknown>,
  ): TaskEither<L, A> =>
  async () => {
    const acquired = await acquire()
    if (E.isLeft(acquired)) return acquired
    try {
      return await use(acquired.right)()
    } finally {
      await release(acquired.right)()
    }
  }
