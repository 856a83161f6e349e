/** Validation rules of Kubernetes that are in no schema (`pkg/apis/core/validation` and its siblings). */

import type { Container, KubeObject, Metadata, PodSpec, PodTemplate, Strings } from '../../../src/domain/k8s/types.ts'
import {
  amount,
  each,
  insidePath,
  isDns1035,
  label,
  labelValue,
  type Messages,
  port,
  qualified,
  subdomain,
  when,
} from './kubernetes-forms.ts'

const annotationsOf = (path: string, annotations: Strings = new Map()): Messages => [
  ...[...annotations.keys()]
    .filter((key) => !qualified(key.toLowerCase()))
    .map((key) => `${path}: annotation key ${key}`),
  ...when([...annotations].join('').length > 256 * 1024, `${path}: annotations over 256 KiB`),
]
const labelsOf = (path: string, labels: Strings = new Map()): Messages =>
  [...labels]
    .filter(([key, value]) => !qualified(key) || !labelValue(value))
    .map(([key, value]) => `${path}: label ${key}=${value}`)

const metadataOf = (kind: KubeObject['kind'], { name, namespace, labels, annotations }: Metadata): Messages => {
  const isNamed: Readonly<Partial<Record<typeof kind, boolean>>> = {
    Service: isDns1035(name),
    StatefulSet: label(name) && name.length <= 52,
    Job: label(name),
  }
  return [
    ...when(!(isNamed[kind] ?? subdomain(name)), `metadata.name: ${name}`),
    ...when(namespace !== undefined && !label(namespace), `metadata.namespace: ${namespace}`),
    ...labelsOf('metadata', labels),
    ...annotationsOf('metadata', annotations),
  ]
}

const resourcesOf = (
  path: string,
  { requests = new Map(), limits = new Map() }: Container['resources'] & {},
): Messages => [
  ...[...requests, ...limits].flatMap(([name, value]) => [
    ...when(!qualified(name), `${path}.resources: ${name}`),
    ...when(!(amount(value) >= 0), `${path}.resources: ${name} ${value}`),
  ]),
  ...[...requests]
    .filter(([name, value]) => amount(value) > amount(limits.get(name) ?? 'Infinity'))
    .map(([name]) => `${path}.resources: the request of ${name} is over its limit`),
]

const securityOf = (path: string, { securityContext: given = {} }: Container): Messages => {
  const isMighty = given.privileged === true || given.capabilities?.add?.includes('CAP_SYS_ADMIN') === true
  const ids = [given.runAsUser ?? 0, given.runAsGroup ?? 0]
  return [
    ...when(isMighty && given.allowPrivilegeEscalation === false, `${path}: privileged, and no escalation`),
    ...when(
      ids.some((id) => id < 0 || id > 2 ** 31 - 1),
      `${path}: user or group out of range`,
    ),
  ]
}

const probesOf = (path: string, { readinessProbe, livenessProbe }: Container): Messages =>
  [readinessProbe, livenessProbe].flatMap((probe) => {
    if (probe === undefined) return []
    const { exec, httpGet, periodSeconds, timeoutSeconds, failureThreshold, initialDelaySeconds = 0 } = probe
    const isOne = (exec === undefined) !== (httpGet === undefined)
    return [
      ...when(!isOne || exec?.command.length === 0, `${path}: a probe does one thing`),
      ...when(httpGet !== undefined && !(port(httpGet.port) && httpGet.path.startsWith('/')), `${path}: httpGet`),
      ...when(Math.min(periodSeconds, timeoutSeconds, failureThreshold) < 1, `${path}: a probe counts from 1`),
      ...when(initialDelaySeconds < 0, `${path}: initialDelaySeconds`),
    ]
  })

const containerOf = (path: string, container: Container, volumes: ReadonlySet<string>): Messages => {
  const { name, image, env = [], ports = [], volumeMounts = [], resources = {}, lifecycle = {} } = container
  return [
    ...when(!label(name), `${path}: name ${name}`),
    ...when(image === '' || image.trim() !== image, `${path}: image "${image}"`),
    ...env.filter((v) => !/^[ -<>-~]+$/.test(v.name)).map((v) => `${path}: variable "${v.name}"`),
    ...each(
      path,
      'variable',
      env.map((v) => v.name),
    ),
    ...ports.filter((p) => !port(p.containerPort) || !port(p.hostPort)).map((p) => `${path}: port ${p.containerPort}`),
    ...each(
      path,
      'port',
      ports.map((p) => `${p.containerPort}/${p.protocol}`),
    ),
    ...each(
      path,
      'host port',
      ports.flatMap((p) => (p.hostPort === undefined ? [] : [`${p.hostPort}/${p.protocol}`])),
    ),
    ...each(
      path,
      'mount at',
      volumeMounts.map((m) => m.mountPath),
    ),
    ...volumeMounts.flatMap((mount) => [
      ...when(!volumes.has(mount.name), `${path}: mounts ${mount.name}, which is not declared`),
      ...when(mount.mountPath === '' || mount.mountPath.includes(':'), `${path}: mount path "${mount.mountPath}"`),
      ...when(!insidePath(mount.subPath ?? ''), `${path}: sub path "${mount.subPath}"`),
    ]),
    ...[lifecycle.postStart, lifecycle.preStop]
      .filter((handler) => handler?.exec.command.length === 0)
      .map(() => `${path}: an empty hook`),
    ...resourcesOf(path, resources),
    ...securityOf(path, container),
    ...probesOf(path, container),
  ]
}

