/** Files that Compose accepts and devtool rejects: a table of docs/compose.md, whose examples a test translates. */
import type { Code } from '../src/domain/diagnostic/codes.ts'

type Refusal = {
  readonly what: string
  readonly codes: ReadonlyArray<Code>
  readonly why: string
  /** Compose files, in the order of the codes. */
  readonly examples: ReadonlyArray<string>
}

const service = (fields: string): string => `services: {web: {image: nginx, ${fields}}}`

export const refusals: ReadonlyArray<Refusal> = [
  {
    what: 'a value that no container can have: a negative or unknown size, a port beyond 65535, more than 1,000 ports in one range, an IPv6 address of a port without brackets, a relative target of a mount, an invalid address, capability or image name, a digest in the name of an image that is built, a variable without a name or with characters other than printable ASCII in it (in an env file as well), a check or hook without a command',
    codes: [
      'DT1018',
      'DT1019',
      'DT1020',
      'DT1021',
      'DT1023',
      'DT1024',
      'DT1026',
      'DT1027',
      'DT1028',
      'DT1032',
      'DT4031',
    ],
    why: 'The API server refuses the object, as Docker refuses most of these containers; here it has a place in the file.',
    examples: [
      service('cap_add: ["-"]'),
      service('stop_grace_period: -1s'),
      service('mem_limit: 5 parsecs'),
      service('cpus: -1'),
      service('expose: [70000]'),
      service('tmpfs: run'),
      'services: {web: {image: "a b"}}',
      service('env_file: named.env'),
      service('environment: ["=1"]'),
      service('healthcheck: {test: [CMD]}'),
      'services: {web: {build: {context: ., platforms: ["linux//amd"]}}}',
    ],
  },
  {
    what: 'a word that the Specification does not list, in `restart`, `deploy.mode`, `deploy.endpoint_mode`, `restart_policy.condition`, `ports.mode` or the attestations of `build`, or an invalid placement constraint or preference',
    codes: ['DT1018', 'DT4031'],
    why: 'It decides what the service becomes (Deployment, Job, DaemonSet), which cannot be changed later without a replacement, where it runs, or what is pushed.',
    examples: [service('deploy: {mode: sometimes}'), 'services: {web: {build: {context: ., provenance: sometimes}}}'],
  },
  {
    what: 'limits that contradict each other: more reserved than allowed, `cpus` beside another `cpu_quota`',
    codes: ['DT1038'],
    why: 'The API server refuses requests above limits, and a container has one limit.',
    examples: [service('mem_limit: 1g, mem_reservation: 2g')],
  },
  {
    what: 'a mounted config or secret without content: its file or variable does not exist, it names no source, or several',
    codes: ['DT1007', 'DT1010', 'DT1041', 'DT1046'],
    why: 'A ConfigMap or Secret is filled at deploy time, and a pod that mounts one waits for it forever.',
    examples: [
      `${service('configs: [app]')}\nconfigs: {app: {file: missing.conf}}`,
      `${service('secrets: [key]')}\nsecrets: {key: {environment: MISSING}}`,
      `${service('configs: [app]')}\nconfigs: {app: {external: false}}`,
      `${service('secrets: [key]')}\nsecrets: {key: {external: true, file: key.txt}}`,
    ],
  },
  {
    what: '`network_mode: container:NAME` of a container outside the file',
    codes: ['DT1018'],
    why: 'Containers share a network by being in one pod, and a pod is made as a whole.',
    examples: [service('network_mode: "container:other"')],
  },
  {
    what: 'one name for two things: `my_web` and `my-web`, one `container_name`, volumes of one `name`, an alias on different networks',
    codes: ['DT1030'],
    why: 'Names of objects are DNS labels, and all of a namespace share one DNS zone: one would overwrite the other.',
    examples: ['services: {my_web: {image: nginx}, my-web: {image: nginx}}'],
  },
  {
    what: 'a project `name` with characters that Compose drops in silence: capitals, dots, blanks',
    codes: ['DT1031'],
    why: 'Names of objects and of hosts take lower-case letters, digits and hyphens; under a name that is changed in silence it would be another environment, which destroy does not find.',
    examples: [`name: My.App\n${service('')}`],
  },
  {
    what: '`service_completed_successfully` of a service that always restarts',
    codes: ['DT1036'],
    why: 'Kubernetes starts the pods of a Deployment again whenever they end, since they may have no other restart policy than `Always`; only a Job completes.',
    examples: [
      'services: {web: {image: nginx, depends_on: {init: {condition: service_completed_successfully}}}, init: {image: nginx, restart: always}}',
    ],
  },
  {
    what: 'services of one pod (`network_mode: service:NAME`) of which one ends and one restarts, or which select different nodes',
    codes: ['DT1038'],
    why: 'A pod has one restart policy and runs on one node.',
    examples: [
      'services: {web: {image: nginx, network_mode: "service:db", restart: "no"}, db: {image: redis, restart: always}}',
    ],
  },
  {
    what: 'a volume for pods on several nodes: `mode: global`, different platforms or constraints, one replica per node',
    codes: ['DT1040'],
    why: 'A claim is ReadWriteOnce, so all pods that mount it run on one node.',
    examples: [`${service('volumes: ["data:/data"], deploy: {mode: global}')}\nvolumes: {data: }`],
  },
  {
    what: 'a service with a `provider` and no image, or profiles that leave no service',
    codes: ['DT1003', 'DT1044'],
    why: 'There is nothing to run: providers are programs on the machine of the developer.',
    examples: ['services: {ai: {provider: {type: model}}}', service('profiles: [debug]')],
  },
  {
    what: 'what Compose silently reads in another way than it looks: a resource defined differently in a file and in one that it includes, words after a closing quote in an env file, a key that nobody knows in `extends`, `include` or `gpus`, a volume of one letter that is not defined (`v:/data`, which Compose takes for a drive of Windows); also files of `include` and `extends` in repositories and registries (`https://…`, `oci://…`), and projects of more than 1,000,000 values',
    codes: ['DT1017', 'DT1027', 'DT1004', 'DT1007', 'DT1025', 'DT1006'],
    why: 'An object has one content, so one of two definitions would be lost; a drive of Windows is on no node; objects hold 1 MiB, and so does the record of an environment, which a project of that size exceeds. The rest is no limit of Kubernetes: Compose drops the key or makes a variable of the words, which no manifest shows; and nothing is fetched, so that what is deployed is what was reviewed.',
    examples: [
      `include: [other.yaml]\n${service('')}`,
      service('env_file: quoted.env'),
      service('gpus: [{counts: 1}]'),
      `include: ["https://example.com/compose.yaml"]\n${service('')}`,
    ],
  },
]

type TableOf = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>) => string

export const refusalSection = (tableOf: TableOf): string =>
  [
    '## What Compose accepts and devtool refuses\n',
    'Fields that Kubernetes cannot express are warnings. These few are errors, since nothing sensible could be made of them:\n',
    tableOf(
      ['in the file', 'code', 'why'],
      refusals.map(({ codes, what, why }) => [what, codes.join(', '), why]),
    ),
    '',
  ].join('\n')
