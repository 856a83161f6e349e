/** Lets members of a namespace build on the platform. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { SERVICE_LABEL } from '../../domain/k8s/labels.ts'
import { clusterProblem } from '../../domain/platform/api/problem.ts'
import { BUILDER_HOST, BUILDER_SERVICE } from '../../domain/platform/manifests/builder.ts'
import { builderAddress, builderPodFor } from '../../domain/platform/manifests/builder-pod.ts'
import { BUILDER_NAMESPACE } from '../../domain/platform/names.ts'
import { isPodReady } from '../../domain/rollout/pod.ts'
import { daysFrom } from './issuing.ts'
import type { Handlers, PlatformWorld } from './world.ts'

/**
 * Connections are made at the beginning of each build; a user without access to Kubernetes cannot use the certificate
 * either.
 */
const VALID_DAYS = 0.5

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

export const builderHandlers = (world: PlatformWorld): Handlers<'createBuilderSession'> => ({
  createBuilderSession: ({ caller: { user }, params: { namespace } }) => {
    const { builder, clock } = world
    if (builder === undefined) return TE.left(noService)
    return pipe(
      podFor(world, namespace),
      TE.map((pod) => {
        const { authority, certificates } = builder
        const client = certificates.issueClient(authority, user.id, { nowMs: clock.wallMs(), days: VALID_DAYS })
        return {
          address: builderAddress(pod),
          host: BUILDER_HOST,
          authority: authority.certificate,
          ...client,
          expires: daysFrom(clock.wallMs(), VALID_DAYS),
        }
      }),
    )
  },
})
