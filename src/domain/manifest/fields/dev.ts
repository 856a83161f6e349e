/** `dev` and `forward`: development containers. They are read and checked with everything else; `up` uses them. */
import { type Fields, maps, notes, object } from '../../shape/field.ts'
import {
  byForm,
  entriesOf,
  flag,
  integer,
  listOf,
  located,
  oneOrMore,
  pairs,
  text,
  textOrNumber,
} from '../../shape/shape.ts'
import { kubernetes, oneOf, orEmpty, shortOr, without } from './shapes.ts'

const container = 'the development container'

const forwardFields = {
  localPort: maps(integer, 'a listening port', 'port on this machine; required'),
  remotePort: maps(integer, 'target', 'port in the cluster; required'),
  name: maps(text, 'target', 'name of the Service'),
  labels: maps(pairs(), 'target', 'labels of the workload'),
} satisfies Fields

export const forward = listOf(byForm({ scalar: textOrNumber, mapping: object(forwardFields) }))

const syncFields = {
  folders: maps(
    listOf(text),
    container,
    'local:remote folders; local:remote:push and local:remote:pull synchronise one way',
  ),
  compression: notes(flag, 'contents are sent as they are', 'compress data'),
  verbose: notes(flag, '`devtool status --info` shows where each file is named', 'log each file'),
  rescanInterval: notes(
    integer,
    'folders are watched, and looked at every two seconds where they cannot be',
    'seconds between full scans',
  ),
} satisfies Fields

const quantities = entriesOf(textOrNumber)
const resourceFields = {
  requests: maps(quantities, 'resources.requests', 'reserved resources, in Kubernetes quantities'),
  limits: maps(quantities, 'resources.limits', 'maximum resources, in Kubernetes quantities'),
} satisfies Fields
export const devResources = object(resourceFields)

const metadataFields = {
  labels: maps(pairs(), 'metadata.labels', 'labels'),
  annotations: maps(
    pairs(),
    'metadata.annotations',
    'annotations, also of the workload until `devtool down` unless it has them',
  ),
} satisfies Fields
const metadata = object(metadataFields)

const command = byForm({ scalar: text, list: listOf(textOrNumber) })

/** Fields that the additional services of a development container have as well. */
const base = {
  name: maps(text, 'which workload is developed', 'a Deployment or StatefulSet; default: the key'),
  selector: maps(pairs(), 'which workload is developed', 'labels of the workload'),
  container: maps(text, 'which container is developed', 'name of the container; default: the first'),
  image: maps(text, `${container}.image`, 'image; default: that of the workload'),
  imagePullPolicy: maps(
    oneOf('pull policy', ['Always', 'IfNotPresent', 'Never']),
    `${container}.imagePullPolicy`,
    'when to pull; default: that of the workload',
  ),
  command: maps(command, `${container}.command`, 'a string for the shell, or a list of words; default: sh'),
  args: maps(command, `${container}.args`, 'arguments'),
  workdir: maps(text, `${container}.workingDir`, 'working directory of the command'),
  environment: maps(pairs(), `${container}.env`, 'environment variables, in addition to those of the workload'),
  envFiles: maps(oneOrMore(text), `${container}.env`, 'files with environment variables'),
  sync: maps(
    shortOr('list', listOf(text), (folders) => ({ folders }), object(syncFields, undefined, 'the synchronisation')),
    'the synchronisation',
    'local:remote folders; default: .:/devtool',
  ),
  resources: maps(devResources, `${container}.resources`, 'requests and limits; default: those of the workload'),
  nodeSelector: maps(pairs(), 'spec.nodeSelector', 'labels a node must have'),
  affinity: maps(kubernetes('a mapping'), 'spec.affinity', 'affinity'),
  tolerations: maps(kubernetes('a list'), 'spec.tolerations', 'tolerations, in addition to those of the workload'),
  metadata: maps(metadata, 'metadata', 'labels and annotations'),
} satisfies Fields

const service = {
  ...base,
  replicas: maps(integer, 'spec.replicas', 'number of pods'),
} satisfies Fields

const persistentVolume = {
  enabled: maps(flag, 'a claim', 'keep files in a volume; default: true'),
  size: maps(textOrNumber, 'spec.resources.requests.storage', 'size; default: 5Gi'),
  storageClass: maps(text, 'spec.storageClassName', 'storage class'),
  accessMode: maps(
    oneOf('access mode', ['ReadWriteOnce', 'ReadWriteOncePod', 'ReadWriteMany', 'ReadOnlyMany']),
    'spec.accessModes',
    'access mode; default: ReadWriteOnce',
  ),
  volumeMode: maps(oneOf('volume mode', ['Filesystem', 'Block']), 'spec.volumeMode', 'default: Filesystem'),
  labels: maps(pairs(), 'metadata.labels', 'labels of the claim'),
  annotations: maps(pairs(), 'metadata.annotations', 'annotations of the claim'),
} satisfies Fields

const capabilities = {
  add: maps(listOf(text), 'securityContext.capabilities.add', 'capabilities to add'),
  drop: maps(listOf(text), 'securityContext.capabilities.drop', 'capabilities to drop'),
} satisfies Fields

