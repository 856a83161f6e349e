/** `deploy --atomic`: after a failure, the last successful deployment is applied again. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { hasErrors } from '../../domain/checked.ts'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import { type Diagnostic, warning } from '../../domain/diagnostic/diagnostic.ts'
import { lastPlanned } from '../../domain/environment/history.ts'
import type { StoredPlan } from '../../domain/environment/stored-plan.ts'
import { deadline } from '../concurrency/deadline.ts'
import { look, type Seen } from '../environment/early-look.ts'
import { loadPlan } from '../environment/load-plan.ts'
import { lookOf } from '../environment/namespace-objects.ts'
import type { Deployed, DeployRequest, Run } from './request.ts'

type Earlier = Pick<
  DeployRequest,
  'plan' | 'source' | 'settings' | 'services' | 'external' | 'switchedOff' | 'isPartial' | 'jobs' | 'purpose'
>

/** The deploy of a stored plan, which runs no commands and no Jobs. */
export const earlierDeploy = ({ switchedOff, ...stored }: StoredPlan, to: number): Earlier => ({
  ...stored,
  switchedOff: new Set(switchedOff),
  isPartial: false,
  jobs: { _tag: 'None' },
  purpose: { _tag: 'Rollback', to },
})

/** Going back has the default timeout of a deploy. */
const limitMs = 300_000

/** `began` and `done`: the messages before and after. */
type Goal = { readonly deploy: Earlier; readonly began: string; readonly done: string }

const undoing = ({ external, plan: { environment }, settings, source }: Run): Goal => ({
  began: 'the first deployment failed: deleting what it created',
  done: 'what the first deployment created is deleted, except volumes and what commands created',
  deploy: {
    plan: { schema: 1, environment, actions: [] },
    source,
    settings,
    external,
    services: [],
    switchedOff: new Set(),
    isPartial: false,
    jobs: { _tag: 'None' },
    purpose: { _tag: 'Undo' },
  },
})

const isFirst = ({ recordStore: { previous } }: Run): boolean =>
  previous === undefined || previous.inventory.length === 0

const unknownGoal = ({ plan: { environment } }: Run): Diagnostic =>
  warning('DT3142', `"${environment}" has no earlier deployment whose plan is kept: what was applied stays`, {
    help: 'plans are kept of deployments of the whole environment that ended well; `devtool history` lists them',
  })

const goalOf = (run: Run, signal: AbortSignal): TE.TaskEither<Diagnostic, Goal> => {
  const { plan, recordStore, target } = run
  const entry = lastPlanned(recordStore.now().history ?? [])
  if (entry === undefined) return isFirst(run) ? TE.right(undoing(run)) : TE.left(unknownGoal(run))
  const { number } = entry
  return pipe(
    loadPlan(target, plan.environment, entry, signal),
    TE.map((stored) => ({
      deploy: earlierDeploy(stored, number),
      began: `the deployment failed: going back to deployment ${number}`,
      done: `back at deployment ${number}; volumes, Jobs and what commands created stay as they are`,
    })),
  )
}

/** Drops advice that assumes that the failed deployment stays. */
const withoutAdvice = ({ help, ...found }: Diagnostic): Diagnostic =>
  help === undefined || help.startsWith('what was applied stays') ? found : { ...found, help }

/** `again` deploys under the same lock. The findings are those of the failure, and of going back if that fails too. */
export const goBack = async (
  run: Run,
  failed: Deployed,
  again: (deployment: DeployRequest, seen: Seen) => Promise<Deployed>,
): Promise<Deployed> => {
  const { before: _before, early: _early, ...kept } = run
  const { interrupted, ports, target } = kept
  const { clear, signal } = deadline(ports.clock, limitMs, interrupted)
  const say = (text: string): void => ports.progress.tell({ _tag: 'Said', text })
  const found = pipe(
    goalOf(run, signal),
    TE.bindTo('goal'),
    TE.bind('seen', ({ goal }) =>
      TE.mapLeft(failureDiagnostic)(look(ports.clock, target, lookOf(goal.deploy.plan), signal)),
    ),
  )
  try {
    const ready = await found()
    if (ready._tag === 'Left') return { ...failed, findings: [...failed.findings, ready.left] }
    const { goal, seen } = ready.right
    say(goal.began)
    const deployment = { ...kept, ...goal.deploy, isAtomic: false, isWaiting: true, refusal: () => undefined, signal }
    const back = await again(deployment, seen)
    if (!hasErrors(back.findings)) say(goal.done)
    return { ...back, endpoints: [], findings: [...failed.findings.map(withoutAdvice), ...back.findings] }
  } finally {
    clear()
  }
}
