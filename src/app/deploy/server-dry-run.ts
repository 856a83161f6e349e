/** `deploy --dry-run=server` and `--diff`: the API server does everything but keep it. Nothing is written, not even a lock. */

import * as E from 'fp-ts/lib/Either.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import type { Live } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { Apply, Change } from '../../domain/plan/change.ts'
import { diffAgainst } from '../../domain/plan/live-diff.ts'
import { refOf, showRef } from '../../domain/plan/plan.ts'
import { pruneChanges } from '../../domain/plan/prune.ts'
import { refusals, remainingChanges, type Situation, sharedChanges } from '../../domain/plan/reconcile.ts'
import type { Clock } from '../../ports/clock.ts'
import { bounded } from '../concurrency/bounded.ts'
import { namespaceObjects } from '../environment/namespace-objects.ts'
import type { Deployment } from './deploy.ts'
import { applyObject, type Writing } from './write.ts'

/** `live` is absent for what would be made, `wouldBe` for what would be deleted. */
export type Preview = {
  readonly name: string
  readonly what: 'Create' | 'Change' | 'Same' | 'Replace' | 'Delete'
  readonly because?: string
  readonly diff: string
}

export type Previewed = { readonly findings: ReadonlyArray<Diagnostic>; readonly previews: ReadonlyArray<Preview> }

type Wanted = Pick<Deployment, 'session' | 'plan' | 'switchedOff' | 'isPartial' | 'rerunsJobs' | 'force' | 'signal'>

const liveOf = async ({ cluster, namespace, signal }: Writing, { object }: Apply): Promise<Live | undefined> => {
  const key = { resource: resources[object.kind], namespace, name: object.metadata.name }
  const read = await cluster.get(key, signal)()
  return E.isRight(read) ? read.right : undefined
}

/** What is replaced cannot be tried while the old one is there: its body is checked under no uid. */
const previewApply = async (
  writing: Writing,
  change: Apply,
  because: string | undefined,
): Promise<E.Either<ReadonlyArray<Diagnostic>, Preview>> => {
  const name = showRef(refOf(change.object))
  if (because !== undefined)
    return E.right({ name, what: 'Replace', because, diff: `--- live/${name}\n+++ made anew\n` })
  const live = change.uid === undefined ? undefined : await liveOf(writing, change)
  const applied = await applyObject(writing, change)
  if (E.isLeft(applied)) return applied
  const diff = diffAgainst(change, live, applied.right.live)
  return E.right({ name, what: live === undefined ? 'Create' : diff === '' ? 'Same' : 'Change', diff })
}

const deleted = (name: string, because: string): Preview => ({
  name,
  what: 'Delete',
  because,
  diff: `--- live/${name}\n+++ /dev/null\n`,
})

const previewAll = async (writing: Writing, changes: ReadonlyArray<Change>): Promise<Previewed> => {
  const replaced = new Map(
    changes.flatMap((change) => (change._tag === 'Delete' ? [[showRef(change.ref), change.because] as const] : [])),
  )
  const applies = changes.flatMap((change) => (change._tag === 'Apply' ? [change] : []))
  const tried = await bounded(applies, (change) =>
    previewApply(writing, change, replaced.get(showRef(refOf(change.object)))),
  )
  const applied = new Set(applies.map(({ object }) => showRef(refOf(object))))
  const gone = [...replaced].filter(([name]) => !applied.has(name))
  return {
    findings: tried.flatMap((result) => (E.isLeft(result) ? result.left : [])),
    previews: [
      ...tried.flatMap((result) => (E.isRight(result) ? [result.right] : [])),
      ...gone.map(([name, because]) => deleted(name, because)),
    ],
  }
}

/** DT3101, DT3105 and what the server refuses, all at once. */
export const previewDeploy =
  ({ clock }: { readonly clock: Clock }) =>
  async ({ force, isPartial, plan, rerunsJobs, session, signal, switchedOff }: Wanted): Promise<Previewed> => {
    const { cluster, namespace } = session
    const observed = await namespaceObjects(session, signal)
    if (E.isLeft(observed)) return { findings: [failureDiagnostic(observed.left)], previews: [] }
    const refused = refusals({ plan, observed: observed.right })
    if (refused.length > 0) return { findings: refused, previews: [] }
    const versions = new Map(
      [...(observed.right.get('Secret') ?? [])].map(([name, live]) => [name, live.metadata.resourceVersion] as const),
    )
    const newClaims = new Set<string>()
    const situation: Situation = { plan, observed: observed.right, versions, newClaims, rerunsJobs, isWaiting: false }
    const pruned = isPartial ? [] : pruneChanges({ plan, observed: observed.right, switchedOff })
    const changes = [...sharedChanges(situation), ...remainingChanges(situation), ...pruned]
    const { environment } = plan
    return previewAll({ cluster, clock, namespace, environment, force, isDryRun: true, signal }, changes)
  }
