/** Commands before, at the start and at the end of a container: `pre_start`, `post_start`, `pre_stop`. */
import { type Fields, type FieldValues, ignored, isOneOf, maps, object, warns } from '../../shape/field.ts'
import {
  anything,
  flag,
  type Located,
  oneOrMore,
  pairs,
  type Shape,
  text,
  textOrNone,
  textOrNumber,
} from '../../shape/shape.ts'
import { envFiles } from './env-files.ts'

const hookFields = {
  command: maps(oneOrMore(text), 'lifecycle', 'command'),
  user: warns(textOrNumber, 'a hook runs with the user and privileges of the container', 'user'),
  privileged: warns(
    flag,
    'a hook runs with the user and privileges of the container',
    'with privileges',
    isOneOf('false'),
  ),
  working_dir: maps(textOrNone, 'lifecycle', 'working directory; needs a shell in the image'),
  environment: maps(pairs(), 'lifecycle', 'variables; needs a shell in the image'),
} satisfies Fields

export const hook = object(hookFields)

const initContainer = 'spec.initContainers'

const stepFields = {
  image: maps(text, initContainer, 'image; default: that of the service'),
  command: maps(oneOrMore(text), initContainer, 'overrides CMD; default: as in the service'),
  entrypoint: maps(oneOrMore(text), initContainer, 'overrides ENTRYPOINT; default: as in the service'),
  user: maps(textOrNumber, initContainer, 'user'),
  privileged: maps(flag, initContainer, 'with privileges'),
  working_dir: maps(textOrNone, initContainer, 'working directory'),
  environment: maps(pairs(), initContainer, "variables, besides the service's"),
  env_file: maps(envFiles, initContainer, "files with variables, besides the service's"),
  pull_policy: maps(text, initContainer, "when to pull the image; default: that of the service's image"),
  per_replica: ignored(flag, 'an init container runs before each replica', 'run before each replica, not once'),
} satisfies Fields

/** The other fields of a service that Compose knows in a step too. */
const furtherOfStep = [
  ...['annotations', 'blkio_config', 'cap_add', 'cap_drop', 'cgroup', 'cgroup_parent', 'configs', 'cpu_count'],
  ...['cpu_percent', 'cpu_period', 'cpu_quota', 'cpu_rt_period', 'cpu_rt_runtime', 'cpu_shares', 'cpus', 'cpuset'],
  ...['credential_spec', 'device_cgroup_rules', 'devices', 'dns', 'dns_opt', 'dns_search', 'domainname'],
  ...['extra_hosts', 'gpus', 'group_add', 'hostname', 'init', 'ipc', 'isolation', 'label_file', 'labels', 'logging'],
  ...['mac_address', 'mem_limit', 'mem_reservation', 'mem_swappiness', 'memswap_limit', 'models', 'network_mode'],
  ...['networks', 'oom_kill_disable', 'oom_score_adj', 'pid', 'pids_limit', 'platform', 'pull_refresh_after'],
  ...['read_only', 'runtime', 'secrets', 'security_opt', 'shm_size', 'stop_grace_period', 'stop_signal'],
  ...['storage_opt', 'sysctls', 'tmpfs', 'ulimits', 'umask', 'use_api_socket', 'userns_mode', 'uts', 'volumes'],
  'volumes_from',
]

const asInService: Fields = Object.fromEntries(
  furtherOfStep.map((key) => [key, warns(anything, 'a step has this from its service', 'as in a service')]),
)
export const step: Shape<Located<FieldValues<typeof stepFields>>> = object({ ...asInService, ...stepFields })
