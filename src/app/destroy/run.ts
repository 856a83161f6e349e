/** Deletes in rounds until a search finds nothing new, so objects created meanwhile are found as well. */

import { partition } from 'fp-ts/lib/Array.js'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { hasErrors } from '../../domain/checked.ts'
import { showKey } from '../../domain/cluster/resources.ts'
import { type Remaining, remade, unfinished } from '../../domain/destroy/findings.ts'
import type { Deletion } from '../../domain/destroy/plan.ts'
import type { Stage } from '../../domain/destroy/stage.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { isTimeout } from '../concurrency/deadline.ts'
import type { SearchResult } from './look.ts'
import { awaitAllGone, awaitUnused, leaveGoing, type Removing, removeAll } from './remove.ts'

/** `look` searches the cluster again. */
export type Destroying = Removing & {
  readonly look: TE.TaskEither<Diagnostic, SearchResult>
  readonly isWaiting: boolean
}

/**
 * `deleted`: objects marked for deletion. `last`: what existed at the end. `isComplete`: everything to be deleted is
 * gone, or will be.
 */
export type Destroyed = {
  readonly deleted: ReadonlyArray<Deletion>
  readonly last: SearchResult | undefined
  readonly findings: ReadonlyArray<Diagnostic>
  readonly isComplete: boolean
}

const mostRounds = 5

const isLease = ({ target }: Deletion): boolean => target.resource.plural === 'leases'
const isRecord = ({ target }: Deletion): boolean => target.resource.plural === 'configmaps'
const isVolume = ({ target }: Deletion): boolean => target.resource.plural === 'persistentvolumeclaims'

/** `left`: claims in use. */
type Round = {
  readonly left: ReadonlySet<Deletion>
  readonly findings: ReadonlyArray<Diagnostic>
  readonly remaining: ReadonlyArray<Remaining>
}

/** Deletes volumes once their pods are gone, and Helm's release Secrets only if everything else succeeded. */
const deleteRound = async (run: Destroying, fresh: ReadonlyArray<Deletion>): Promise<Round> => {
  const of = (...stages: ReadonlyArray<Stage>) => fresh.filter(({ stage }) => stages.includes(stage))
  const findings: Array<Diagnostic> = []
  const going: Array<Deletion> = []
  const remove = async (deletions: ReadonlyArray<Deletion>): Promise<void> => {
    const removed = await removeAll(run, deletions)
    for (const one of removed.findings) findings.push(one)
    for (const one of removed.going) going.push(one)
  }
  for (const stage of ['Workloads', 'Network', 'Configuration'] as const) await remove(of(stage))
  const volumes = of('Volumes')
  const left = new Set<Deletion>()
  const unfreed: Array<Remaining> = []
  if (volumes.length > 0 && !hasErrors(findings)) {
    const workloads = await awaitAllGone(
      run,
      going.filter(({ stage }) => stage === 'Workloads'),
    )
    for (const one of workloads.findings) findings.push(one)
    const freed = await awaitUnused(run, volumes.filter(isVolume))
    for (const one of freed.findings) findings.push(one)
    for (const one of freed.waiting) unfreed.push(one)
    for (const claim of volumes.filter(isVolume)) if (!freed.free.includes(claim)) left.add(claim)
    await remove([...volumes.filter((volume) => !isVolume(volume)), ...freed.free])
  }
  const { findings: unseen, remaining } = run.isWaiting
    ? await awaitAllGone(run, going)
    : { findings: [], remaining: [] }
  if (!run.isWaiting && !run.signal.aborted)
    leaveGoing(run, volumes.length === 0 ? going : going.filter(({ stage }) => stage !== 'Workloads'))
  for (const one of unseen) findings.push(one)
  if (remaining.length === 0 && !hasErrors(findings) && !run.signal.aborted) await remove(of('Releases'))
  return { findings, left, remaining: [...remaining, ...unfreed] }
}

/**
 * Deletes the stored plans, then the record, by which the next destroy finds those that are left. The lock is held until
 * the end.
 */
const deleteRecord = async (run: Destroying, { plan }: SearchResult): Promise<ReadonlyArray<Diagnostic>> => {
  const all = plan.deletions.filter((deletion) => deletion.stage === 'Record' && !isLease(deletion))
  const { left: plans, right: records } = partition(isRecord)(all)
  const { findings } = await removeAll(run, plans)
  if (hasErrors(findings) || run.signal.aborted) return findings
  return [...findings, ...(await removeAll(run, records)).findings]
}

/**
 * DT3301 and DT3302 when the signal is aborted, DT3306 for volumes in use, DT3308 when somebody keeps recreating
 * objects; and refusals of the cluster.
 */
export const destroyAll = async (run: Destroying): Promise<Destroyed> => {
  const tried = new Set<string>()
  const deleted: Array<Deletion> = []
  const findings: Array<Diagnostic> = []
  const noticed = new Map<string, Diagnostic>()
  let last: SearchResult | undefined
  const end = (isComplete: boolean, ...more: ReadonlyArray<Diagnostic>): Destroyed => ({
    deleted,
    last,
    findings: [...more, ...findings, ...noticed.values()],
    isComplete,
  })
  for (let round = 0; ; round += 1) {
    const looked = await run.look()
    if (run.signal.aborted) return end(false, unfinished([], isTimeout(run.signal)))
    if (E.isLeft(looked)) return end(false, looked.left)
    last = looked.right
    for (const found of last.findings) noticed.set(`${found.code} ${found.message}`, found)
    const fresh = last.plan.deletions.filter(
      ({ precondition, stage }) => stage !== 'Record' && !tried.has(precondition.uid),
    )
    if (fresh.length === 0) {
      const refused = await deleteRecord(run, last)
      return end(refused.length === 0, ...refused)
    }
    if (round === mostRounds) return end(false, remade(fresh.map(({ target }) => showKey(target))))
    for (const { precondition } of fresh) tried.add(precondition.uid)
    const done = await deleteRound(run, fresh)
    for (const one of fresh.filter((deletion) => !done.left.has(deletion))) deleted.push(one)
    for (const one of done.findings) findings.push(one)
    if (run.signal.aborted) return end(false, unfinished(done.remaining, isTimeout(run.signal)))
    if (hasErrors(done.findings)) return end(false)
  }
}