type Items = ReadonlyArray<{ readonly key: string; readonly path: string; readonly mode?: number }>
const itemsOf = (path: string, items: Items = []): Messages =>
  items.flatMap((item) => [
    ...when(!dataKey(item.key), `${path}: key ${item.key}`),
    ...when(item.path === '' || !insidePath(item.path), `${path}: path ${item.path}`),
    ...when((item.mode ?? 0) < 0 || (item.mode ?? 0) > 0o777, `${path}: mode ${item.mode}`),
  ])
const dataKey = (key: string): boolean =>
  key.length <= 253 && /^[-._a-zA-Z0-9]+$/.test(key) && key !== '.' && !key.startsWith('..')

const ipAddress = (text: string): boolean => /^[0-9]{1,3}(?:\.[0-9]{1,3}){3}$|^[0-9a-fA-F:]*:[0-9a-fA-F:.]*$/.test(text)

const volumesOf = ({ volumes = [] }: PodSpec): Messages => [
  ...each(
    'volumes',
    'name',
    volumes.map(({ name }) => name),
  ),
  ...volumes.flatMap(({ name, configMap, secret, persistentVolumeClaim, emptyDir, image, ...rest }) => [
    ...when(!label(name), `volumes: name ${name}`),
    ...when(
      [configMap, secret, persistentVolumeClaim, emptyDir, image, ...Object.values(rest)].filter(Boolean).length !== 1,
      `volumes: ${name} is not one thing`,
    ),
    ...itemsOf(`volumes.${name}`, configMap?.items ?? secret?.items),
    ...when(
      !subdomain(configMap?.name ?? secret?.secretName ?? persistentVolumeClaim?.claimName ?? 'a'),
      `volumes: ${name} of a name that cannot be`,
    ),
    ...when(image?.reference === '', `volumes: ${name} without image`),
    ...when(!(amount(emptyDir?.sizeLimit ?? '1') >= 0), `volumes: ${name} of size ${emptyDir?.sizeLimit}`),
  ]),
]

const networkOf = ({
  hostname,
  subdomain: domain,
  hostAliases = [],
  dnsConfig = {},
  hostNetwork,
  ...pod
}: PodSpec): Messages => {
  const { nameservers = [], searches = [], options = [] } = dnsConfig
  const hostPorts = pod.containers.flatMap((container) => container.ports ?? [])
  return [
    ...when(hostname !== undefined && !label(hostname), `hostname ${hostname}`),
    ...when(domain !== undefined && !label(domain), `subdomain ${domain}`),
    ...hostAliases.filter(({ ip }) => !ipAddress(ip)).map(({ ip }) => `hostAliases: ${ip}`),
    ...each(
      'hostAliases',
      'address',
      hostAliases.map(({ ip }) => ip),
    ),
    ...hostAliases.flatMap(({ hostnames }) => hostnames.filter((h) => !subdomain(h)).map((h) => `hostAliases: ${h}`)),
    ...when(nameservers.length > 3 || nameservers.some((ip) => !ipAddress(ip)), `nameservers ${nameservers.join()}`),
    ...when(searches.length > 32 || searches.join(' ').length > 2048, 'too many searches'),
    ...searches
      .filter((s) => s !== '.' && !subdomain(s.replace(/\.$/, '').replaceAll('_', '-')))
      .map((s) => `search ${s}`),
    ...options.filter(({ name }) => name === '').map(() => 'a DNS option without name'),
    ...when(
      hostNetwork === true && hostPorts.some((p) => p.hostPort !== undefined && p.hostPort !== p.containerPort),
      'a host port beside hostNetwork is the container port',
    ),
  ]
}

/** Settings of a kernel namespace that the pod shares with the host are not allowed. */
const sysctlsOf = ({ hostNetwork, hostIPC, securityContext: { sysctls = [] } }: PodSpec): Messages => {
  const names = sysctls.map(({ name }) => name)
  const ofHost = names.filter(
    (name) => (hostNetwork === true && name.startsWith('net.')) || (hostIPC === true && name.startsWith('kernel.shm')),
  )
  return [...each('sysctls', 'name', names), ...ofHost.map((name) => `sysctls: ${name} is the host's`)]
}

