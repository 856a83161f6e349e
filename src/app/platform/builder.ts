/** Lets members of a namespace build on the platform. */
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { SERVICE_LABEL } from '../../domain/k8s/labels.ts'
import { clusterProblem } from '../../domain/platform/api/problem.ts'
import { BUILDER_HOST, BUILDER_SERVICE } from '../../domain/platform/manifests/builder.ts'
import { builderAddress, builderPodFor, FIRST_BUILDER_POD } from '../../domain/platform/manifests/builder-pod.ts'
import { BUILDER_NAMESPACE } from '../../domain/platform/names.ts'
import type { RunBuilder } from '../../domain/platform/run/build-access.ts'
import { isPodReady } from '../../domain/rollout/pod.ts'
import { daysFrom } from './issuing.ts'
import type { BuilderAccess, Handlers, PlatformWorld } from './world.ts'

/**
 * Connections are made at the beginning of each build; a user without access to Kubernetes cannot use the certificate
 * either.
 */
const VALID_DAYS = 0.5
/** A run waits for its turn first, and may take six hours then. Its Secret is deleted soon after its end. */
const RUN_VALID_DAYS = 3

const noService = error('DT6021', 'this platform has no build service', {
  help: 'name a builder with BUILDKIT_HOST or `devtool context use URL --builder ADDRESS`, or build with the local Docker daemon',
})

const notReady = error('DT6022', 'no pod of the build service is ready', {
  help: 'try again; if it persists, ask an administrator of the platform',
})

const podFor = ({ cluster }: PlatformWorld, namespace: string): TE.TaskEither<Diagnostic, string> =>
  pipe(
    cluster.list({
      resource: resources.Pod,
      namespace: BUILDER_NAMESPACE,
      labels: `${SERVICE_LABEL}=${BUILDER_SERVICE}`,
    }),
    TE.mapLeft(clusterProblem('builder')),
    TE.map(({ items }) =>
      builderPodFor(
        namespace,
        items.filter(isPodReady).map(({ metadata: { name } }) => name),
      ),
    ),
    TE.flatMap((pod) => (pod === undefined ? TE.left(notReady) : TE.right(pod))),
  )

/** A client of the build service. `days`: how long its certificate is valid. */
const clientOf = (
  { clock }: PlatformWorld,
  { authority, certificates }: BuilderAccess,
  { days, pod, user }: { readonly days: number; readonly pod: string; readonly user: string },
): RunBuilder => ({
  address: builderAddress(pod),
  host: BUILDER_HOST,
  authority: authority.certificate,
  ...certificates.issueClient(authority, user, { nowMs: clock.wallMs(), days }),
})

/**
 * For a run that builds for the namespace. It begins later, so a pod that is not ready now makes no difference:
 * `undefined` only when the platform has no build service.
 */
export const builderForRun = (
  world: PlatformWorld,
  namespace: string,
  user: string,
): T.Task<RunBuilder | undefined> => {
  const { builder } = world
  if (builder === undefined) return T.of(undefined)
  return pipe(
    podFor(world, namespace),
    TE.getOrElse(() => T.of(FIRST_BUILDER_POD)),
    T.map((pod) => clientOf(world, builder, { days: RUN_VALID_DAYS, pod, user })),
  )
}

export const builderHandlers = (world: PlatformWorld): Handlers<'createBuilderSession'> => ({
  createBuilderSession: ({ caller: { user }, params: { namespace } }) => {
    const { builder, clock } = world
    if (builder === undefined) return TE.left(noService)
    return pipe(
      podFor(world, namespace),
      TE.map((pod) => ({
        ...clientOf(world, builder, { days: VALID_DAYS, pod, user: user.id }),
        expires: daysFrom(clock.wallMs(), VALID_DAYS),
      })),
    )
  },
})
