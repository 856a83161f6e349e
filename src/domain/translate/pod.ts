/** The pod template of a service. */

import type { ComposeService, ServiceNetwork } from '../compose/model.ts'
import type { Mount } from '../compose/volume-model.ts'
import { CONFIG_ANNOTATION } from '../k8s/labels.ts'
import type { PodSpec, PodTemplate } from '../k8s/types.ts'
import { sha256 } from '../text/sha256.ts'
import { affinityOf, spreadOf } from './affinity.ts'
import { containerOf } from './container.ts'
import { labelsOf, type TranslationContext } from './context.ts'
import { type Draft, filled, from, fromWritten, listed, mapped } from './draft.ts'
import { initContainersOf } from './init-containers.ts'
import { annotationsOf } from './metadata.ts'
import { mountedBy } from './mounts.ts'
import { DEFAULT_GRACE_SECONDS } from './pods.ts'
import { podSecurityOf } from './security.ts'

/** The cluster's resolver stays first, so that services can find each other. */
const dnsConfigOf = ({
  nameservers,
  searches,
  options,
}: ServiceNetwork): Draft<PodSpec['dnsConfig'] & object> | undefined =>
  filled({
    nameservers: fromWritten(nameservers),
    searches: fromWritten(searches),
    options: fromWritten(options),
  })

const hostAliasesOf = ({ hostAliases }: ServiceNetwork): Draft<PodSpec['hostAliases'] & object> | undefined =>
  listed(hostAliases.map(({ also = [], at, hostnames, ip }) => from([at, ...also], { ip, hostnames })))

const specOf = (context: TranslationContext, service: ComposeService): Draft<PodSpec> => {
  const { network, placement, kind } = service
  const { containers, volumes } = mountedBy(context, service)
  return {
    enableServiceLinks: false,
    automountServiceAccountToken: false,
    restartPolicy: kind._tag === 'Job' ? from(kind.at, kind.restart) : undefined,
    terminationGracePeriodSeconds: fromWritten(service.graceSeconds) ?? DEFAULT_GRACE_SECONDS,
    hostname: fromWritten(network.hostname),
    subdomain: fromWritten(network.subdomain),
    hostNetwork: fromWritten(network.hostNetwork),
    hostPID: fromWritten(network.hostPid),
    hostIPC: fromWritten(network.hostIpc),
    dnsPolicy: network.hostNetwork === undefined ? undefined : 'ClusterFirstWithHostNet',
    dnsConfig: dnsConfigOf(network),
    hostAliases: hostAliasesOf(network),
    securityContext: podSecurityOf(
      service,
      containers.map((one) => one.service),
    ),
    runtimeClassName: fromWritten(placement.runtimeClass),
    nodeSelector: mapped(annotationsOf(placement.nodeSelector)),
    affinity: affinityOf(context, service),
    topologySpreadConstraints: spreadOf(context, service),
    initContainers: listed(initContainersOf(containers)),
    containers: containers.map(containerOf),
    volumes: listed(volumes),
  }
}

const hashOfMount = ({ configHashes, hostHashes }: TranslationContext, mount: Mount): string | undefined => {
  if (mount._tag === 'Config') return configHashes.get(mount.config)
  return mount._tag === 'HostFiles' ? hostHashes.get(mount.config) : undefined
}

/** One hash of all configs that the pod reads: when it changes, the pods are recreated. */
const configHash = (context: TranslationContext, { mounts }: ComposeService): string | undefined => {
  const hashes = new Set<string>()
  for (const mount of mounts) {
    const hash = hashOfMount(context, mount)
    if (hash !== undefined) hashes.add(hash)
  }
  const [first, ...others] = hashes
  return others.length === 0 ? first : sha256([...hashes].join('\n'))
}

export const podTemplateOf = (context: TranslationContext, service: ComposeService): Draft<PodTemplate> => {
  const hash = configHash(context, service)
  const annotations = new Map(annotationsOf(service.annotations))
  if (hash !== undefined) annotations.set(CONFIG_ANNOTATION, hash)
  const labels = labelsOf(context, service).pod
  return { metadata: { labels, annotations: mapped(annotations) }, spec: specOf(context, service) }
}
