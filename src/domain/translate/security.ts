/** What a container may do, and which user it runs as. */
import type { ComposeService, Security } from '../compose/model.ts'
import type { Mount } from '../compose/volume-model.ts'
import { type Diagnostic, warning } from '../diagnostic/diagnostic.ts'
import type { PodSpec, SecurityContext } from '../k8s/types.ts'
import { type Draft, filled, from, fromWritten, listed } from './draft.ts'

/** The API rejects `allowPrivilegeEscalation: false` on a privileged container; with SYS_ADMIN it accepts it. */
const escalationOf = ({ allowPrivilegeEscalation, privileged }: Security) =>
  allowPrivilegeEscalation?.value === false && privileged?.value === true ? undefined : allowPrivilegeEscalation

/** Kubernetes does not start a container with a group but no user. */
const groupOf = ({ runAsUser, runAsGroup }: Security) => (runAsUser === undefined ? undefined : runAsGroup)

/** Implied by the number, but a namespace that enforces `restricted` requires it to be written. */
const nonRootOf = ({ runAsUser }: Security) =>
  runAsUser === undefined || runAsUser.value === 0 ? undefined : from(runAsUser.at, true)

/** DT1150 for combinations that Kubernetes does not allow, where one setting is left out. */
export const securityFindings = ({ security, path }: ComposeService): ReadonlyArray<Diagnostic> => {
  const found: Array<Diagnostic> = []
  const { allowPrivilegeEscalation } = security
  if (allowPrivilegeEscalation !== undefined && escalationOf(security) === undefined) {
    const message = '"no-new-privileges" has no effect beside "privileged"'
    found.push(warning('DT1150', message, { at: allowPrivilegeEscalation.at, path }))
  }
  return found
}

const capabilitiesOf = ({ capAdd, capDrop }: Security): Draft<SecurityContext['capabilities'] & object> | undefined =>
  filled({
    add: capAdd?.value.length === 0 ? undefined : fromWritten(capAdd),
    drop: capDrop?.value.length === 0 ? undefined : fromWritten(capDrop),
  })

const appArmorOf = ({ appArmor }: Security): Draft<SecurityContext['appArmorProfile'] & object> | undefined =>
  appArmor === undefined
    ? undefined
    : from(appArmor.at, { type: appArmor.value.type, localhostProfile: appArmor.value.profile })

export const securityContextOf = (security: Security): Draft<SecurityContext> | undefined =>
  filled({
    allowPrivilegeEscalation: fromWritten(escalationOf(security)),
    appArmorProfile: appArmorOf(security),
    capabilities: capabilitiesOf(security),
    privileged: fromWritten(security.privileged),
    readOnlyRootFilesystem: fromWritten(security.readOnlyRootFilesystem),
    runAsGroup: fromWritten(groupOf(security)),
    runAsNonRoot: nonRootOf(security),
    runAsUser: fromWritten(security.runAsUser),
    seLinuxOptions: fromWritten(security.seLinux),
    seccompProfile:
      security.seccompUnconfined === undefined
        ? undefined
        : from(security.seccompUnconfined.at, { type: 'Unconfined' }),
  })

const isClaim = ({ _tag }: Mount): boolean => _tag === 'Named' || _tag === 'Anonymous'

/** A new volume belongs to root: any other user needs its group to be able to write. */
const fsGroupOf = ({ mounts, security: { runAsUser, runAsGroup } }: ComposeService) => {
  if (runAsUser === undefined || runAsUser.value === 0 || !mounts.some(isClaim)) return undefined
  return runAsGroup ?? runAsUser
}

const portStart = 'net.ipv4.ip_unprivileged_port_start'

const listensLow = ({ ports, security: { runAsUser } }: ComposeService): boolean =>
  runAsUser !== undefined && runAsUser.value !== 0 && ports.some(({ target }) => target < 1024)

/** Under Docker every user may listen on every port. Whether that holds in a pod depends on the container runtime. */
const openPortsOf = (pod: ComposeService, containers: ReadonlyArray<ComposeService>) => {
  const user = containers.find(listensLow)?.security.runAsUser
  const isSet = pod.security.sysctls.some(({ name }) => name === portStart)
  if (user === undefined || isSet || pod.network.hostNetwork !== undefined) return []
  return [from(user.at, { name: portStart, value: '0' })]
}

/** `containers`: the services of the pod. */
export const podSecurityOf = (
  service: ComposeService,
  containers: ReadonlyArray<ComposeService>,
): Draft<PodSpec['securityContext']> => {
  const { supplementalGroups, sysctls } = service.security
  const fsGroup = fsGroupOf(service)
  return {
    fsGroup: fromWritten(fsGroup),
    fsGroupChangePolicy: fsGroup === undefined ? undefined : 'OnRootMismatch',
    seccompProfile: { type: 'RuntimeDefault' },
    supplementalGroups: supplementalGroups?.value.length === 0 ? undefined : fromWritten(supplementalGroups),
    sysctls: listed([
      ...sysctls.map(({ name, value, at }) => from(at, { name, value })),
      ...openPortsOf(service, containers),
    ]),
  }
}
