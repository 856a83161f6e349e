/** Carries out actions: each as early as its dependencies allow, at most sixteen writes at a time. */
import * as E from 'fp-ts/lib/Either.js'
import { type ClusterObject, liveOf, type Observed } from '../../domain/cluster/live.ts'
import { isPodWarning } from '../../domain/cluster/pod-security.ts'
import { showKey } from '../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { KubeObject } from '../../domain/k8s/types.ts'
import { type Action, type Bound, fold, refOf, showRef } from '../../domain/plan/action.ts'
import { notThere, readyPatch, scalePatch } from '../../domain/plan/patch.ts'
import { publicPortsOf } from '../../domain/plan/public-ports.ts'
import { isUnchanged } from '../../domain/plan/unchanged.ts'
import { isWorkload } from '../../domain/plan/versions.ts'
import { type ApplyContext, applyObject, MANAGER } from '../actions/apply.ts'
import { createObject } from '../actions/create.ts'
import { deleteAndWait } from '../actions/delete.ts'
import { patchObject } from '../actions/patch.ts'
import { runGraph } from '../concurrency/graph.ts'
import { isFresh } from '../environment/early-look.ts'
import type { Lock } from '../environment/lock.ts'
import { waitFor } from '../watch/wait.ts'
import type { Watching } from '../watch/watch.ts'
import type { Executed, Stuck } from './executed.ts'
import { type ServiceProgress, serviceOf } from './service-progress.ts'

const atOnce = 16

export type ExecuteContext = {
  readonly writing: ApplyContext
  readonly lock: Pick<Lock, 'check'>
  readonly watching: Watching
  readonly progress: ServiceProgress
  readonly failsFast: boolean
}

const isWrite = fold<boolean>({
  Apply: () => true,
  Create: () => true,
  Delete: () => true,
  Await: () => false,
  Scale: () => true,
  Patch: () => true,
})

/** What the server said of each object, without warnings about pods that it refused later: the refusal says the same. */
const unrefused = (
  said: ReadonlyMap<string, ReadonlyArray<Diagnostic>>,
  stuck: ReadonlyArray<Stuck>,
): ReadonlyArray<Diagnostic> => {
  const refused = new Set(
    stuck.flatMap(({ causes, wanted }) => (causes.some(({ code }) => code === 'DT3214') ? [showRef(wanted.ref)] : [])),
  )
  return [...said].flatMap(([name, found]) => (refused.has(name) ? found.filter((one) => !isPodWarning(one)) : found))
}

/** `applied`: the plan's objects as they will be in the end; `observed`: the objects before, at `observedMs`. */
export type Before = {
  readonly applied: ReadonlyArray<KubeObject>
  readonly observed: Observed
  readonly observedMs: number
}

