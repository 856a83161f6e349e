/** Applies one object without ever taking over an object of another owner, even if it changes in between. */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type Failure,
  failureDiagnostic,
  isFieldConflict,
  isOtherUid,
  isStale,
  isUnsure,
  type Refusal,
} from '../../domain/cluster/failure.ts'
import { listAt, textAt } from '../../domain/cluster/json.ts'
import { type ClusterObject, labelOf } from '../../domain/cluster/live.ts'
import { podSecurityHelp } from '../../domain/cluster/pod-security.ts'
import { type ObjectKey, resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error, placed, warning } from '../../domain/diagnostic/diagnostic.ts'
import { ENVIRONMENT_LABEL } from '../../domain/k8s/labels.ts'
import type { KubeObject } from '../../domain/k8s/types.ts'
import { type Action, type Bound, refOf, showRef } from '../../domain/plan/action.ts'
import { conflictFindings, isAboutReplicas, replicasLeft, withoutReplicas } from '../../domain/plan/conflicts.ts'
import { placesIn } from '../../domain/plan/origins.ts'
import { refusalFindings } from '../../domain/plan/refusal.ts'
import { printJsonLine } from '../../domain/print/json.ts'
import { type Backoff, pauseAfter } from '../../domain/time/backoff.ts'
import type { Clock } from '../../ports/clock.ts'
import type { AppliedObject, Cluster } from '../../ports/cluster.ts'

export type ApplyContext = {
  readonly cluster: Cluster
  readonly clock: Clock
  readonly namespace: string
  readonly environment: string
  readonly force: boolean
  readonly isDryRun: boolean
  readonly signal: AbortSignal
}

/** `isNew`: it did not exist before. */
type Applied = {
  readonly live: ClusterObject
  readonly isNew: boolean
  readonly findings: ReadonlyArray<Diagnostic>
}

type Result = TE.TaskEither<ReadonlyArray<Diagnostic>, Applied>

/** The field manager of deploy. */
export const MANAGER = 'devtool'

/** The status is written by controllers. */
const isManagedByOthers = (live: ClusterObject): boolean =>
  listAt(live, 'metadata', 'managedFields').some(
    (entry) => textAt(entry, 'manager') !== MANAGER && textAt(entry, 'subresource') === undefined,
  )

const mostTries = 6
const backoff: Backoff = { firstMs: 200, longestMs: 6400 }

/** The request body; with `uid`, it applies to that object only. */
export const bodyOf = (object: KubeObject, uid?: string): string =>
  printJsonLine(uid === undefined ? object : { ...object, metadata: { ...object.metadata, uid } })

/** The finding at the lines that the object comes from. */
const atOrigin = ({ origins }: Action<'Apply'>, found: Diagnostic): Diagnostic => placed(placesIn(origins)(''), found)

const warningsOf = (action: Action<'Apply'>, { warnings }: AppliedObject): ReadonlyArray<Diagnostic> =>
  warnings.map((text) =>
    atOrigin(action, warning('DT3132', `${showRef(refOf(action.object))}: ${text}`, { help: podSecurityHelp(text) })),
  )

const meanwhile = (action: Action<'Apply'>, what: string): Diagnostic => {
  const message = `${showRef(refOf(action.object))} was ${what} by something else in the meantime`
  return atOrigin(action, error('DT3103', message, { help: 'run the command again' }))
}

const keyOf = ({ namespace }: ApplyContext, { kind, metadata: { name } }: KubeObject): ObjectKey => ({
  resource: resources[kind],
  namespace,
  name,
})

/** The object has to be read before another attempt: the outcome is unknown, or the object has changed. */
const needsLook = (failure: Failure): boolean => isStale(failure) || isOtherUid(failure) || isUnsure(failure)

/** The object expected in the cluster: its `uid` is the old one, or that of our own earlier request. */
const expectedOf = (
  { environment }: ApplyContext,
  action: Action<'Apply'>,
  uid: string | undefined,
  live: ClusterObject | undefined,
): E.Either<ReadonlyArray<Diagnostic>, string | undefined> => {
  if (uid !== undefined) {
    return live?.metadata.uid === uid
      ? E.right(uid)
      : E.left([meanwhile(action, live === undefined ? 'deleted' : 'replaced')])
  }
  if (live === undefined) return E.right(undefined)
  // Our objects have the label from the start, so this is the result of our own earlier request.
  return labelOf(live, ENVIRONMENT_LABEL) === environment
    ? E.right(live.metadata.uid)
    : E.left([meanwhile(action, 'created')])
}

