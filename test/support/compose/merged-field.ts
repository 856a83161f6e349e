/** One field of a service that is written twice, and what is read of it. */
import type { ProjectOptions } from '../../../src/app/project/choose.ts'
import type { ComposeService } from '../../../src/domain/compose/model.ts'
import type { Mount } from '../../../src/domain/compose/volume-model.ts'
import type { Files } from './project.ts'

/** What other fields refer to. */
const rest = `  b: {image: redis, volumes: ["vv:/bv", "ww:/bw:ro"], ports: ["6379"]}
volumes: {vv: , ww: , foo: }
networks: {n1: , n2: }
configs: {c1: {content: x}, c2: {content: y}}
secrets: {s1: {environment: FOO}, s2: {environment: FOO}}
`
const besides: Files = {
  'a.env': 'A=1\nB="two words"\nC=${A}x\nexport D=d\nFOO\n',
  'b.env': "B=over\nE='$A'\nF=$FOO\n",
  labels: 'l1=a\nl2="b c"\n',
}
const variables = new Map(
  Object.entries({ FOO: 'foo', NUM: '3', EMPTY: '', TRUE: 'true', HOME: '/root', PORT: '8080' }),
)

const service = (name: string, field: string, value: string, more = ''): string =>
  `  ${name}:\n    image: nginx\n${more}    ${field}: ${value.trimEnd()}\n`

/** `how`: `merge` of two files, `extends` of another file's service, or `reset`, whose later value has a tag. */
export const mergedFiles = (
  how: string,
  field: string,
  base: string,
  over: string,
): readonly [Files, Partial<ProjectOptions>] => {
  if (how === 'extends') {
    const extending = service('a', field, over, '    extends: {file: ext.yaml, service: z}\n')
    const files = {
      ...besides,
      'compose.yaml': `services:\n${extending}${rest}`,
      'ext.yaml': `services:\n${service('z', field, base)}`,
    }
    return [files, { files: ['compose.yaml'], shell: variables }]
  }
  const first = `services:\n${service('a', field, base)}${rest}`
  const files = { ...besides, 'compose.yaml': first, 'over.yaml': `services:\n  a:\n    ${field}: ${over.trimEnd()}\n` }
  return [files, { files: ['compose.yaml', 'over.yaml'], shell: variables }]
}

const mountOf = (mount: Mount): string => {
  const ends = mount.readOnly ? ' ro' : ''
  switch (mount._tag) {
    case 'Named':
      return `${mount.volume}${mount.subPath === undefined ? '' : `/${mount.subPath}`}${ends}`
    case 'Config':
      return `config ${mount.config}`
    case 'Secret':
      return `secret ${mount.secret}`
    case 'Anonymous':
    case 'HostFiles':
    case 'Image':
    case 'Memory':
      return `${mount._tag}${ends}`
  }
}

type Reading = (service: ComposeService) => unknown

const environment: Reading = ({ environment: all }) => all.map(({ name, value }) => `${name}=${value}`)
const words: Reading = ({ command, entrypoint }) => [entrypoint?.value ?? null, command?.value ?? null]
const labels: Reading = ({ annotations, workloadAnnotations }) =>
  [...annotations, ...workloadAnnotations].map(({ name, value }) => `${name}=${value}`)
const ports: Reading = (one) =>
  one.ports.map(({ protocol, published, target }) => `${published.join()}:${target}/${protocol}`)
const mounts: Reading = (one) => [
  ...one.mounts.map((mount) => `${mount.target} ${mountOf(mount)}`),
  ...one.hostMounts.map(({ source, target }) => `${target} ${source}`),
]
const resources: Reading = ({ replicas, resources: { limits, requests } }) => [
  replicas?.value ?? null,
  ...[limits.cpu, limits.memory, requests.cpu, requests.memory].map((amount) => amount?.value ?? null),
]
const network: Reading = ({ network: { hostAliases, nameservers, searches } }) => [
  hostAliases.flatMap(({ hostnames, ip }) => hostnames.map((name) => `${name}=${ip}`)),
  nameservers?.value ?? [],
  searches?.value ?? [],
]

const readings: Readonly<Record<string, Reading>> = {
  environment,
  env_file: environment,
  command: words,
  entrypoint: words,
  labels,
  annotations: labels,
  label_file: labels,
  ports,
  expose: ports,
  volumes: mounts,
  tmpfs: mounts,
  configs: mounts,
  secrets: mounts,
  scale: resources,
  deploy: resources,
  cpus: resources,
  mem_limit: resources,
  mem_reservation: resources,
  extra_hosts: network,
  dns: network,
  dns_search: network,
  depends_on: ({ dependsOn }) => dependsOn.map(({ condition, service: name }) => `${name} ${condition}`),
  healthcheck: ({ healthcheck: one }) =>
    one === undefined ? null : [one.check, one.periodSeconds, one.timeoutSeconds, one.failureThreshold],
  cap_add: ({ security }) => security.capAdd?.value ?? [],
  cap_drop: ({ security }) => security.capDrop?.value ?? [],
  user: ({ security }) => [security.runAsUser?.value ?? null, security.runAsGroup?.value ?? null],
  working_dir: ({ workingDir }) => workingDir?.value ?? null,
  stop_grace_period: ({ graceSeconds }) => graceSeconds?.value ?? null,
}

export const readingsOf = (field: string, one: ComposeService): unknown => readings[field]?.(one)