const securityContext = {
  runAsUser: maps(integer, 'securityContext.runAsUser', 'user'),
  runAsGroup: maps(integer, 'securityContext.runAsGroup', 'group'),
  fsGroup: maps(integer, 'securityContext.fsGroup', 'group of the volumes'),
  runAsNonRoot: maps(flag, 'securityContext.runAsNonRoot', 'refuse to run as root'),
  allowPrivilegeEscalation: maps(
    flag,
    'securityContext.allowPrivilegeEscalation',
    'allow processes to gain more privileges than their parent',
  ),
  readOnlyRootFilesystem: maps(flag, 'securityContext.readOnlyRootFilesystem', 'read-only root file system'),
  capabilities: maps(object(capabilities), 'securityContext.capabilities', 'capabilities'),
} satisfies Fields

const probes = {
  liveness: maps(flag, 'livenessProbe', 'keep the liveness probe; default: false'),
  readiness: maps(flag, 'readinessProbe', 'keep the readiness probe; default: false'),
  startup: maps(flag, 'startupProbe', 'keep the startup probe; default: false'),
} satisfies Fields

const hook = {
  enabled: maps(flag, 'lifecycle', 'keep the hook of the workload; default: false'),
  command: maps(command, 'lifecycle', 'command to run instead'),
} satisfies Fields
const hookShape = shortOr('scalar', flag, (enabled) => ({ enabled }), object(hook))

const lifecycle = {
  postStart: maps(hookShape, 'lifecycle.postStart', 'after the container has started'),
  preStop: maps(hookShape, 'lifecycle.preStop', 'before the container is stopped'),
} satisfies Fields

const initContainer = {
  image: maps(text, 'spec.initContainers', 'image of the init container'),
  resources: maps(devResources, 'spec.initContainers', 'its requests and limits'),
} satisfies Fields

const timeout = {
  default: notes(textOrNumber, 'each step ends with `resources`', 'maximum time for a step'),
  resources: maps(textOrNumber, '`devtool up`', 'maximum time until pods are ready; default: 120s'),
} satisfies Fields

const main = {
  ...base,
  mode: maps(
    oneOf('mode', ['sync', 'hybrid']),
    container,
    'sync; hybrid runs the command on this machine; default: sync',
  ),
  autocreate: maps(flag, 'a Deployment and a Service', 'create the workload if it does not exist; default: false'),
  volumes: maps(listOf(text), 'the persistent volume', 'paths in the container that are kept when it is replaced'),
  externalVolumes: maps(listOf(text), 'volumeMounts', 'claim:/path or claim:subpath:/path'),
  persistentVolume: maps(object(persistentVolume), 'PersistentVolumeClaim', 'volume for folders and volumes'),
  forward: maps(forward, 'listening ports', 'local:remote, local:service:remote; ports or ranges'),
  reverse: maps(listOf(textOrNumber), 'listening ports in the container', 'remote:local'),
  interface: maps(text, 'listening ports', 'address that forwarded ports listen on; default: localhost'),
  remote: maps(integer, 'the SSH server', 'its port on this machine; default: any free port'),
  sshServerPort: maps(integer, 'the SSH server', 'its port in the container; default: 2222'),
  secrets: maps(listOf(text), 'a Secret', 'local:remote[:mode] files; default: mode: 644'),
  securityContext: maps(object(securityContext), 'securityContext', 'user, group and privileges'),
  serviceAccount: maps(text, 'spec.serviceAccountName', 'service account'),
  priorityClassName: maps(text, 'spec.priorityClassName', 'priority class'),
  probes: maps(
    shortOr('scalar', flag, (all) => ({ liveness: all, readiness: all, startup: all }), object(probes)),
    'probes',
    'probes to keep; default: none',
  ),
  lifecycle: maps(
    shortOr(
      'scalar',
      flag,
      (all) => ({
        postStart: located({ enabled: all }, all.at, all.path),
        preStop: located({ enabled: all }, all.at, all.path),
      }),
      object(lifecycle),
    ),
    'lifecycle',
    'hooks to keep; default: none',
  ),
  initContainer: maps(
    object(initContainer),
    'spec.initContainers',
    'init container that prepares the development container',
  ),
  timeout: maps(
    shortOr('scalar', textOrNumber, (written) => ({ resources: written }), object(timeout, undefined, '`devtool up`')),
    '`devtool up`',
    'maximum time until pods are ready; a number counts seconds',
  ),
} satisfies Fields

const ofMain = {
  message: 'belongs to the development container, not to its services',
  help: 'move it to the container above',
}
const onlyMain = Object.fromEntries(
  Object.keys(main)
    .filter((key) => !Object.hasOwn(base, key))
    .concat('services')
    .map((key) => [key, ofMain]),
)

export const devService = without(onlyMain, object(service))

const devFields = {
  ...main,
  services: maps(listOf(devService), 'additional workloads', 'other services that share the synchronised folders'),
} satisfies Fields

export const devContainer = without(
  {
    replicas: {
      message: 'is 1 for a development container',
      help: 'move it to a service under services, or remove it',
    },
  },
  object(devFields),
)
export const dev = entriesOf(orEmpty(devContainer))
