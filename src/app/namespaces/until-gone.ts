/** Waits for the end of a deletion that the platform carries out. */
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { ManagedNamespace } from '../../domain/platform/access.ts'
import { pauseAfter } from '../../domain/time/backoff.ts'
import type { Clock } from '../../ports/clock.ts'
import { isTimeout } from '../concurrency/deadline.ts'

const pauses = { firstMs: 500, longestMs: 5000 }

const stillThere = (what: string, signal: AbortSignal): Diagnostic => {
  const help = { help: 'it goes on without this command' }
  return isTimeout(signal)
    ? error('DT3120', `timed out: ${what} is still being deleted`, help)
    : error('DT3007', `interrupted: ${what} is still being deleted`, help)
}

type Leaving = Pick<ManagedNamespace, 'name' | 'status' | 'failure'>

/** `logs`: the command that shows why destroy commands failed, if the run is not known. */
const notDeleted = (what: string, logs: string, { failure, name }: Leaving): Diagnostic => {
  const { reason = 'its destroy commands did not succeed', run } = failure ?? {}
  const command = run === undefined ? logs : `devtool pipeline logs --run ${run} --namespace ${name}`
  return error('DT6412', `${what} is still there: ${reason}`, {
    help: `\`${command}\` shows why; --force leaves them out`,
  })
}

/** `what`: in messages. `read`: fails with DT6004 once it is gone. */
export const untilGone =
  (
    { clock }: { readonly clock: Clock },
    { logs, what }: { readonly what: string; readonly logs: string },
    read: () => TE.TaskEither<Diagnostic, Leaving>,
    signal: AbortSignal,
  ): TE.TaskEither<Diagnostic, void> =>
  async () => {
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const found = await read()()
      if (found._tag === 'Left' && found.left.code === 'DT6004') return E.right(undefined)
      if (found._tag === 'Left') return signal.aborted ? E.left(stillThere(what, signal)) : found
      if (found.right.status === 'DeleteFailed') return E.left(notDeleted(what, logs, found.right))
      await clock.sleep(pauseAfter(pauses, attempt), signal)
    }
    return E.left(stillThere(what, signal))
  }
