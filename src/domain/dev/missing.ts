/** Workloads of `dev` sections that do not exist: whether a deploy of the project would create them. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Json } from '../cluster/json.ts'
import { isLive, type Observed, withLives } from '../cluster/live.ts'
import type { Diagnostic } from '../diagnostic/diagnostic.ts'
import type { DevBase, DevContainer } from '../manifest/dev-model.ts'
import type { Manifest } from '../manifest/model.ts'
import { partition } from '../plan/action.ts'
import type { Plan } from '../plan/plan.ts'
import { printJson } from '../print/json.ts'
import { chooseContainer, chooseWorkload, devKindOf } from './workload.ts'

/** DT5001 to DT5003 for the sections, and the services in them, that do not match the cluster. */
export const unfit = (devs: ReadonlyArray<DevContainer>, observed: Observed): ReadonlyArray<Diagnostic> => {
  const sections = devs.flatMap((dev): ReadonlyArray<DevBase> => [...(dev.autocreate ? [] : [dev]), ...dev.services])
  return sections.flatMap((section) =>
    pipe(
      chooseWorkload(section, observed),
      E.flatMap((workload) => chooseContainer(section, workload)),
      E.match(
        (found) => [found],
        () => [],
      ),
    ),
  )
}

/**
 * Sections that would still not match after a deploy. Commands and dependencies of the project may create any workload.
 */
export const unfitDeployed = (
  devs: ReadonlyArray<DevContainer>,
  { manifest, plan }: { readonly manifest?: Manifest; readonly plan?: Plan },
  observed: Observed,
): ReadonlyArray<Diagnostic> => {
  const makesAny = manifest !== undefined && manifest.deploy.commands.length + manifest.dependencies.length > 0
  const made = partition(plan?.actions ?? [])
    .Apply.filter(({ object }) => devKindOf(object) !== undefined)
    .map(({ object }): Json => JSON.parse(printJson(object)))
    .filter(isLive)
  return unfit(devs, withLives(observed, made)).filter(({ code }) => !makesAny || code !== 'DT5001')
}