const reconsider = (
  writing: ApplyContext,
  action: Action<'Apply'>,
  uid: string | undefined,
): TE.TaskEither<ReadonlyArray<Diagnostic>, string | undefined> =>
  pipe(
    writing.cluster.get(keyOf(writing, action.object), writing.signal),
    TE.mapLeft((failure): ReadonlyArray<Diagnostic> => [failureDiagnostic(failure)]),
    TE.flatMapEither((live) => expectedOf(writing, action, uid, live)),
  )

const fileDispute = (object: KubeObject, origins: Action<'Apply'>['origins']) => ({
  name: showRef(refOf(object)),
  object,
  origins,
  source: 'the file',
  help: 'take the field over with --force-conflicts, or leave it out of the file',
})

const disputed = (
  writing: ApplyContext,
  { object, origins }: Action<'Apply'>,
  refusal: Refusal,
): TE.TaskEither<ReadonlyArray<Diagnostic>, ReadonlyArray<Diagnostic>> => {
  const there = pipe(
    writing.cluster.get(keyOf(writing, object), writing.signal),
    TE.getOrElse((): T.Task<ClusterObject | undefined> => T.of(undefined)),
  )
  return pipe(
    TE.fromTask(there),
    TE.flatMap((live) =>
      isAboutReplicas(refusal)
        ? TE.right([replicasLeft(object, refusal, live, origins)])
        : TE.left(conflictFindings(fileDispute(object, origins), refusal, live)),
    ),
  )
}

/**
 * Undoes a merge into an object that somebody else created in the meantime: applying only its identity drops the fields
 * that only we manage. An object that nobody else manages is left alone, since this would empty it.
 */
const release = async (writing: ApplyContext, object: KubeObject, live: ClusterObject): Promise<void> => {
  if (!isManagedByOthers(live)) return
  const { apiVersion, kind } = object
  const body = printJsonLine({ apiVersion, kind, metadata: { name: live.metadata.name, uid: live.metadata.uid } })
  const { cluster, signal } = writing
  await cluster.apply(keyOf(writing, object), body, { manager: MANAGER, force: true, signal })()
}

/**
 * DT3101 to DT3103 when somebody else owns the object or its fields, DT3130 when replicas are left as they are, DT3132
 * for warnings; otherwise the server's error.
 */
export const applyObject =
  (writing: ApplyContext, action: Bound<'Apply'>): Result =>
  async () => {
    const { clock, cluster, force, isDryRun, signal } = writing
    const notes: Array<Diagnostic> = []
    const expected = action.precondition._tag === 'Exists' ? action.precondition.uid : undefined
    let [object, uid, wasRepeated] = [action.object, expected, false]
    for (let attempt = 1; ; attempt += 1) {
      const options = { manager: MANAGER, force, isDryRun, signal }
      const sent = await cluster.apply(keyOf(writing, object), bodyOf(object, uid), options)()
      if (E.isRight(sent)) {
        const { isNew, object: live } = sent.right
        if (uid === undefined && !isNew && !isDryRun) {
          await release(writing, object, live)
          return E.left([meanwhile(action, 'created')])
        }
        const isOwn = isNew || (wasRepeated && expected === undefined)
        return E.right({ live, isNew: isOwn, findings: [...notes, ...warningsOf(action, sent.right)] })
      }
      const failure = sent.left
      if (isFieldConflict(failure) && notes.length === 0) {
        const found = await disputed(writing, action, failure)()
        if (E.isLeft(found)) return found
        for (const one of found.right) notes.push(one)
        object = withoutReplicas(object)
      } else if (needsLook(failure) && attempt < mostTries) {
        await clock.sleep(pauseAfter(backoff, attempt - 1), signal)
        const next = await reconsider(writing, action, uid)()
        if (E.isLeft(next)) return next
        ;[uid, wasRepeated] = [next.right, true]
      } else return E.left(refusalFindings(failure, action))
    }
  }
