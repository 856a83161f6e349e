/** Rounds over a cluster, one write at a time, which can be stopped after each. */
import * as E from 'fp-ts/lib/Either.js'
import { createObject } from '../../../src/app/actions/create.ts'
import { deleteAndWait } from '../../../src/app/actions/delete.ts'
import { patchObject } from '../../../src/app/actions/patch.ts'
import { observe } from '../../../src/app/dev/rounds.ts'
import type { Observed } from '../../../src/domain/cluster/live.ts'
import { isDone, type Round } from '../../../src/domain/dev/round.ts'
import { type Bound, fold } from '../../../src/domain/plan/action.ts'
import { readyPatch } from '../../../src/domain/plan/patch.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'

type Running = { readonly cluster: Cluster; readonly clock: Clock; readonly namespace: string }

export const observedIn = async ({ cluster, namespace }: Running): Promise<Observed> => {
  const { signal } = new AbortController()
  const observed = await observe({ target: { cluster, namespace }, signal })()
  if (E.isLeft(observed)) throw new Error(observed.left.message)
  return observed.right
}

/** Whether it succeeded: somebody else may have written in between. */
const carryOut = async ({ clock, cluster, namespace }: Running, action: Bound): Promise<boolean> => {
  const { signal } = new AbortController()
  const writing = { cluster, clock, namespace, environment: '', force: false, isDryRun: false, signal }
  const done = async (result: Promise<E.Either<unknown, unknown>>): Promise<boolean> => {
    const ended = await result
    if (E.isRight(ended)) return true
    if (!JSON.stringify(ended.left).includes('DT3103')) throw new Error(JSON.stringify(ended.left))
    return false
  }
  const impossible = () => Promise.reject(new Error(`no action of up: ${action._tag}`))
  return fold<Promise<boolean>, Bound>({
    Apply: impossible,
    Await: impossible,
    Scale: impossible,
    Create: (creation) => done(createObject(writing, creation)()),
    Delete: (deletion) => done(deleteAndWait(writing, deletion, () => {})()),
    Patch: (patch) => {
      const ready = readyPatch(patch, undefined)
      return ready === undefined ? impossible() : done(patchObject(writing, ready)())
    },
  })(action)
}

/** Plans and writes until nothing is left to do or `most` writes were made; returns the number of writes. */
export const inRounds = async (
  running: Running,
  plan: (observed: Observed) => Round,
  most = Number.POSITIVE_INFINITY,
): Promise<number> => {
  let writes = 0
  for (let round = 0; round < 600; round += 1) {
    const next = plan(await observedIn(running))
    if (isDone(next)) return writes
    for (const action of next.actions) {
      if (writes >= most) return writes
      if (!(await carryOut(running, action))) break
      writes += 1
    }
    if (next.actions.length === 0) await running.clock.sleep(200)
  }
  throw new Error('it never ends')
}
