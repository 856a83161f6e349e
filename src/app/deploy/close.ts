/** The end of a deploy: its record, with an entry in the history. */
import * as E from 'fp-ts/lib/Either.js'
import { hasErrors } from '../../domain/checked.ts'
import { entryFor, plannedEntries, withoutDeleted, withoutGone } from '../../domain/environment/inventory.ts'
import { unionOf } from '../../domain/environment/record.ts'
import { defined } from '../../domain/object/defined.ts'
import { leftsOf } from '../../domain/object/lefts.ts'
import type { ActionTarget } from '../../domain/plan/action.ts'
import { endpointsOf } from '../../domain/plan/endpoints.ts'
import { pruneActions } from '../../domain/plan/prune.ts'
import { atMost, leavingMs } from '../concurrency/deadline.ts'
import type { Executed } from './executed.ts'
import { forgetPlans, nextHistory } from './keep.ts'
import type { Deployed, Run } from './request.ts'

const sortedOut = (run: Run): ReadonlyArray<ActionTarget> =>
  run.isPartial ? [] : pruneActions(run).map(({ target }) => target)

/** Writes the record at the end. */
export const close = async (run: Run, executed: Executed, isPruned: boolean, sinceMs: number): Promise<Deployed> => {
  const { recordStore, plan, ports } = run
  const made = executed.written.map(({ live, object }) => entryFor(object, live))
  const whole = unionOf(recordStore.now().inventory, made)
  const inventory = isPruned
    ? withoutGone(withoutDeleted(whole, sortedOut(run)), recordStore.previous?.inventory ?? [], run.observed, [
        ...plannedEntries(plan),
        ...made,
      ])
    : whole
  const endpoints = endpointsOf(plan)
  const phases = [{ name: 'deploy', ms: Math.round(ports.clock.now() - sinceMs) }]
  const isGood = executed.isComplete && !hasErrors(executed.findings)
  const status = isGood && run.purpose._tag !== 'Undo' ? 'deployed' : 'error'
  const shown = run.isPartial ? [...new Set([...recordStore.now().endpoints, ...endpoints])] : endpoints
  // Without the signal of the run: the record is written in any case.
  const services = isPruned ? run.services : recordStore.now().services
  const { history: before = [] } = recordStore.now()
  const kept = await nextHistory(run, executed, { isGood, deleted: isPruned ? sortedOut(run).length : 0 })
  const change = {
    status,
    history: kept.history,
    ...defined({ services }),
    inventory,
    endpoints: shown,
    external: run.external,
    phases,
  } as const
  const written = await atMost(ports.clock, leavingMs(run.signal), (late) => recordStore.write(change, late)())
  if (written !== undefined && E.isRight(written)) await forgetPlans(run, before)
  const unwritten = written === undefined ? [] : leftsOf([written])
  // An error that prevented the first write of the record prevents this one as well: it is reported once.
  const told = new Set(executed.findings.map(({ message }) => message))
  const findings = [...executed.findings, ...kept.findings, ...unwritten.filter(({ message }) => !told.has(message))]
  return { findings, endpoints: hasErrors(findings) ? [] : endpoints, record: recordStore.now() }
}
