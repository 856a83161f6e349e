/** Whether the programs of an installation run: how many of their pods are ready, which are not, and why. */
import * as t from 'io-ts'
import { numberAt } from '../../cluster/json.ts'
import { liveOf, type Observed } from '../../cluster/live.ts'
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts'
import { keys, oneOf } from '../../print/document.ts'
import { isPodReady } from '../../rollout/pod.ts'
import { readRollout } from '../../rollout/rollout.ts'
import type { EnvironmentNow } from '../api/service-routes.ts'
import { BUILDER_NAMESPACE, SYSTEM_NAMESPACE } from '../names.ts'
import { BUILDER_ENVIRONMENT, BUILDER_SERVICE } from './builder.ts'
import { PLATFORM_ENVIRONMENT } from './installation.ts'

export const ProgramStatus = keys({
  name: [oneOf('api', 'controller', 'builder'), 'which program'],
  ready: [t.number, 'pods that are ready'],
  wanted: [t.number, 'pods that should be'],
  notReady: [t.readonlyArray(t.string), 'names of the pods that are not'],
  reasons: [t.readonlyArray(t.string), 'why they are not'],
})
export type ProgramStatus = t.TypeOf<typeof ProgramStatus>

/** The objects that were found in the namespace of a program. */
export type SeenNamespace = { readonly observed: Observed; readonly environments: ReadonlyArray<EnvironmentNow> }

const programs = {
  api: { kind: 'Deployment', name: 'api', environment: PLATFORM_ENVIRONMENT, namespace: SYSTEM_NAMESPACE },
  controller: {
    kind: 'Deployment',
    name: 'controller',
    environment: PLATFORM_ENVIRONMENT,
    namespace: SYSTEM_NAMESPACE,
  },
  builder: {
    kind: 'StatefulSet',
    name: BUILDER_SERVICE,
    environment: BUILDER_ENVIRONMENT,
    namespace: BUILDER_NAMESPACE,
  },
} as const

export const programStatus = (
  program: ProgramStatus['name'],
  { environments, observed }: SeenNamespace,
): ProgramStatus => {
  const { kind, name } = programs[program]
  const [live, rollout] = [liveOf(observed, kind, name), readRollout(observed, { kind, name })]
  if (live === undefined || rollout === undefined) {
    return { name: program, ready: 0, wanted: 1, notReady: [], reasons: [`there is no ${kind} ${name}`] }
  }
  const notReady = rollout.pods.filter((pod) => !isPodReady(pod)).map(({ metadata }) => metadata.name)
  const causes = environments.flatMap((one) => one.causes).filter(({ service }) => service === name)
  // Pods of the previous revision serve as well.
  const ready = numberAt(live, 'status', 'readyReplicas') ?? 0
  return {
    name: program,
    ready,
    wanted: rollout.desired,
    notReady: notReady.toSorted(),
    reasons: ready < rollout.desired ? [...new Set(causes.map(({ message }) => message))] : [],
  }
}

/** DT6307, unless all its pods are ready. */
export const programFault = ({ name, notReady, ready, reasons, wanted }: ProgramStatus): ReadonlyArray<Diagnostic> => {
  if (ready >= wanted) return []
  const { environment, namespace } = programs[name]
  const which = notReady.length === 0 ? '' : ` (not ${notReady.join(', ')})`
  const why = reasons.length === 0 ? '' : `: ${reasons.join('; ')}`
  return [
    error('DT6307', `${ready} of ${wanted} pods of the ${name} are ready${which}${why}`, {
      help: `see \`devtool why --name ${environment} --namespace ${namespace}\``,
    }),
  ]
}
