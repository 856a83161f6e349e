/** `deploy --dry-run=server` and `--diff`: the API server does everything but keep it. Nothing is written, not even a lock. */

import * as E from 'fp-ts/lib/Either.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import type { Live } from '../../domain/cluster/live.ts'
import { showKey } from '../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { type Bound, fold, partition, refOf, showRef, type Target, targetOf } from '../../domain/plan/action.ts'
import { diffAgainst } from '../../domain/plan/live-diff.ts'
import { scalePatch } from '../../domain/plan/patch.ts'
import { pruneActions } from '../../domain/plan/prune.ts'
import { refusals, remainingActions, type Situation, sharedActions } from '../../domain/plan/reconcile.ts'
import type { Clock } from '../../ports/clock.ts'
import { applyObject, type Writing } from '../actions/apply.ts'
import { patchObject } from '../actions/patch.ts'
import { bounded } from '../concurrency/bounded.ts'
import { namespaceObjects } from '../environment/namespace-objects.ts'
import type { Deployment } from './deploy.ts'

/** `live` is absent for what would be made, `wouldBe` for what would be deleted. */
export type Preview = {
  readonly name: string
  readonly what: 'Create' | 'Change' | 'Same' | 'Replace' | 'Delete'
  readonly because?: string
  readonly diff: string
}

export type Previewed = { readonly findings: ReadonlyArray<Diagnostic>; readonly previews: ReadonlyArray<Preview> }

type Wanted = Pick<Deployment, 'session' | 'plan' | 'switchedOff' | 'isPartial' | 'rerunsJobs' | 'force' | 'signal'>

type Tried = E.Either<ReadonlyArray<Diagnostic>, ReadonlyArray<Preview>>

const liveOf = async ({ cluster, namespace, signal }: Writing, target: Target): Promise<Live | undefined> => {
  const read = await cluster.get({ ...target, namespace }, signal)()
  return E.isRight(read) ? read.right : undefined
}

/** What is replaced cannot be tried while the old one is there: its body is checked under no uid. */
const previewApply = async (writing: Writing, action: Bound<'Apply'>, because: string | undefined): Promise<Tried> => {
  const { object, origins, precondition } = action
  const name = showRef(refOf(object))
  if (because !== undefined)
    return E.right([{ name, what: 'Replace', because, diff: `--- live/${name}\n+++ recreated\n` }])
  const live = precondition._tag === 'Absent' ? undefined : await liveOf(writing, targetOf(refOf(object)))
  const applied = await applyObject(writing, action)
  if (E.isLeft(applied)) return applied
  const diff = diffAgainst({ name, origins, to: 'file' }, live, applied.right.live)
  return E.right([{ name, what: live === undefined ? 'Create' : diff === '' ? 'Same' : 'Change', diff }])
}

const previewPatch = async (writing: Writing, action: Bound<'Patch'>): Promise<Tried> => {
  const { because, target } = action
  const name = showKey(target)
  const live = await liveOf(writing, target)
  const patched = await patchObject(writing, action)
  if (E.isLeft(patched)) return patched
  const diff = diffAgainst({ name, origins: [], to: 'patched' }, live, patched.right.live)
  return E.right([{ name, what: diff === '' ? 'Same' : 'Change', because, diff }])
}

const deleted = (name: string, because: string): Preview => ({
  name,
  what: 'Delete',
  because,
  diff: `--- live/${name}\n+++ /dev/null\n`,
})

const isDeletion = ({ what }: Preview): boolean => what === 'Delete'

/** Deletions last, whatever makes them necessary. */
const previewAll = async (writing: Writing, actions: ReadonlyArray<Bound>): Promise<Previewed> => {
  const { Apply, Delete } = partition(actions)
  const replaced = new Map(Delete.map(({ because, target }) => [showKey(target), because]))
  const applied = new Set(Apply.map(({ object }) => showRef(refOf(object))))
  const preview = fold<Promise<Tried>, Bound>({
    Apply: (action) => previewApply(writing, action, replaced.get(showRef(refOf(action.object)))),
    Delete: async ({ because, target }) => {
      const name = showKey(target)
      return E.right(applied.has(name) ? [] : [deleted(name, because)])
    },
    Await: async () => E.right([]),
    Scale: (action) => previewPatch(writing, scalePatch(action)),
    Patch: (action) => previewPatch(writing, action),
  })
  const tried = await bounded(actions, preview)
  const previews = tried.flatMap((result) => (E.isRight(result) ? result.right : []))
  return {
    findings: tried.flatMap((result) => (E.isLeft(result) ? result.left : [])),
    previews: [...previews.filter((one) => !isDeletion(one)), ...previews.filter(isDeletion)],
  }
}

/** DT3101, DT3105 and what the server refuses, all at once. */
export const previewDeploy =
  ({ clock }: { readonly clock: Clock }) =>
  async ({ force, isPartial, plan, rerunsJobs, session, signal, switchedOff }: Wanted): Promise<Previewed> => {
    const { cluster, namespace } = session
    const observed = await namespaceObjects(session, signal)()
    if (E.isLeft(observed)) return { findings: [failureDiagnostic(observed.left)], previews: [] }
    const refused = refusals({ plan, observed: observed.right })
    if (refused.length > 0) return { findings: refused, previews: [] }
    const versions = new Map(
      [...(observed.right.get('Secret') ?? [])].map(([name, live]) => [name, live.metadata.resourceVersion] as const),
    )
    const newClaims = new Set<string>()
    const situation: Situation = { plan, observed: observed.right, versions, newClaims, rerunsJobs, isWaiting: false }
    const pruned = isPartial ? [] : pruneActions({ plan, observed: observed.right, switchedOff })
    const actions = [...sharedActions(situation), ...remainingActions(situation), ...pruned]
    const { environment } = plan
    return previewAll({ cluster, clock, namespace, environment, force, isDryRun: true, signal }, actions)
  }
