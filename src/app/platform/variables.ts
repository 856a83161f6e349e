/**
 * Variables for deploys: those of a namespace, written with the user's permissions, and those for all namespaces,
 * written by the platform.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { clusterProblem, notThere } from '../../domain/platform/api/problem.ts'
import { accountOf, SYSTEM_NAMESPACE } from '../../domain/platform/names.ts'
import {
  changedVariables,
  type ScopedVariable,
  tooManyVariables,
  VARIABLES_SECRET,
  variablesFor,
  variablesIn,
} from '../../domain/platform/variables.ts'
import type { Cluster } from '../../ports/cluster.ts'
import { type Caller, type Handlers, MANAGER, type PlatformWorld } from './world.ts'

/** Others may change a set of variables at the same time. */
const TRIES = 4

type Place = { readonly cluster: Cluster; readonly namespace: string }
type Change = { readonly name: string; readonly value: string | undefined; readonly inPreviews?: boolean }

const key = ({ namespace }: Place) => ({ resource: resources.Secret, namespace, name: VARIABLES_SECRET })

const read = (place: Place): TE.TaskEither<Diagnostic, ClusterObject | undefined> =>
  pipe(place.cluster.get(key(place)), TE.mapLeft(clusterProblem('variables')))

const previewsWith = (marked: ReadonlySet<string>, name: string, isMarked: boolean): ReadonlyArray<string> =>
  [...marked]
    .filter((one) => one !== name)
    .concat(isMarked ? [name] : [])
    .toSorted()

const write = (
  place: Place,
  before: ClusterObject | undefined,
  { inPreviews, name, value }: Change,
): TE.TaskEither<Diagnostic, void> => {
  const was = variablesIn(before)
  if (value === undefined && !was.values.has(name)) return TE.left(notThere(`variable ${name}`))
  const tooMany = value === undefined ? undefined : tooManyVariables(was, name, value)
  if (tooMany !== undefined) return TE.left(tooMany)
  const { cluster, namespace } = place
  const marks = inPreviews === undefined ? {} : { inPreviews: previewsWith(was.inPreviews, name, inPreviews) }
  const body = changedVariables({ namespace, before, name, value, ...marks })
  const options = { manager: MANAGER }
  return pipe(
    before === undefined
      ? pipe(cluster.create(key(place), body, options), TE.asUnit)
      : pipe(cluster.merge(key(place), body, options), TE.asUnit),
    TE.mapLeft(clusterProblem('variables')),
  )
}

const change = (place: Place, wanted: Change, tries = TRIES): TE.TaskEither<Diagnostic, object> =>
  pipe(
    read(place),
    TE.flatMap((before) =>
      pipe(
        write(place, before, wanted),
        TE.map(() => ({})),
        TE.orElse((failure) =>
          // Exceeded limits have the same code as a conflict: a retry then fails in the same way.
          failure.code === 'DT6006' && tries > 1 ? change(place, wanted, tries - 1) : TE.left(failure),
        ),
      ),
    ),
  )

type VariableHandlers = Handlers<
  | 'listVariables'
  | 'readVariables'
  | 'setVariable'
  | 'unsetVariable'
  | 'listSharedVariables'
  | 'setSharedVariable'
  | 'unsetSharedVariable'
>

export const variableHandlers = ({ cluster }: PlatformWorld): VariableHandlers => {
  const shared: Place = { cluster, namespace: SYSTEM_NAMESPACE }
  const own = ({ user }: Caller, namespace: string): Place => ({
    cluster: cluster.as({ user: accountOf(user.id) }),
    namespace,
  })
  const both = (
    caller: Caller,
    { kind, name }: { readonly kind: 'namespace' | 'preview'; readonly name: string },
  ): TE.TaskEither<Diagnostic, ReadonlyArray<ScopedVariable>> =>
    pipe(
      read(own(caller, name)),
      TE.bindTo('ofNamespace'),
      TE.bind('forAll', () => read(shared)),
      TE.map(({ forAll, ofNamespace }) => variablesFor(kind, variablesIn(forAll), variablesIn(ofNamespace))),
    )
  return {
    listVariables: ({ caller, granted: { namespace } }) =>
      pipe(
        both(caller, namespace),
        TE.map((all) => ({ variables: all.map(({ name, scope }) => ({ name, scope })) })),
      ),
    readVariables: ({ caller, granted: { namespace } }) =>
      pipe(
        both(caller, namespace),
        TE.map((variables) => ({ variables })),
      ),
    setVariable: ({ body: { value }, caller, params: { name, namespace } }) =>
      change(own(caller, namespace), { name, value }),
    unsetVariable: ({ caller, params: { name, namespace } }) =>
      change(own(caller, namespace), { name, value: undefined }),
    listSharedVariables: () =>
      pipe(
        read(shared),
        TE.map(variablesIn),
        TE.map(({ inPreviews, values }) => ({
          variables: [...values.keys()].toSorted().map((name) => ({ name, inPreviews: inPreviews.has(name) })),
        })),
      ),
    setSharedVariable: ({ body: { inPreviews = false, value }, params: { name } }) =>
      change(shared, { name, value, inPreviews }),
    unsetSharedVariable: ({ params: { name } }) => change(shared, { name, value: undefined, inPreviews: false }),
  }
}
