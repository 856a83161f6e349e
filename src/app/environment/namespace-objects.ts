/** Objects in a namespace that have the names or labels of an environment, read before anything is changed. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Failure } from '../../domain/cluster/failure.ts'
import { allOf, labelOf, type Observed, withLives } from '../../domain/cluster/live.ts'
import { type KnownKind, resources } from '../../domain/cluster/resources.ts'
import { UP_SELECTOR } from '../../domain/dev/names.ts'
import { ENVIRONMENT_LABEL, KIND_LABEL, MANAGED_BY_LABEL } from '../../domain/k8s/labels.ts'
import type { KubeObject } from '../../domain/k8s/types.ts'
import { defined } from '../../domain/object/defined.ts'
import { partition } from '../../domain/plan/action.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { bounded } from '../concurrency/bounded.ts'
import type { Target } from '../context/target.ts'

/** Kinds whose objects may be large and numerous: only the contents of devtool's own objects are read. */
const isMetadataOnly = (kind: KubeObject['kind']): boolean => kind === 'ConfigMap' || kind === 'Secret'

/** The kinds with the largest lists first: these get the connections that are already open. */
const kinds: ReadonlyArray<KubeObject['kind'] & KnownKind> = [
  'Deployment',
  'Service',
  'ConfigMap',
  'Secret',
  'PersistentVolumeClaim',
  'Ingress',
  'StatefulSet',
  'DaemonSet',
  'Job',
]

/** So many connections are open by then. Opening one costs as much time as three requests on an open one. */
const mostLists = 3

/** A selector for the objects that {@link isTranslated} accepts. */
const translatedBy = (environment: string): string =>
  `${ENVIRONMENT_LABEL}=${environment},${MANAGED_BY_LABEL}=devtool,!${KIND_LABEL}`

/** Kinds whose contents are read, among those where that is optional. */
export type ContentKinds = ReadonlySet<string>

export type LookedFor = { readonly environment: string; readonly contents: ContentKinds }

export const contentKinds = ({ actions }: Plan): ContentKinds =>
  new Set(partition(actions).Apply.flatMap(({ object: { kind } }) => (isMetadataOnly(kind) ? [kind] : [])))

/** What is read for a plan. */
export const lookOf = (plan: Plan): LookedFor => ({ environment: plan.environment, contents: contentKinds(plan) })

/** One list per kind, with objects of any owner, so that a taken name is found before anything is written. */
export const namespaceObjects = (
  { cluster, namespace }: Pick<Target, 'cluster' | 'namespace'>,
  { contents, environment }: LookedFor,
  signal: AbortSignal,
): TE.TaskEither<Failure, Observed> => {
  const list = (kind: (typeof kinds)[number], only: { readonly labels?: string; readonly isMetadataOnly: boolean }) => {
    const { labels, ...options } = only
    return pipe(
      cluster.list({ resource: resources[kind], namespace, ...defined({ labels }) }, { ...options, signal }),
      TE.map(({ items }) => items),
    )
  }
  const lists = kinds.map((kind) => {
    const all = list(kind, { isMetadataOnly: isMetadataOnly(kind) })
    const isEnough = !isMetadataOnly(kind) || !contents.has(kind)
    const own = isEnough ? TE.of([]) : list(kind, { labels: translatedBy(environment), isMetadataOnly: false })
    return pipe(
      TE.sequenceArray([all, own]),
      TE.map((found) => [kind, new Map(found.flat().map((live) => [live.metadata.name, live]))] as const),
    )
  })
  /** Records of development containers are read only when there are any. */
  const withRecords = (observed: Observed): TE.TaskEither<Failure, Observed> =>
    allOf(observed, 'ConfigMap').some((live) => labelOf(live, KIND_LABEL) === 'up')
      ? pipe(
          list('ConfigMap', { labels: UP_SELECTOR, isMetadataOnly: false }),
          TE.map((records) => withLives(observed, records)),
        )
      : TE.of(observed)
  return pipe(
    async () => E.sequenceArray(await bounded(lists, (each) => each(), mostLists)),
    TE.map((found): Observed => new Map(found)),
    TE.flatMap(withRecords),
  )
}
