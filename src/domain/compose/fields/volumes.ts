/** Mounts of a service, and the top-level sections that they refer to: volumes, configs, secrets, networks. */
import { type Fields, ignored, isOneOf, maps, notes, object, warns } from '../../shape/field.ts'
import { amount, anything, byForm, flag, listOf, pairs, text, textOrNone, textOrNumber } from '../../shape/shape.ts'

const bindFields = {
  propagation: ignored(text, 'host volumes are not mounted', 'mount propagation'),
  create_host_path: ignored(flag, 'host volumes are not mounted', 'create the folder on the host'),
  selinux: ignored(text, 'nodes label volumes themselves', 'SELinux label'),
  recursive: ignored(text, 'host volumes are not mounted', 'recursive bind'),
} satisfies Fields

const volumeFields = {
  nocopy: warns(
    flag,
    'image content is copied only with x-devtool-volume-init',
    'do not copy the content of the image',
    isOneOf('true'),
  ),
  subpath: maps(text, 'volumeMounts[].subPath', 'folder inside the volume'),
  labels: warns(pairs(), 'labels belong to the top-level volume', 'labels of the volume'),
} satisfies Fields

const tmpfsFields = {
  size: maps(amount, 'volumes[].emptyDir.sizeLimit', 'size'),
  mode: notes(textOrNumber, 'everybody may write to an emptyDir', 'file mode'),
} satisfies Fields

const imageFields = {
  subpath: maps(text, 'volumeMounts[].subPath', 'folder inside the image'),
} satisfies Fields

const mountFields = {
  type: maps(text, 'volumes[]', 'volume, bind, tmpfs or image', 'npipe and cluster cause a warning'),
  source: maps(textOrNone, 'volumes[]', 'volume name, host path or image'),
  target: maps(text, 'volumeMounts[].mountPath', 'path in the container'),
  read_only: maps(flag, 'volumeMounts[].readOnly', 'mount read-only'),
  consistency: ignored(text, 'it only concerns Docker Desktop', 'consistency of a host volume'),
  bind: ignored(object(bindFields), 'host volumes are not mounted', 'options of a host volume'),
  volume: maps(object(volumeFields), 'volumeMounts[]', 'options of a volume'),
  tmpfs: maps(object(tmpfsFields), 'volumes[].emptyDir', 'options of a tmpfs'),
  image: maps(object(imageFields), 'volumeMounts[]', 'options of an image'),
} satisfies Fields

export const mounts = listOf(byForm({ scalar: text, mapping: object(mountFields) }))

const fileReference = {
  source: maps(text, 'volumes[]', 'name of the top-level config or secret'),
  target: maps(text, 'volumeMounts[].mountPath', 'path in the container'),
  uid: warns(textOrNumber, 'Kubernetes cannot set the owner of mounted files', 'owner'),
  gid: warns(textOrNumber, 'Kubernetes cannot set the owner of mounted files', 'group'),
  mode: maps(textOrNumber, 'items[].mode', 'file mode'),
} satisfies Fields

/** `configs` and `secrets` of a service. */
export const fileReferences = listOf(byForm({ scalar: text, mapping: object(fileReference) }))

const driverOptions = {
  size: maps(textOrNumber, 'spec.resources.requests.storage', 'volume size; default: 1Gi'),
  class: maps(text, 'spec.storageClassName', 'storage class'),
  type: warns(text, 'the storage class decides', 'file system type'),
  o: warns(text, 'the storage class decides', 'mount options'),
  device: warns(text, 'the storage class decides', 'device or path'),
} satisfies Fields

const namedVolume = {
  name: maps(text, 'metadata.name of the claim', 'name outside this file'),
  driver: warns(text, 'the storage class decides', 'volume driver', isOneOf('local')),
  driver_opts: maps(
    object(driverOptions, 'the storage class decides'),
    'spec.resources, spec.storageClassName',
    'size and class',
  ),
  external: maps(byForm({ scalar: flag, mapping: anything }), 'no claim is made', 'the claim exists already'),
  labels: maps(pairs(), 'metadata.annotations of the claim', 'annotations of the claim'),
  'x-devtool-volume-init': maps(
    flag,
    'initContainers[]',
    'copy the content of the image into the volume while it is empty',
  ),
} satisfies Fields

export const namedVolumeShape = object(namedVolume)

const network = {
  name: ignored(text, 'all services of a namespace can reach each other', 'name outside this file'),
  driver: notes(text, 'all pods share the cluster network', 'network driver', isOneOf('bridge', 'default')),
  driver_opts: notes(anything, 'all pods share the cluster network', 'driver options'),
  attachable: ignored(flag, 'all pods share the cluster network', 'whether other containers can attach'),
  external: ignored(
    byForm({ scalar: flag, mapping: anything }),
    'all pods share the cluster network',
    'the network exists already',
  ),
  // One warning names all that networks isolate: isolation.ts.
  internal: warns(
    flag,
    'pods have external access unless a NetworkPolicy forbids it',
    'no external access',
    () => true,
  ),
  ipam: notes(anything, 'the cluster assigns addresses', 'addresses'),
  enable_ipv4: ignored(flag, 'the cluster decides', 'IPv4'),
  enable_ipv6: notes(flag, 'the cluster decides', 'IPv6', isOneOf('false')),
  labels: ignored(pairs(), 'there is no object to carry them', 'labels'),
} satisfies Fields

export const networkShape = object(network)

const configSource = {
  file: maps(textOrNone, 'data or binaryData', 'file with the content'),
  content: maps(text, 'data', 'the content'),
  environment: maps(textOrNone, 'data', 'variable with the content'),
  external: maps(byForm({ scalar: flag, mapping: anything }), 'no object is made', 'the object exists already'),
  name: maps(text, 'name of an external object', 'name outside this file'),
  labels: maps(pairs(), 'metadata.annotations', 'annotations'),
  template_driver: warns(text, 'Kubernetes does not render templates', 'template driver'),
} satisfies Fields

const secretSource = {
  file: maps(textOrNone, 'data', 'file with the content'),
  environment: maps(textOrNone, 'data', 'variable with the content'),
  content: maps(text, 'data', 'the content'),
  external: maps(byForm({ scalar: flag, mapping: anything }), 'no object is made', 'the object exists already'),
  name: maps(text, 'name of an external object', 'name outside this file'),
  labels: maps(pairs(), 'metadata.annotations', 'annotations'),
  driver: warns(text, 'Kubernetes has no secret drivers', 'secret driver'),
  driver_opts: warns(anything, 'Kubernetes has no secret drivers', 'driver options'),
  template_driver: warns(text, 'Kubernetes does not render templates', 'template driver'),
} satisfies Fields

export const configShape = object(configSource)
export const secretShape = object(secretSource)
