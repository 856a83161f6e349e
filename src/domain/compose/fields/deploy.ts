/** `deploy` and its fields (Compose Specification, "Deploy"), with `gpus`, the short notation of its devices. */
import { type Fields, maps, notes, object, warns } from '../../shape/field.ts'
import {
  amount,
  anything,
  byForm,
  integer,
  listOf,
  number,
  pairs,
  setOf,
  text,
  textOrNone,
  textOrNumber,
} from '../../shape/shape.ts'

const container = 'containers[].resources'

const device = {
  capabilities: maps(listOf(text), `${container}.limits`, 'capabilities of the device; only gpu is supported'),
  count: maps(textOrNumber, `${container}.limits`, 'number of devices', '`all` becomes 1, with a warning'),
  device_ids: warns(listOf(text), 'the scheduler chooses the device', 'which devices'),
  driver: maps(text, `${container}.limits`, 'nvidia (the default) or amd'),
  options: warns(anything, 'device plugins accept no options from pods', 'driver options'),
} satisfies Fields

const devices = listOf(object(device))

const limits = {
  cpus: maps(number, `${container}.limits.cpu`, 'maximum number of CPUs'),
  memory: maps(amount, `${container}.limits.memory`, 'maximum memory, in Compose units (512m is 512 MiB)'),
  pids: warns(integer, 'the kubelet sets it for all pods of a node', 'maximum number of processes'),
} satisfies Fields

const reservations = {
  cpus: maps(number, `${container}.requests.cpu`, 'reserved CPUs'),
  memory: maps(amount, `${container}.requests.memory`, 'reserved memory, in Compose units'),
  devices: maps(devices, `${container}.limits`, 'GPUs'),
  generic_resources: warns(listOf(anything), 'Kubernetes has no generic resources', 'resources by name'),
} satisfies Fields

const resources = {
  limits: maps(object(limits), `${container}.limits`, 'maximum resources'),
  reservations: maps(object(reservations), `${container}.requests`, 'reserved resources'),
} satisfies Fields

const restartPolicy = {
  condition: maps(textOrNone, 'kind; restartPolicy', 'like restart; takes precedence over it'),
  max_attempts: maps(integer, 'spec.backoffLimit of a Job', 'retries before a Job is marked failed'),
  delay: notes(text, 'Kubernetes backs off by itself', 'delay between restarts'),
  window: notes(
    text,
    'Kubernetes judges an attempt by the exit status of the container',
    'time after which a restart counts as successful',
  ),
} satisfies Fields

const preference = {
  spread: maps(text, 'topologySpreadConstraints', 'node label to spread over'),
} satisfies Fields

const placement = {
  constraints: maps(setOf(text), 'nodeSelector, affinity.nodeAffinity', 'constraints for the node'),
  preferences: maps(listOf(object(preference)), 'topologySpreadConstraints', 'how to spread replicas over nodes'),
  max_replicas_per_node: maps(
    integer,
    'affinity.podAntiAffinity',
    'maximum number of replicas on a node',
    'only 1 is supported; others cause a warning',
  ),
} satisfies Fields

const updateConfig = {
  order: maps(text, 'spec.strategy', 'start-first or stop-first'),
  parallelism: maps(integer, 'spec.strategy.rollingUpdate', 'containers updated at once'),
  delay: maps(text, 'spec.minReadySeconds', 'pause between updates'),
  failure_action: notes(text, 'a rollout stops by itself and is not undone', 'what to do when an update fails'),
  monitor: notes(text, 'readiness decides', 'how long to watch for failures after an update'),
  max_failure_ratio: notes(
    number,
    'a rollout stops at the first pod that does not become ready',
    'fraction of failures to tolerate',
  ),
} satisfies Fields

const deployFields = {
  mode: maps(textOrNone, 'kind', 'replicated, global (DaemonSet), replicated-job or global-job (Job)'),
  replicas: maps(integer, 'spec.replicas', 'number of containers'),
  labels: maps(pairs(), 'metadata.annotations', 'annotations of the workload'),
  endpoint_mode: maps(textOrNone, 'spec.clusterIP of the Service', 'vip or dnsrr (headless)'),
  resources: maps(object(resources), container, 'requests and limits'),
  restart_policy: maps(object(restartPolicy), 'kind; restartPolicy; backoffLimit', 'when to restart'),
  placement: maps(object(placement), 'nodeSelector, affinity', 'which nodes to run on'),
  update_config: maps(object(updateConfig), 'spec.strategy', 'how to replace containers'),
  rollback_config: notes(anything, 'a rollback is a deploy of an earlier plan', 'how to roll back'),
} satisfies Fields

export const deploy = object(deployFields)

/** `gpus: all`, or a list like `deploy.resources.reservations.devices`. */
export const gpus = byForm({ scalar: text, list: devices })
