/** Init containers: the copies into empty volumes, then the steps of `pre_start`. */
import type { ComposeService, PreStart } from '../compose/model.ts'
import type { Container } from '../k8s/types.ts'
import { dnsLabel } from '../text/dns-name.ts'
import { resourcesOf } from './container.ts'
import { type Draft, from, fromWritten, listed } from './draft.ts'
import { envOf, escapeExpansion, wordsOf } from './env.ts'
import type { Mounted, VolumeInit } from './mounts.ts'
import { uniqueLabel } from './names.ts'
import { securityContextOf } from './security.ts'

const ELSEWHERE = '/devtool-volume'

/**
 * `$1` is the image's folder, `$2` the volume. The marker file shows that a copy was interrupted and has to start
 * again.
 */
const COPY = [
  'mark="$2/.devtool-volume-init"',
  'if [ -d "$1" ] && { [ -e "$mark" ] || [ -z "$(ls -A "$2")" ]; }; then',
  '  : > "$mark" && cp -a "$1/." "$2/" && rm "$mark"',
  'fi',
].join('\n')

const copyOf = (service: ComposeService, name: string, { pod, subPath, mount }: VolumeInit): Draft<Container> =>
  from(mount.at, {
    name,
    image: from(service.image.at, service.image.value),
    imagePullPolicy: fromWritten(service.pullPolicy),
    command: ['sh', '-c', COPY, 'sh', mount.target, ELSEWHERE].map(escapeExpansion),
    resources: resourcesOf({ requests: service.resources.requests, limits: service.resources.limits }),
    securityContext: securityContextOf(service.security),
    volumeMounts: [{ name: pod, mountPath: ELSEWHERE, subPath }],
  })

/** The service with the settings of a `pre_start` step; the service's own apply where the step has none. */
const asStep = (service: ComposeService, { at: _at, environment, security, ...own }: PreStart): ComposeService => ({
  ...service,
  ...own,
  environment: [...new Map([...service.environment, ...environment].map((one) => [one.name, one])).values()],
  security: { ...service.security, ...security },
})

/** The steps run one after the other, with the mounts of their service. */
const stepsOf = ({ service, mounts }: Mounted, taken: Set<string>): ReadonlyArray<Draft<Container>> =>
  service.preStart.map((step, index) => {
    const { command, entrypoint, environment, image, pullPolicy, resources, security, workingDir } = asStep(
      service,
      step,
    )
    return from(step.at, {
      name: uniqueLabel(taken, `pre-start-${index + 1}`, `pre-start ${index}`),
      image: from(image.at, image.value),
      imagePullPolicy: fromWritten(step.image === undefined ? pullPolicy : step.pullPolicy),
      command: wordsOf(entrypoint),
      args: wordsOf(command),
      workingDir: fromWritten(workingDir),
      env: listed(envOf(environment)),
      resources: resourcesOf({ requests: resources.requests, limits: resources.limits }),
      securityContext: securityContextOf(security),
      volumeMounts: listed(mounts),
    })
  })

/** Init containers for each container of the pod, in the order of the containers. */
export const initContainersOf = (containers: ReadonlyArray<Mounted>): ReadonlyArray<Draft<Container>> => {
  const taken = new Set(containers.map(({ service }) => service.object))
  return containers.flatMap((mounted) => {
    const copies = mounted.inits.map((init) => {
      const name = uniqueLabel(taken, dnsLabel(`init-${init.pod}`), `init ${init.mount.target}`)
      return copyOf(mounted.service, name, init)
    })
    return [...copies, ...stepsOf(mounted, taken)]
  })
}