const podOf = ({ metadata, spec }: PodTemplate, isJob: boolean, claims: ReadonlyArray<string>): Messages => {
  const { containers, initContainers = [], securityContext, nodeSelector, restartPolicy = 'Always', ...rest } = spec
  const volumes = new Set([...(spec.volumes ?? []).map(({ name }) => name), ...claims])
  const all = [...initContainers, ...containers]
  const groups = [securityContext.fsGroup ?? 0, ...(securityContext.supplementalGroups ?? [])]
  return [
    ...labelsOf('template', metadata.labels),
    ...annotationsOf('template', metadata.annotations),
    ...labelsOf('nodeSelector', nodeSelector),
    ...when(containers.length === 0, 'a pod without containers'),
    ...each(
      'containers',
      'name',
      all.map(({ name }) => name),
    ),
    ...all.flatMap((container) => containerOf(`container ${container.name}`, container, volumes)),
    ...volumesOf(spec),
    ...networkOf(spec),
    ...when(isJob === (restartPolicy === 'Always'), `restartPolicy ${restartPolicy}`),
    ...when(rest.terminationGracePeriodSeconds < 0, 'terminationGracePeriodSeconds'),
    ...when(
      groups.some((id) => id < 0 || id > 2 ** 31 - 1),
      'group out of range',
    ),
    ...sysctlsOf(spec),
  ]
}

const selects = (selector: Strings, labels: Strings): boolean =>
  [...selector].every(([key, value]) => labels.get(key) === value)

const workloadOf = (object: Extract<KubeObject, { readonly spec: { readonly template: PodTemplate } }>): Messages => {
  const { template } = object.spec
  const templates = object.kind === 'StatefulSet' ? (object.spec.volumeClaimTemplates ?? []) : []
  const claims = templates.map(({ metadata }) => metadata.name)
  const counts = 'replicas' in object.spec ? [object.spec.replicas ?? 0] : []
  const selector = 'selector' in object.spec ? object.spec.selector.matchLabels : undefined
  return [
    ...when(selector?.size === 0, 'an empty selector'),
    ...when(selector !== undefined && !selects(selector, template.metadata.labels), 'the selector misses the pods'),
    ...when(
      counts.some((n) => n < 0),
      'fewer than no replicas',
    ),
    ...each('volumeClaimTemplates', 'name', claims),
    ...claims.filter((name) => !label(name)).map((name) => `volumeClaimTemplates: ${name}`),
    ...podOf(template, object.kind === 'Job', claims),
  ]
}

const dataOf = (data: Strings = new Map(), binaryData: Strings = new Map()): Messages => [
  ...[...data.keys(), ...binaryData.keys()].filter((key) => !dataKey(key)).map((key) => `data: ${key}`),
  ...each('data', 'key', [...data.keys(), ...binaryData.keys()]),
  ...when([...data.values(), ...binaryData.values()].join('').length > 1024 * 1024, 'data over 1 MiB'),
]

/** Empty if the object is valid. It must conform to its schema. */
export const ruleViolations = (object: KubeObject): Messages => {
  const found = metadataOf(object.kind, object.metadata)
  switch (object.kind) {
    case 'Deployment':
    case 'StatefulSet':
    case 'DaemonSet':
    case 'Job':
      return [...found, ...workloadOf(object)]
    case 'Service': {
      const { ports = [], clusterIP, selector } = object.spec
      return [
        ...found,
        ...labelsOf('selector', selector),
        ...when(ports.length === 0 && clusterIP !== 'None', 'a Service without ports is headless'),
        ...ports.filter((p) => !port(p.port) || !port(p.targetPort)).map((p) => `port ${p.port}`),
        ...ports.filter((p) => !label(p.name) || p.name.length > 15).map((p) => `port name ${p.name}`),
        ...ports.filter((p) => !qualified(p.appProtocol ?? 'a')).map((p) => `appProtocol ${p.appProtocol}`),
        ...each(
          'ports',
          'name',
          ports.map((p) => p.name),
        ),
        ...each(
          'ports',
          'port',
          ports.map((p) => `${p.port}/${p.protocol}`),
        ),
      ]
    }
    case 'Ingress':
      return [
        ...found,
        ...object.spec.rules.flatMap(({ host, http: { paths } }) => [
          ...when(!subdomain(host), `host ${host}`),
          ...paths.filter(({ path }) => !path.startsWith('/')).map(({ path }) => `path ${path}`),
          ...paths.filter(({ path }) => /\/\/|\/\.\.?(?:\/|$)|%2f|%2F/.test(path)).map(({ path }) => `path ${path}`),
          ...each(
            'paths',
            'path',
            paths.map(({ path }) => path),
          ),
          ...paths
            .filter(({ backend: { service } }) => !port(service.port.number))
            .map(({ path }) => `port of ${path}`),
        ]),
      ]
    case 'PersistentVolumeClaim': {
      const { resources, storageClassName } = object.spec
      return [
        ...found,
        ...when(!(amount(resources.requests.get('storage') ?? '') > 0), 'no storage'),
        ...when(storageClassName !== undefined && !subdomain(storageClassName), `storage class ${storageClassName}`),
      ]
    }
    case 'ConfigMap':
      return [...found, ...dataOf(object.data, object.binaryData)]
    case 'Secret':
      return [...found, ...dataOf(object.data)]
  }
}