/** A failure prevents actions that have not begun; running ones finish. */
export const execute = async (
  { failsFast, progress, lock, watching, writing }: ExecuteContext,
  actions: ReadonlyArray<Bound>,
  { applied, observed, observedMs }: Before,
): Promise<Executed> => {
  const halted = new AbortController()
  const signal = AbortSignal.any([writing.signal, halted.signal])
  const publicPorts = publicPortsOf(applied)
  const made = new Map<string, ClusterObject>()
  const changed = new Set<string>()
  const written: Array<Executed['written'][number]> = []
  const stuck: Array<Stuck> = []
  const pending: Array<Executed['pending'][number]> = []
  const findings: Array<Diagnostic> = []
  const said = new Map<string, ReadonlyArray<Diagnostic>>()

  const fail = (found: ReadonlyArray<Diagnostic>): false => {
    for (const one of found) findings.push(one)
    halted.abort()
    return false
  }

  const latest = (there: ClusterObject): ClusterObject | undefined =>
    isFresh(writing.clock, observedMs) ? watching.state.latest(there) : undefined

  const runApply = async (action: Bound<'Apply'>): Promise<boolean> => {
    const { object } = action
    const name = showRef(refOf(object))
    const there = liveOf(observed, object.kind, object.metadata.name)
    const now = there === undefined ? undefined : latest(there)
    if (now !== undefined && action.precondition._tag === 'Exists' && isUnchanged(object, now, MANAGER)) {
      made.set(name, now)
      written.push({ object, live: now, isNew: false })
      watching.state.see(now)
      progress.unchanged(serviceOf(object))
      return true
    }
    // A Service is applied long before its workload may begin.
    if (isWorkload(object)) progress.applying(serviceOf(object))
    const result = await applyObject(writing, action)()
    if (E.isLeft(result)) {
      if (writing.signal.aborted) return false
      progress.failed(serviceOf(object), 'refused')
      return fail(result.left)
    }
    made.set(name, result.right.live)
    // The generation of a recreated object starts at 1 again.
    if (result.right.isNew || there?.metadata.generation !== result.right.live.metadata.generation) changed.add(name)
    written.push({ object, live: result.right.live, isNew: result.right.isNew })
    watching.state.see(result.right.live)
    said.set(name, result.right.findings)
    progress.applied(serviceOf(object))
    return true
  }

  const runCreate = async (action: Bound<'Create'>): Promise<boolean> => {
    const name = showKey(action.target)
    const result = await createObject(writing, action)()
    if (E.isLeft(result)) return writing.signal.aborted ? false : fail(result.left)
    made.set(name, result.right)
    watching.state.see(result.right)
    progress.object(name, 'Done', 'created')
    return true
  }

  const runDelete = async (action: Bound<'Delete'>): Promise<boolean> => {
    const name = showKey(action.target)
    let state = 'deleting'
    const tell = (detail: string): void => {
      state = detail
      progress.object(name, 'Running', `${action.because}: ${detail}`)
    }
    tell(state)
    const gone = await deleteAndWait({ ...writing, signal }, action, tell)()
    if (E.isRight(gone) && gone.right) {
      progress.object(name, 'Done', 'deleted')
      return true
    }
    if (E.isLeft(gone) && !signal.aborted) return fail([gone.left])
    pending.push({ name, detail: state })
    return false
  }

  const runPatch = async (action: Bound<'Patch'>, doing: string, done: string): Promise<boolean> => {
    const { resource, name: own } = action.target
    const name = showKey(action.target)
    const ready = readyPatch(action, made.get(name) ?? liveOf(observed, resource.kind, own))
    if (ready === undefined) return fail([notThere('patch', action.target)])
    progress.object(name, 'Running', `${action.because}: ${doing}`)
    const result = await patchObject(writing, ready)()
    if (E.isLeft(result)) {
      if (writing.signal.aborted) return false
      progress.object(name, 'Failed', 'refused')
      return fail(result.left)
    }
    changed.add(name)
    watching.state.see(result.right.live)
    for (const one of result.right.findings) findings.push(one)
    progress.object(name, 'Done', done)
    return true
  }

  const runAwait = async (wanted: Action<'Await'>): Promise<boolean> => {
    const { clock, cluster, namespace } = writing
    const waiting = { cluster, clock, namespace, watching, signal, failsFast, tell: progress.told }
    const name = showRef(wanted.ref)
    const waited = await waitFor(waiting, wanted, () => ({
      publicPorts: publicPorts.get(wanted.service) ?? [],
      isUnchanged: !changed.has(name),
    }))
    switch (waited._tag) {
      case 'Met':
        for (const one of waited.findings) findings.push(one)
        progress.met(wanted, waited.detail)
        return true
      case 'Failed':
        stuck.push({ wanted, causes: waited.causes })
        progress.failed(wanted.service, waited.causes[0]?.message ?? 'failed')
        halted.abort()
        return false
      case 'Aborted':
        pending.push({ name, wanted, detail: waited.detail })
        return false
    }
  }

  const interpret = fold<Promise<boolean>, Bound>({
    Apply: runApply,
    Create: runCreate,
    Delete: runDelete,
    Await: runAwait,
    Scale: (action) => runPatch(scalePatch(action), `scaling to ${action.replicas}`, `scaled to ${action.replicas}`),
    Patch: (action) => runPatch(action, 'patching', 'patched'),
  })
  const run = async (action: Bound): Promise<boolean> => {
    if (signal.aborted) return false
    const lost = isWrite(action) ? await lock.check() : undefined
    return lost === undefined ? interpret(action) : fail([lost])
  }
  const unbegun = await runGraph(actions, { atOnce, isLimited: isWrite, run })
  const isComplete = unbegun.length === 0 && !signal.aborted && stuck.length === 0
  return { written, stuck, pending, findings: [...findings, ...unrefused(said, stuck)], isComplete }
}
