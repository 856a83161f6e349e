/**
 * `deploy --dry-run=server` and `--diff`: the API server does everything except store the result. Nothing is written,
 * not even a lock.
 */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import type { Json } from '../../domain/cluster/json.ts'
import { type ClusterObject, isLive, type Observed } from '../../domain/cluster/live.ts'
import { isPodWarning } from '../../domain/cluster/pod-security.ts'
import { resources, showKey } from '../../domain/cluster/resources.ts'
import { deployActions, deployRefusals } from '../../domain/dev/deployed.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { type ActionTarget, type Bound, fold, partition, refOf, showRef, targetOf } from '../../domain/plan/action.ts'
import { withoutAdded } from '../../domain/plan/added.ts'
import { diffAgainst } from '../../domain/plan/live-diff.ts'
import { readyPatch, scalePatch } from '../../domain/plan/patch.ts'
import { pruneActions } from '../../domain/plan/prune.ts'
import { type ReconcileInput, sharedActions } from '../../domain/plan/reconcile.ts'
import { podRefused, trialPod } from '../../domain/plan/trial-pod.ts'
import type { Clock } from '../../ports/clock.ts'
import { type ApplyContext, applyObject, bodyOf } from '../actions/apply.ts'
import { createObject } from '../actions/create.ts'
import { patchObject } from '../actions/patch.ts'
import { bounded } from '../concurrency/bounded.ts'
import { lookOf, namespaceObjects } from '../environment/namespace-objects.ts'
import type { DeployRequest } from './request.ts'

/** `live` is absent for objects that would be created, `wouldBe` for objects that would be deleted. */
export type Preview = {
  readonly name: string
  readonly what: 'Create' | 'Change' | 'Same' | 'Replace' | 'Delete'
  readonly because?: string
  readonly diff: string
}

export type Previewed = { readonly findings: ReadonlyArray<Diagnostic>; readonly previews: ReadonlyArray<Preview> }

type PreviewOptions = Pick<DeployRequest, 'target' | 'plan' | 'switchedOff' | 'isPartial' | 'jobs' | 'force' | 'signal'>

type PreviewTask = TE.TaskEither<ReadonlyArray<Diagnostic>, Previewed>

const untold = (...previews: ReadonlyArray<Preview>): PreviewTask => TE.of({ findings: [], previews })

const liveOf = (
  { cluster, namespace, signal }: ApplyContext,
  target: ActionTarget,
): T.Task<ClusterObject | undefined> =>
  pipe(
    cluster.get({ ...target, namespace }, signal),
    TE.getOrElse((): T.Task<ClusterObject | undefined> => T.of(undefined)),
  )

/**
 * The server warns about the pods of a workload only in namespaces with the label for warnings: elsewhere a pod is
 * created as a dry run.
 */
const podsRefused = (
  { cluster, namespace, signal }: ApplyContext,
  action: Bound<'Apply'>,
): T.Task<ReadonlyArray<Diagnostic>> => {
  const pod = trialPod(action.object)
  if (pod === undefined) return T.of([])
  return pipe(
    cluster.create({ resource: resources.Pod, namespace }, pod, { manager: 'devtool', isDryRun: true, signal }),
    TE.match(
      (failure) => podRefused(action, failure),
      () => [],
    ),
  )
}

/** While the old object exists, a replacement cannot be tried: its body is checked without a uid. */
const previewApply = (writing: ApplyContext, action: Bound<'Apply'>, because: string | undefined): PreviewTask => {
  const { object, origins, precondition } = action
  const name = showRef(refOf(object))
  if (because !== undefined) {
    const preview: Preview = { name, what: 'Replace', because, diff: `--- live/${name}\n+++ recreated\n` }
    return TE.fromTask(
      pipe(
        podsRefused(writing, action),
        T.map((findings) => ({ findings, previews: [preview] })),
      ),
    )
  }
  const before = precondition._tag === 'Absent' ? T.of(undefined) : liveOf(writing, targetOf(refOf(object)))
  const shown = (live: ClusterObject | undefined, applied: ClusterObject): Preview => {
    const own: Json = JSON.parse(bodyOf(object))
    const bare = live === undefined ? own : withoutAdded(applied, live, own)
    const wouldBe = isLive(bare) ? bare : applied
    const diff = diffAgainst({ name, origins, to: 'file' }, live, wouldBe)
    return { name, what: live === undefined ? 'Create' : diff === '' ? 'Same' : 'Change', diff }
  }
  return pipe(
    TE.fromTask(before),
    TE.bindTo('live'),
    TE.bind('applied', () => applyObject(writing, action)),
    TE.bindW('refused', ({ applied }) =>
      TE.fromTask(applied.findings.some(isPodWarning) ? T.of([]) : podsRefused(writing, action)),
    ),
    TE.map(({ applied, live, refused }) => ({
      findings: [...applied.findings, ...refused],
      previews: [shown(live, applied.live)],
    })),
  )
}

