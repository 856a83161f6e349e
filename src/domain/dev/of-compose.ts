/**
 * The development container of a Compose service that no `dev` section mentions: its host volumes are synchronised, its
 * published ports are forwarded, and it runs its own command. Everything else is as deployed.
 */
import type { ComposeService } from '../compose/model.ts'
import type { DevContainer } from '../manifest/dev-model.ts'
import { defined } from '../object/defined.ts'
import { pathWritten } from '../text/path.ts'
import type { Written } from '../text/written.ts'
import { workloadName } from '../translate/names.ts'

const noHook = { enabled: false }
const noResources = { requests: [], limits: [] }

/** ENTRYPOINT and CMD, as far as the file sets them: those of the image are unknown. */
const commandOf = ({ command, entrypoint }: ComposeService): DevContainer['command'] => {
  const first = entrypoint ?? command
  const words = [...(entrypoint?.value ?? []), ...(command?.value ?? [])]
  return first === undefined || words.length === 0
    ? undefined
    : { at: first.at, path: first.path, value: { _tag: 'Words', words } }
}

const foldersOf = ({ hostMounts }: ComposeService): DevContainer['folders'] =>
  hostMounts.map(({ at, path, readOnly, source, target }) => ({
    local: pathWritten(at, source),
    remote: target,
    ...(readOnly ? { mode: 'push' } : {}),
    at,
    path,
  }))

/** Local ports are those that are published; each of them once. */
const forwardsOf = ({ path, ports }: ComposeService): DevContainer['forward'] => {
  const forwards = ports
    .filter(({ protocol }) => protocol === 'TCP')
    .flatMap(({ at, published, target }) => published.map((local) => ({ local, remote: target, at, path })))
  return [...new Map(forwards.map((forward) => [forward.local, forward])).values()]
}

/** `folders`: those of this machine, which may also be single files. */
export const devOfService = (service: ComposeService): DevContainer => {
  const { at, name, object, path } = service
  const written = (value: string): Written<string> => ({ value, at, path })
  return {
    name,
    workload: { _tag: 'Named', name: written(workloadName(service)) },
    container: written(object),
    ...defined({ command: commandOf(service) }),
    environment: [],
    envFiles: [],
    folders: foldersOf(service),
    resources: noResources,
    nodeSelector: [],
    labels: [],
    annotations: [],
    mode: 'sync',
    autocreate: false,
    volumes: [],
    externalVolumes: [],
    // As with Compose, only files on this machine outlive the container.
    persistentVolume: {
      enabled: false,
      accessMode: 'ReadWriteOnce',
      volumeMode: 'Filesystem',
      labels: [],
      annotations: [],
    },
    forward: forwardsOf(service),
    reverse: [],
    interface: 'localhost',
    sshServerPort: 2222,
    secrets: [],
    probes: { liveness: false, readiness: false, startup: false },
    lifecycle: { postStart: noHook, preStop: noHook },
    initContainer: { resources: noResources },
    timeoutSeconds: 120,
    services: [],
    at,
    path,
  }
}
