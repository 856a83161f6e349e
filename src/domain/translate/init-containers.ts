/** Init containers: the copies into empty volumes, then the `pre_start` hooks. */
import type { ComposeService } from '../compose/model.ts'
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

/** They run in the service's image, with its environment and mounts, one after the other. */
const hooksOf = ({ service, mounts }: Mounted, taken: Set<string>): ReadonlyArray<Draft<Container>> =>
  service.hooks.preStart.map((words, index) => ({
    name: uniqueLabel(taken, `pre-start-${index + 1}`, `pre-start ${index}`),
    image: from(service.image.at, service.image.value),
    imagePullPolicy: fromWritten(service.pullPolicy),
    command: wordsOf(words),
    workingDir: fromWritten(service.workingDir),
    env: listed(envOf(service.environment)),
    resources: resourcesOf({ requests: service.resources.requests, limits: service.resources.limits }),
    securityContext: securityContextOf(service.security),
    volumeMounts: listed(mounts),
  }))

/** Init containers for each container of the pod, in the order of the containers. */
export const initContainersOf = (containers: ReadonlyArray<Mounted>): ReadonlyArray<Draft<Container>> => {
  const taken = new Set(containers.map(({ service }) => service.object))
  return containers.flatMap((mounted) => {
    const copies = mounted.inits.map((init) => {
      const name = uniqueLabel(taken, dnsLabel(`init-${init.pod}`), `init ${init.mount.target}`)
      return copyOf(mounted.service, name, init)
    })
    return [...copies, ...hooksOf(mounted, taken)]
  })
}
