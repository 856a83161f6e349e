/**
 * Writes of the controller. A failed write is not retried at once: its subject is inspected again later, and somebody
 * else may have written it meanwhile.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, isAbsent, isConflict, serverWords } from '../../../domain/cluster/failure.ts'
import type { ClusterObject } from '../../../domain/cluster/live.ts'
import type { ControllerWorld } from './world.ts'

/** `undefined` when the cluster does not answer: it is asked again later. */
export const answered = <A>(ask: TE.TaskEither<Failure, A>): Promise<{ readonly value: A } | undefined> =>
  pipe(
    ask,
    TE.matchW(
      () => undefined,
      (value) => ({ value }),
    ),
  )()

/** Whether the write succeeded. `act`: the name under which it is counted. */
export const acted = async (
  { count, mayWrite, note }: ControllerWorld,
  act: string,
  { metadata: { name, namespace } }: Pick<ClusterObject, 'metadata'>,
  write: TE.TaskEither<Failure, unknown>,
): Promise<boolean> => {
  if (!(await mayWrite())) return false
  const done = await write()
  const what = namespace === undefined ? name : `${namespace}/${name}`
  if (E.isRight(done)) {
    count(act)
    note(act, what)
    return true
  }
  const failure = done.left
  if (!isConflict(failure) && !isAbsent(failure))
    note('failed', `${act} ${what}: ${serverWords(failure) ?? failure._tag}`)
  return false
}
