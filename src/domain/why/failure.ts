/** The report of a failed deploy: every cause once, causes before their consequences, and old pods that still serve. */
import { type Diagnostic, warning } from '../diagnostic/diagnostic.ts'
import type { OldVersion } from '../rollout/serving.ts'
import type { Cause } from './cause.ts'

/** A service that did not come up. `dependsOn`: the services that it waits for. */
export type FailedService = {
  readonly service: string
  readonly causes: ReadonlyArray<Cause>
  readonly dependsOn: ReadonlyArray<string>
}

/** How many failed services are between a service and the root; those of a cycle count once. */
const depthsOf = (failed: ReadonlyArray<FailedService>): ReadonlyMap<string, number> => {
  const byName = new Map(failed.map((each) => [each.service, each]))
  const depths = new Map<string, number>()
  const depthOf = (name: string): number => {
    const known = depths.get(name)
    if (known !== undefined) return known
    depths.set(name, 0)
    const behind = (byName.get(name)?.dependsOn ?? []).filter((other) => byName.has(other))
    const depth = behind.reduce((deepest, other) => Math.max(deepest, depthOf(other) + 1), 0)
    depths.set(name, depth)
    return depth
  }
  for (const { service } of failed) depthOf(service)
  return depths
}

/** A cause that several services share is reported once, except crashes: each program has a log of its own. */
const merged = (causes: ReadonlyArray<Cause>): ReadonlyArray<Cause> => {
  const found = new Map<string, { readonly cause: Cause; readonly subjects: Set<string> }>()
  for (const cause of causes) {
    const { code, logs, message, subject } = cause
    const key = `${code} ${message} ${logs === undefined ? '' : subject}`
    const known = found.get(key) ?? { cause, subjects: new Set() }
    known.subjects.add(subject)
    found.set(key, known)
  }
  return [...found.values()].map(({ cause, subjects }) => ({ ...cause, subject: [...subjects].join(', ') }))
}

/** Services that others depend on come first. */
export const causesInOrder = (failed: ReadonlyArray<FailedService>): ReadonlyArray<Cause> => {
  const depths = depthsOf(failed)
  const depthOf = ({ service }: FailedService): number => depths.get(service) ?? 0
  return merged(failed.toSorted((a, b) => depthOf(a) - depthOf(b)).flatMap(({ causes }) => causes))
}

/** DT3161. `earlier`: the deployment that `rollback` would go back to. */
export const stillServes = (service: string, { images, pods }: OldVersion, earlier: number | undefined): Diagnostic =>
  warning(
    'DT3161',
    `${service}: the old version still serves: ${pods} ${pods === 1 ? 'pod' : 'pods'} with ${images.join(', ')}`,
    {
      help: `the new version replaces it once it is available${
        earlier === undefined ? '' : `; \`devtool rollback\` goes back to deployment ${earlier}`
      }`,
    },
  )