const previewCreate = (writing: ApplyContext, action: Bound<'Create'>): PreviewTask => {
  const name = showKey(action.target)
  const shown = (created: ClusterObject): Preview => {
    const diff = diffAgainst({ name, origins: [], to: 'created' }, undefined, created)
    return { name, what: 'Create', because: action.because, diff }
  }
  return pipe(
    createObject(writing, action),
    TE.map((created) => ({ findings: [], previews: [shown(created)] })),
  )
}

/** Nothing can be tried on an object that the plan itself creates first. */
const previewPatch = (writing: ApplyContext, action: Bound<'Patch'>): PreviewTask => {
  const { because, target } = action
  const name = showKey(target)
  const shown = (live: ClusterObject | undefined, patched: ClusterObject): Preview => {
    const diff = diffAgainst({ name, origins: [], to: 'patched' }, live, patched)
    return { name, what: diff === '' ? 'Same' : 'Change', because, diff }
  }
  const untried: Preview = { name, what: 'Change', because, diff: `--- created/${name}\n+++ patched/${name}\n` }
  const tried = (live: ClusterObject | undefined): PreviewTask => {
    const ready = readyPatch(action, live)
    if (ready === undefined) return untold(untried)
    return pipe(
      patchObject(writing, ready),
      TE.map((patched) => ({ findings: patched.findings, previews: [shown(live, patched.live)] })),
    )
  }
  return pipe(TE.fromTask(liveOf(writing, target)), TE.flatMap(tried))
}

const deleted = (name: string, because: string): Preview => ({
  name,
  what: 'Delete',
  because,
  diff: `--- live/${name}\n+++ /dev/null\n`,
})

const isDeletion = ({ what }: Preview): boolean => what === 'Delete'

/** Deletions come last, whatever their reason. */
const previewAll = async (writing: ApplyContext, actions: ReadonlyArray<Bound>): Promise<Previewed> => {
  const { Apply, Delete } = partition(actions)
  const replaced = new Map(Delete.map(({ because, target }) => [showKey(target), because]))
  const applied = new Set(Apply.map(({ object }) => showRef(refOf(object))))
  const preview = fold<PreviewTask, Bound>({
    Apply: (action) => previewApply(writing, action, replaced.get(showRef(refOf(action.object)))),
    Create: (action) => previewCreate(writing, action),
    Delete: ({ because, target }) => {
      const name = showKey(target)
      return applied.has(name) ? untold() : untold(deleted(name, because))
    },
    Await: () => untold(),
    Scale: (action) => previewPatch(writing, scalePatch(action)),
    Patch: (action) => previewPatch(writing, action),
  })
  const tried = await bounded(actions, (action) => preview(action)())
  const previews = tried.flatMap((result) => (E.isRight(result) ? result.right.previews : []))
  return {
    findings: tried.flatMap(
      E.match(
        (refused) => refused,
        ({ findings }) => findings,
      ),
    ),
    previews: [...previews.filter((one) => !isDeletion(one)), ...previews.filter(isDeletion)],
  }
}

const previewed = async (clock: Clock, wanted: PreviewOptions, observed: Observed): Promise<Previewed> => {
  const { force, isPartial, plan, jobs, target, signal, switchedOff } = wanted
  const refused = deployRefusals({ plan, observed })
  if (refused.length > 0) return { findings: refused, previews: [] }
  const versions = new Map(
    [...(observed.get('Secret') ?? [])].map(([name, live]) => [name, live.metadata.resourceVersion] as const),
  )
  const newClaims = new Set<string>()
  const situation: ReconcileInput = { plan, observed, versions, newClaims, jobs, isWaiting: false }
  const pruned = isPartial ? [] : pruneActions({ plan, observed, switchedOff })
  const actions = [...sharedActions(situation), ...deployActions(situation), ...pruned]
  const { cluster, namespace } = target
  const { environment } = plan
  return previewAll({ cluster, clock, namespace, environment, force, isDryRun: true, signal }, actions)
}

/** DT3101, DT3105 and all refusals of the server, in one run. */
export const previewDeploy =
  ({ clock }: { readonly clock: Clock }) =>
  (wanted: PreviewOptions): Promise<Previewed> => {
    const preview = pipe(
      namespaceObjects(wanted.target, lookOf(wanted.plan), wanted.signal),
      TE.matchE(
        (failure) => T.of<Previewed>({ findings: [failureDiagnostic(failure)], previews: [] }),
        (observed) => () => previewed(clock, wanted, observed),
      ),
    )
    return preview()
  }
