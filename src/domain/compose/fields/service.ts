/** Every field of a service: the reference's dialect and the rest of the Compose Specification. */
import { type Fields, ignored, isOneOf, maps, notes, object, warns } from '../../shape/field.ts'
import {
  amount,
  anything,
  byForm,
  entriesOf,
  flag,
  integer,
  listOf,
  number,
  oneOrMore,
  oneOrSet,
  orNothing,
  pairs,
  setOf,
  text,
  textOrNone,
  textOrNumber,
} from '../../shape/shape.ts'
import { build } from './build.ts'
import { deploy, gpus } from './deploy.ts'
import { envFiles } from './env-files.ts'
import { hook, step } from './hooks.ts'
import { fileReferences, mounts } from './volumes.ts'

const container = 'containers[]'
const noLimit = 'a pod has no such limit'
const isFalse = isOneOf('false')

const http = {
  path: maps(text, 'httpGet.path', 'path to request; begins with /'),
  port: maps(integer, 'httpGet.port', 'port to connect to'),
} satisfies Fields

const healthcheck = {
  test: maps(oneOrMore(text), 'readinessProbe.exec.command', 'NONE, CMD, CMD-SHELL, or a string for the shell'),
  http: maps(object(http), 'readinessProbe.httpGet', 'HTTP request that must succeed'),
  interval: maps(textOrNumber, 'periodSeconds', 'time between checks; default: 10s'),
  timeout: maps(textOrNumber, 'timeoutSeconds', 'time after which a check counts as failed; default: 30s'),
  retries: maps(number, 'failureThreshold', 'consecutive failures before it is unhealthy; default: 3'),
  start_period: maps(textOrNumber, 'initialDelaySeconds', 'time before the first check'),
  start_interval: notes(textOrNumber, 'a probe has only one period', 'time between checks during the start period'),
  disable: maps(flag, 'no probe', 'disable the health check'),
  'x-devtool-readiness': maps(flag, 'readinessProbe', 'probe readiness; default: true'),
  'x-devtool-liveness': maps(flag, 'livenessProbe', 'probe liveness; default: false'),
} satisfies Fields

const dependency = {
  condition: maps(text, 'the plan', 'service_started, service_healthy or service_completed_successfully'),
  required: maps(flag, 'the plan', 'false: the other service may be disabled by its profile'),
  restart: warns(
    flag,
    'a pod is recreated when its own configuration changes',
    'restart with the other service',
    isFalse,
  ),
} satisfies Fields

const port = {
  target: maps(amount, 'containerPort', 'port of the container'),
  published: maps(textOrNumber, 'port of the Service', 'port that other services use'),
  protocol: maps(textOrNone, 'protocol', 'tcp, udp or sctp'),
  host_ip: maps(text, 'the Ingress', '127.0.0.1 keeps the port private'),
  mode: maps(textOrNone, 'hostPort', 'host binds the port on the node, with a warning; ingress is the default'),
  name: maps(text, 'ports[].name', 'name of the port'),
  app_protocol: maps(text, 'ports[].appProtocol', 'application protocol'),
} satisfies Fields

const serviceNetwork = {
  aliases: maps(listOf(text), 'a Service for each', 'additional names of the service'),
  ipv4_address: warns(text, 'the cluster assigns addresses', 'fixed address'),
  ipv6_address: warns(text, 'the cluster assigns addresses', 'fixed address'),
  link_local_ips: warns(listOf(text), 'the cluster assigns addresses', 'link-local addresses'),
  mac_address: warns(text, 'the cluster assigns addresses', 'MAC address'),
  use_service_name_alias: notes(
    flag,
    'every service is found by its name',
    'whether the name of the service is a name on this network',
    isOneOf('true'),
  ),
  interface_name: notes(text, 'the cluster names interfaces', 'name of the interface'),
  driver_opts: notes(anything, 'all pods share the cluster network', 'driver options'),
  priority: notes(number, 'a pod has only one network', 'order of networks'),
  gw_priority: notes(number, 'a pod has only one network', 'which network is the default gateway'),
} satisfies Fields

const resourceList = {
  cpu: maps(textOrNumber, `${container}.resources`, 'CPU, a Kubernetes quantity'),
  memory: maps(textOrNumber, `${container}.resources`, 'memory, a Kubernetes quantity'),
} satisfies Fields

const resources = {
  requests: maps(object(resourceList), `${container}.resources.requests`, 'reserved resources'),
  limits: maps(object(resourceList), `${container}.resources.limits`, 'maximum resources'),
} satisfies Fields

/** `name=address` or `name:address`; the mapping notation takes several addresses for a name. */
const hosts = byForm({ list: listOf(text), mapping: entriesOf(oneOrMore(text)) })

