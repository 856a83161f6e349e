/** Settings that services in one pod cannot have individually. */
import type { ComposeService, Written } from '../compose/model.ts'
import { podsOf, type SharedPod } from '../compose/read/pods.ts'
import { type Diagnostic, error, lost, warning } from '../diagnostic/diagnostic.ts'
import { listed } from '../text/listed.ts'
import type { Span } from '../text/source.ts'
import { DEFAULT_GRACE_SECONDS, portKey } from './pods.ts'

/** A setting that exists once per pod, with its value as text. */
type Setting = { readonly name: string; readonly value: string; readonly at: Span; readonly path: string }

const setting = (name: string, written: Written<unknown> | undefined): ReadonlyArray<Setting> =>
  written === undefined ? [] : [{ name, value: JSON.stringify(written.value), at: written.at, path: written.path }]

const settingsOf = ({
  network,
  path,
  placement,
  security,
  update,
  updateConfig: { at, ...config },
}: ComposeService) => [
  ...setting('hostname', network.hostname),
  ...setting('domainname', network.subdomain),
  ...setting('pid', network.hostPid),
  ...setting('ipc', network.hostIpc),
  ...setting('dns', network.nameservers),
  ...setting('dns_search', network.searches),
  ...setting('dns_opt', network.options),
  ...network.hostAliases.map(
    ({ ip, hostnames, at: place }): Setting => ({
      name: `extra_hosts ${ip}`,
      value: hostnames.join(),
      at: place,
      path,
    }),
  ),
  ...setting('runtime', placement.runtimeClass),
  ...setting('update policy', update),
  ...(at === undefined ? [] : setting('update_config', { value: config, at, path })),
  ...security.sysctls.map((sysctl): Setting => ({ ...sysctl, name: `sysctl ${sysctl.name}`, path })),
]

/** What the owner of the pod decides. */
type Lost = Pick<Setting, 'at' | 'name' | 'path'>

const lostSettings = (known: Map<string, string>, service: ComposeService): ReadonlyArray<Lost> =>
  settingsOf(service).filter(({ name, value }) => {
    if (name.startsWith('sysctl ') && !known.has(name)) known.set(name, value)
    return known.get(name) !== value
  })

const lostKind = (owner: ComposeService, service: ComposeService): ReadonlyArray<Lost> => {
  const place = { at: service.kind.at, path: service.path }
  if (service.kind._tag === 'DaemonSet' && owner.kind._tag !== 'DaemonSet') return [{ ...place, name: 'mode' }]
  return restartOf(owner) === restartOf(service) ? [] : [{ ...place, name: 'restart policy' }]
}

const lostReplicas = (owner: ComposeService, { replicas }: ComposeService): ReadonlyArray<Lost> => {
  const count = owner.kind._tag === 'DaemonSet' ? undefined : (owner.replicas?.value ?? 1)
  if (replicas === undefined || replicas.value === count) return []
  return [{ name: 'number of containers', at: replicas.at, path: replicas.path }]
}

const lostFindings = (
  owner: ComposeService,
  known: Map<string, string>,
  service: ComposeService,
): ReadonlyArray<Diagnostic> => {
  const isSameKind = (service.kind._tag === 'Job') === (owner.kind._tag === 'Job')
  const [first, ...others] = [
    ...(isSameKind ? lostKind(owner, service) : []),
    ...lostReplicas(owner, service),
    ...lostSettings(known, service),
  ].toSorted((a, b) => a.at.start - b.at.start)
  if (first === undefined) return []
  const names = listed([first, ...others].map(({ name }) => name))
  const has = others.length === 0 ? 'has' : 'have'
  const message = `${names} of "${service.name}" ${has} no effect: it runs in the pod of "${owner.name}"`
  const related = others.map(({ at }) => ({ at, message: 'this neither' }))
  const path = others.length === 0 ? first.path : service.path
  return [warning('DT1110', message, { at: first.at, path, [lost]: {}, ...(related.length === 0 ? {} : { related }) })]
}

const restartOf = ({ kind }: ComposeService): string =>
  kind._tag === 'Job' ? `${kind.restart} ${kind.attempts ?? ''}` : ''

