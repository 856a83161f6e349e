/**
 * The mirror: a Deployment with one pod like those of the original, in which one container is developed. What the
 * section does not name is as in the original.
 */
import { at, isObject, type Json, type JsonObject, listAt, numberAt, objectAt, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import {
  HOSTNAME_LABEL,
  KEYS_ANNOTATION,
  MIRROR_LABEL,
  NOWHERE_LABEL,
  TEMPLATE_HASH_ANNOTATION,
} from '../k8s/labels.ts'
import { defined } from '../object/defined.ts'
import { sha256 } from '../text/sha256.ts'
import { type AgentSettings, isContainerNamed, withAgent } from './agent-pod.ts'
import {
  claimMounts,
  externalMounts,
  hasClaim,
  type Mounting,
  secretMounts,
  sharedMounts,
  together,
} from './mirror-claims.ts'
import { withoutConfigs } from './mounts.ts'
import { agentFilesName, upLabels } from './names.ts'
import { developedIn, keptOf, type Overriding, placedIn, podOf, resourcesOf, serviceIn, textsOf } from './overrides.ts'
import type { MirrorRecipe } from './recipe.ts'
import type { DevRecord } from './record.ts'
import { podMetadataOf, podSpecOf } from './workload.ts'

export type MirrorGiven = MirrorRecipe & {
  readonly record: Pick<DevRecord, 'container' | 'isFilling' | 'main' | 'mirror' | 'port'>
  readonly original: ClusterObject
}

const mountingOf = ({ dev, record, secrets, service }: MirrorGiven): Mounting =>
  service === undefined
    ? together([
        claimMounts(dev, record.mirror),
        externalMounts(dev),
        dev.mode === 'hybrid' ? { volumes: [], mounts: [] } : secretMounts(secrets, record.mirror),
      ])
    : sharedMounts(dev, service, record.main)

const agentOf = ({ agentImage, dev, record }: MirrorGiven): AgentSettings => {
  const resources = resourcesOf(dev.initContainer.resources)
  return {
    image: dev.initContainer.image?.value ?? agentImage,
    files: agentFilesName(record.mirror),
    keys: record.mirror,
    port: record.port,
    keeps: keptOf(dev),
    ...(Object.keys(resources).length === 0 ? {} : { resources }),
  }
}

/** Gives the pod the claims that the first pod of a StatefulSet has left, and that pod's name. */
const asFirstPod = ({ original }: MirrorGiven, pod: JsonObject): JsonObject => {
  if (original.kind !== 'StatefulSet') return pod
  const name = firstPodName(original)
  const claims = listAt(original, 'spec', 'volumeClaimTemplates').flatMap((template): ReadonlyArray<JsonObject> => {
    const claim = textAt(template, 'metadata', 'name')
    return claim === undefined ? [] : [{ name: claim, persistentVolumeClaim: { claimName: `${claim}-${name}` } }]
  })
  const own = new Set(claims.map((claim) => claim['name']))
  const others = listAt(pod, 'volumes').filter((volume) => !own.has(textAt(volume, 'name')))
  return {
    ...pod,
    hostname: name,
    ...defined({ subdomain: textAt(original, 'spec', 'serviceName') }),
    volumes: [...others, ...claims],
  }
}

const firstOrdinal = (original: ClusterObject): number => numberAt(original, 'spec', 'ordinals', 'start') ?? 0

const firstPodName = (original: ClusterObject): string => `${original.metadata.name}-${firstOrdinal(original)}`

/** A pod of a Deployment has no deadline; the node selector of a stopped DaemonSet would match no node. */
const running = ({ activeDeadlineSeconds: _deadline, nodeSelector, ...pod }: JsonObject): JsonObject => {
  const nodes = Object.entries(isObject(nodeSelector) ? nodeSelector : {}).filter(([label]) => label !== NOWHERE_LABEL)
  return {
    ...pod,
    ...(nodes.length === 0 ? {} : { nodeSelector: Object.fromEntries(nodes) }),
    restartPolicy: 'Always',
  }
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution'

/** With a claim for a single node, services that share it run on the node of the development container. */
const besideMain = ({ dev, record, service }: MirrorGiven, pod: JsonObject): JsonObject => {
  const { accessMode } = dev.persistentVolume
  const isBound = accessMode === 'ReadWriteOnce' || accessMode === 'ReadWriteOncePod'
  if (service === undefined || !isBound || sharedMounts(dev, service, record.main).mounts.length === 0) return pod
  const affinity = objectAt(pod, 'affinity')
  const near = objectAt(affinity, 'podAffinity')
  const term = { labelSelector: { matchLabels: { [MIRROR_LABEL]: record.main } }, topologyKey: HOSTNAME_LABEL }
  return { ...pod, affinity: { ...affinity, podAffinity: { ...near, [REQUIRED]: [...listAt(near, REQUIRED), term] } } }
}

const hasOtherClaims = (pod: JsonObject): boolean =>
  listAt(pod, 'volumes').some((volume) => at(volume, 'persistentVolumeClaim') !== undefined)

/**
 * Lets a user other than root write to the claim. Not when the pod mounts other claims, whose files would be changed
 * too.
 */
const writable = ({ dev, record }: MirrorGiven, pod: JsonObject): JsonObject => {
  if (!hasClaim(dev) || hasOtherClaims(pod) || numberAt(pod, 'securityContext', 'fsGroup') !== undefined) return pod
  const container = listAt(pod, 'containers').find(isContainerNamed(record.container))
  const user = numberAt(container, 'securityContext', 'runAsUser') ?? numberAt(pod, 'securityContext', 'runAsUser')
  if (user === undefined || user === 0) return pod
  const own = objectAt(pod, 'securityContext')
  return { ...pod, securityContext: { ...own, fsGroup: user } }
}

const withVolumes = (pod: JsonObject, { volumes }: Mounting): JsonObject =>
  volumes.length === 0 ? pod : { ...pod, volumes: [...listAt(pod, 'volumes'), ...volumes] }

/** `undefined` when the original has no such container. */
const podIn = (given: MirrorGiven): JsonObject | undefined => {
  const { dev, environment, image, original, record, service } = given
  const mounting = mountingOf(given)
  const over: Overriding = { environment, mounts: mounting.mounts, ...defined({ image }) }
  const first = asFirstPod(given, running(podSpecOf(original)))
  const change = (container: JsonObject): JsonObject =>
    service === undefined
      ? developedIn(dev.mode === 'hybrid' ? container : withoutConfigs(first, container, dev.folders), dev, over)
      : serviceIn(container, service, over)
  const containers = listAt(first, 'containers').map((one) =>
    isContainerNamed(record.container)(one) ? change(one) : one,
  )
  const changed = { ...first, containers }
  if (service !== undefined) return withVolumes(besideMain(given, placedIn(changed, service)), mounting)
  const pod = dev.mode === 'hybrid' ? changed : writable(given, podOf(placedIn(changed, dev), dev))
  const filled = record.isFilling ? claimMounts(dev, record.mirror).mounts : []
  return withAgent(withVolumes(pod, mounting), record.container, agentOf(given), filled)
}

const isOfJob = (label: string): boolean =>
  label.startsWith('batch.kubernetes.io/') || label === 'job-name' || label === 'controller-uid'

const withoutJob = (labels: Json | undefined): JsonObject =>
  isObject(labels) ? Object.fromEntries(Object.entries(labels).filter(([label]) => !isOfJob(label))) : {}

const firstPodLabels = (original: ClusterObject): JsonObject =>
  original.kind === 'StatefulSet'
    ? {
        'statefulset.kubernetes.io/pod-name': firstPodName(original),
        'apps.kubernetes.io/pod-index': String(firstOrdinal(original)),
      }
    : {}

const metadataIn = ({ dev, keys, original, record, service }: MirrorGiven): JsonObject => {
  const { annotations, labels } = podMetadataOf(original)
  const section = service ?? dev
  return {
    labels: {
      ...withoutJob(labels),
      ...firstPodLabels(original),
      ...textsOf(section.labels),
      ...upLabels(record.mirror),
    },
    annotations: {
      ...(isObject(annotations) ? annotations : {}),
      'kubectl.kubernetes.io/default-container': record.container,
      ...textsOf(section.annotations),
      // The agent reads its keys only once, so new keys need a new pod.
      ...(service === undefined ? { [KEYS_ANNOTATION]: keys } : {}),
    },
  }
}

/** The template of its pod; `undefined` when the original has no such container any more. */
export const templateOf = (given: MirrorGiven): JsonObject | undefined => {
  const spec = podIn(given)
  return spec === undefined ? undefined : { metadata: metadataIn(given), spec }
}

/** The same hash for equal templates. */
export const templateHash = (template: JsonObject): string => sha256(JSON.stringify(template))

/** The whole Deployment, owned by the record. */
export const mirrorOf = (
  { dev, record, service }: MirrorGiven,
  template: JsonObject,
  owner: JsonObject,
): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: record.mirror,
    labels: upLabels(record.mirror),
    annotations: { ...textsOf((service ?? dev).annotations), [TEMPLATE_HASH_ANNOTATION]: templateHash(template) },
    ownerReferences: [owner],
  },
  spec: {
    replicas: service?.replicas?.value ?? 1,
    revisionHistoryLimit: 1,
    strategy: { type: 'Recreate' },
    selector: { matchLabels: { [MIRROR_LABEL]: record.mirror } },
    template,
  },
})