export const serviceFields = {
  image: maps(text, `${container}.image`, 'container image; required unless build is set'),
  build: maps(build, `${container}.image`, 'how to build the image'),
  command: maps(oneOrMore(textOrNumber), `${container}.args`, 'overrides CMD of the image'),
  entrypoint: maps(oneOrMore(textOrNumber), `${container}.command`, 'overrides ENTRYPOINT of the image'),
  environment: maps(pairs(), `${container}.env`, 'environment variables; take precedence over env_file'),
  env_file: maps(envFiles, `${container}.env`, 'files with environment variables'),
  ports: maps(
    listOf(byForm({ scalar: textOrNumber, mapping: object(port) })),
    'containerPort, Service, Ingress',
    'published ports: N is private, N:N public',
  ),
  expose: maps(setOf(textOrNumber), 'containerPort, Service', 'private ports'),
  depends_on: maps(
    byForm({ list: listOf(text), mapping: entriesOf(orNothing(object(dependency))) }),
    'the plan; annotation dev.devtool/depends-on',
    'services that must be ready first',
  ),
  healthcheck: maps(object(healthcheck), 'readinessProbe, livenessProbe', 'how to check that the container is healthy'),
  labels: maps(
    pairs(),
    'metadata.annotations',
    'annotations',
    'keys that Kubernetes rejects are kept together in one annotation',
  ),
  annotations: maps(pairs(), 'metadata.annotations', 'annotations'),
  label_file: maps(oneOrMore(text), 'metadata.annotations', 'files with labels'),
  scale: maps(integer, 'spec.replicas', 'number of containers; default: 1'),
  deploy: maps(deploy, 'the workload', 'replicas, resources, placement, restart and update policy'),
  resources: maps(object(resources), `${container}.resources`, 'requests and limits, in Kubernetes quantities'),
  restart: maps(
    textOrNone,
    'kind; restartPolicy',
    'always, unless-stopped, any; no, none, never and on-failure make it a Job',
  ),
  stop_grace_period: maps(
    textOrNumber,
    'terminationGracePeriodSeconds',
    'time before SIGKILL; default: 10s; a number counts seconds',
  ),
  stop_signal: warns(
    text,
    'pods are stopped with the STOPSIGNAL of the image',
    'signal that stops the container',
    isOneOf('SIGTERM', 'TERM', '15'),
  ),
  volumes: maps(mounts, 'volumeMounts, claims', 'named, anonymous and host volumes'),
  volumes_from: maps(setOf(text), 'volumeMounts', 'services whose mounts to add'),
  tmpfs: maps(oneOrSet(text), 'volumes[].emptyDir', 'in-memory file systems'),
  shm_size: maps(amount, 'volumes[].emptyDir at /dev/shm', 'size of /dev/shm'),
  working_dir: maps(textOrNone, `${container}.workingDir`, 'overrides WORKDIR of the image'),
  user: maps(textOrNone, 'securityContext.runAsUser, runAsGroup', 'numeric user and group', 'names cause a warning'),
  group_add: maps(
    setOf(textOrNumber),
    'securityContext.supplementalGroups',
    'additional groups',
    'names cause a warning',
  ),
  cap_add: maps(setOf(text), 'securityContext.capabilities.add', 'capabilities to add'),
  cap_drop: maps(setOf(text), 'securityContext.capabilities.drop', 'capabilities to drop'),
  privileged: maps(flag, 'securityContext.privileged', 'all privileges, with a warning'),
  read_only: maps(flag, 'securityContext.readOnlyRootFilesystem', 'read-only root file system'),
  security_opt: maps(
    listOf(text),
    'securityContext',
    'no-new-privileges, seccomp, apparmor, label',
    'others cause a warning',
  ),
  sysctls: maps(pairs(), 'securityContext.sysctls', 'kernel parameters', 'unsafe ones cause a warning'),
  init: notes(flag, 'a pod has no init process of its own', 'run an init process', isFalse),
  hostname: maps(
    textOrNone,
    'spec.hostname, and a Service of that name',
    'host name',
    'only spec.hostname if it has dots or several services have it',
  ),
  domainname: maps(textOrNone, 'spec.subdomain', 'subdomain, if it is a DNS label', 'others cause a warning'),
  container_name: maps(textOrNone, 'a Service of that name', 'additional name of the service'),
  extra_hosts: maps(hosts, 'spec.hostAliases', 'additional host names', 'host-gateway causes a warning'),
  dns: maps(oneOrSet(text), 'spec.dnsConfig.nameservers', 'name servers'),
  dns_search: maps(oneOrSet(text), 'spec.dnsConfig.searches', 'search domains'),
  dns_opt: maps(setOf(text), 'spec.dnsConfig.options', 'resolver options'),
  links: maps(setOf(text), 'a Service for each alias', 'additional names for other services'),
  external_links: warns(
    listOf(text),
    'containers outside the cluster cannot be linked',
    'containers outside this file',
  ),
  network_mode: maps(
    textOrNone,
    'spec.hostNetwork, or a container of another pod',
    'host, or service:NAME to share the pod of a service; container:NAME with its container_name',
    'none causes a warning, other containers are an error',
  ),
  networks: maps(
    byForm({ list: listOf(text), mapping: entriesOf(orNothing(object(serviceNetwork))) }),
    'a Service for each alias',
    'networks and aliases',
  ),
  mac_address: warns(text, 'the cluster assigns addresses', 'MAC address'),
  pid: maps(textOrNone, 'spec.hostPID', 'host', 'others cause a warning'),
  ipc: maps(textOrNone, 'spec.hostIPC', 'host', 'others cause a warning'),
  uts: warns(text, 'a pod has a UTS namespace of its own', 'UTS namespace'),
  userns_mode: warns(text, 'the cluster decides', 'user namespace'),
  cgroup: notes(text, 'the cluster decides', 'cgroup namespace'),
  cgroup_parent: notes(text, 'the cluster decides', 'parent cgroup'),
  isolation: notes(text, 'it applies to Windows only', 'isolation'),
  ulimits: warns(entriesOf(anything), noLimit, 'limits of processes'),
  oom_kill_disable: warns(flag, noLimit, 'disable the OOM killer', isFalse),
  oom_score_adj: warns(integer, 'the kubelet sets it', 'which process is killed first when memory runs out'),
  pids_limit: warns(number, 'the kubelet sets it for all pods of a node', 'maximum number of processes'),
  blkio_config: warns(anything, noLimit, 'disk bandwidth'),
  cpus: maps(number, `${container}.resources.limits.cpu`, 'maximum number of CPUs'),
  cpu_count: maps(integer, `${container}.resources.limits.cpu`, 'maximum number of CPUs'),
  cpu_quota: maps(amount, `${container}.resources.limits.cpu`, 'CPU time per period'),
  cpu_period: maps(amount, `${container}.resources.limits.cpu`, 'period for cpu_quota; default: 100ms'),
  cpu_percent: warns(number, noLimit, 'share of all CPUs'),
  cpu_shares: notes(number, 'the requests decide the share', 'relative weight'),
  cpu_rt_period: warns(textOrNumber, noLimit, 'real-time period'),
  cpu_rt_runtime: warns(textOrNumber, noLimit, 'real-time budget'),
  cpuset: warns(textOrNumber, 'the kubelet pins CPUs', 'which CPUs'),
  mem_limit: maps(amount, `${container}.resources.limits.memory`, 'maximum memory, in Compose units'),
  mem_reservation: maps(amount, `${container}.resources.requests.memory`, 'reserved memory, in Compose units'),
  mem_swappiness: notes(integer, noLimit, 'how readily memory is swapped out'),
  memswap_limit: notes(amount, noLimit, 'maximum memory and swap'),
  storage_opt: warns(anything, noLimit, 'size of the root file system'),
  device_cgroup_rules: warns(listOf(text), 'devices come from device plugins', 'rules for devices'),
  devices: warns(listOf(anything), 'devices come from device plugins', 'devices of the host'),
  gpus: maps(gpus, `${container}.resources.limits`, 'GPUs'),
  credential_spec: warns(anything, 'it applies to Windows only', 'managed service account'),
  runtime: maps(
    textOrNone,
    'spec.runtimeClassName',
    'container runtime',
    'the cluster needs a RuntimeClass of that name',
  ),
  platform: maps(textOrNone, 'spec.nodeSelector', 'operating system and architecture'),
  pull_policy: maps(text, `${container}.imagePullPolicy`, 'when to pull the image'),
  pull_refresh_after: notes(text, 'Kubernetes pulls when a pod starts', 'how often to pull the image again'),
  profiles: maps(setOf(text), 'whether it is deployed', 'profiles that enable the service'),
  extends: maps(anything, 'the service', 'service to inherit from'),
  configs: maps(fileReferences, 'volumes[].configMap', 'configs to mount'),
  secrets: maps(fileReferences, 'volumes[].secret', 'secrets to mount'),
  stdin_open: maps(flag, `${container}.stdin`, 'keep standard input open'),
  umask: warns(textOrNumber, 'the image decides', 'permissions that new files do not get'),
  tty: maps(flag, `${container}.tty`, 'allocate a terminal'),
  logging: notes(anything, 'the cluster collects logs', 'log driver'),
  attach: ignored(flag, 'it only concerns `docker compose up`', 'show the logs'),
  develop: ignored(anything, 'it is for development, not for deployment', 'watch rules'),
  use_api_socket: warns(flag, 'there is no Docker socket in the cluster', 'mount the Docker socket', isFalse),
  provider: warns(anything, "providers run on the developer's machine", 'external provider'),
  models: warns(anything, 'there is no model runner in the cluster', 'AI models'),
  pre_start: maps(listOf(step), 'spec.initContainers', 'run before the container starts'),
  post_start: maps(listOf(hook), 'lifecycle.postStart', 'run after the container starts'),
  pre_stop: maps(listOf(hook), 'lifecycle.preStop', 'run before the container is stopped'),
  'x-devtool-host-files': maps(
    text,
    'a ConfigMap',
    'config: files and folders of the project that it mounts become a ConfigMap; ignore: they do not',
  ),
  'x-node-selector': maps(pairs(), 'spec.nodeSelector', 'labels a node must have'),
} satisfies Fields

export const service = object(serviceFields)