/** DT1038 for a Job in a pod with services that never end. */
const kindFindings = (owner: ComposeService, service: ComposeService): ReadonlyArray<Diagnostic> => {
  const { kind, name, path, podOf } = service
  const isJob = kind._tag === 'Job'
  if (isJob === (owner.kind._tag === 'Job')) return []
  const at = isJob ? kind.at : (podOf?.at ?? service.at)
  const message = isJob
    ? `"${name}" ends, but "${owner.name}", whose pod it shares, always restarts`
    : `"${name}" always restarts, but "${owner.name}", whose pod it shares, ends`
  const related = [{ at: owner.kind.at, message: `this decides about "${owner.name}"` }]
  return [error('DT1038', message, { at, path, help: 'give both the same restart policy', related })]
}

/** DT1038 when two services of a pod require different values of a node label. */
const nodeFindings = (known: Map<string, ComposeService>, service: ComposeService): ReadonlyArray<Diagnostic> =>
  service.placement.nodeSelector.flatMap(({ name, value, at }) => {
    const other = known.get(name)
    if (other === undefined) known.set(name, service)
    const entry = other?.placement.nodeSelector.find((one) => one.name === name)
    if (other === undefined || entry === undefined || entry.value === value) return []
    const message = `"${service.name}" requires nodes with ${name} ${value}, but "${other.name}" in the same pod requires ${entry.value}`
    const related = [{ at: entry.at, message: `"${other.name}" wants ${entry.value}` }]
    return [error('DT1038', message, { at, path: service.path, help: 'use the same value for both', related })]
  })

const portFindings = (known: Map<string, ComposeService>, service: ComposeService): ReadonlyArray<Diagnostic> =>
  service.ports.flatMap((port) => {
    const other = known.get(portKey(port))
    if (other === undefined) known.set(portKey(port), service)
    if (other === undefined || other === service) return []
    const message = `"${other.name}" in the same pod has port ${port.target} too: only one of the two can listen there`
    return [warning('DT1110', message, { at: port.at, path: service.path })]
  })

/** A pod has one grace period, the longest of its containers. */
const graceFindings = (all: ReadonlyArray<ComposeService>): ReadonlyArray<Diagnostic> => {
  const longest = all.reduce(
    (most, { graceSeconds }) => Math.max(most, graceSeconds?.value ?? DEFAULT_GRACE_SECONDS),
    0,
  )
  return all.flatMap(({ graceSeconds, name }) => {
    if (graceSeconds === undefined || graceSeconds.value === longest) return []
    const { at, path } = graceSeconds
    return [warning('DT1110', `"${name}" has ${longest}s to stop, the longest time in its pod`, { at, path })]
  })
}

/** The containers of a pod start together, so conditions between them cannot be met. */
const waitFindings = (names: ReadonlySet<string>, service: ComposeService): ReadonlyArray<Diagnostic> =>
  service.dependsOn.flatMap(({ condition, service: other, at, path }) =>
    condition === 'service_started' || !names.has(other)
      ? []
      : [
          warning('DT1110', `"${service.name}" does not wait for "${other}": containers of a pod start together`, {
            at,
            path,
          }),
        ],
  )

const findingsOf = ({ owner, joined }: SharedPod): ReadonlyArray<Diagnostic> => {
  if (joined.length === 0) return []
  const names = new Set([owner, ...joined].map(({ name }) => name))
  const settings = new Map(settingsOf(owner).map(({ name, value }) => [name, value]))
  const nodes = new Map<string, ComposeService>()
  const ports = new Map<string, ComposeService>()
  nodeFindings(nodes, owner)
  portFindings(ports, owner)
  const separate = joined.flatMap((service) => [
    ...kindFindings(owner, service),
    ...lostFindings(owner, settings, service),
    ...nodeFindings(nodes, service),
    ...portFindings(ports, service),
    ...waitFindings(names, service),
  ])
  return [...separate, ...graceFindings([owner, ...joined])]
}

/** DT1038 for contradictions within a pod, DT1110 for settings that the pod's owner decides. */
export const podFindings = (services: ReadonlyArray<ComposeService>): ReadonlyArray<Diagnostic> =>
  podsOf(services).flatMap(findingsOf)
