/**
 * Images that cannot be pulled. Kubernetes has one reason for every failure, so the runtime's message has to tell them
 * apart.
 */

import type { ClusterObject } from '../cluster/live.ts'
import type { Code } from '../diagnostic/codes.ts'
import { ifDefined } from '../object/defined.ts'
import type { ContainerState } from '../rollout/pod.ts'
import type { Cause } from './cause.ts'
import { causeOf, describe, evidence, type Finding, newest, PATIENCE_MS, type Scene } from './scene.ts'

const reasons: ReadonlyArray<string> = [
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
]

type PullFault = {
  readonly code: Code
  readonly words: RegExp
  readonly message: (image: string) => string
  readonly help: string
  /** The failure may be temporary. */
  readonly mayHeal?: boolean
}

const diskFull: PullFault = {
  code: 'DT3206',
  words: /no space left on device/i,
  message: (image) => `the disk of the node is full, so the image ${image} cannot be unpacked`,
  help: 'free disk space on the node (unused images, logs), or let the pod run on another node',
  mayHeal: true,
}

/** Runtimes say so as well, of names that only the kubelet accepts. */
const invalid: PullFault = {
  code: 'DT3205',
  words: /invalid reference format/,
  message: (image) => `"${image}" is not a valid image name`,
  help: 'write it as registry/name:tag, in lower case',
}

/** The first match counts: registries often answer "not found" for missing permissions as well. */
const faults: ReadonlyArray<PullFault> = [
  invalid,
  diskFull,
  {
    code: 'DT3203',
    words: /no match for platform|no matching manifest for|does not match the specified platform|exec format error/i,
    message: (image) => `the image ${image} is built for an architecture other than that of the node`,
    help: 'build it for that platform as well, or choose other nodes with x-node-selector',
  },
  {
    code: 'DT3206',
    words: /manifest\.v1\+prettyjws|schema ?1 (?:image )?manifest/i,
    message: (image) => `the image ${image} has a manifest of the old format (schema 1), which nodes no longer read`,
    help: 'rebuild it with a current builder, and push it',
  },
  {
    code: 'DT3204',
    words: /toomanyrequests|too many requests|\b429\b/i,
    message: (image) => `the registry limits pulls of ${image}: too many requests`,
    help: 'wait, or pull with an account (an image pull secret in the namespace)',
    mayHeal: true,
  },
  {
    code: 'DT3202',
    words:
      /pull access denied|unauthorized|authentication required|no basic auth credentials|insufficient_scope|authorization failed|access denied|denied:|\b40[13]\b|forbidden/i,
    message: (image) => `the registry does not allow the cluster to pull ${image}`,
    help: 'check the name (some registries answer this way for unknown images); a private image needs an image pull secret in the namespace, named by the service account',
  },
  {
    code: 'DT3204',
    words:
      /dial tcp|no such host|i\/o timeout|connection refused|connection reset|no route to host|x509:|tls: |TLS handshake|server gave HTTP response|context deadline exceeded|unexpected EOF|\b50[0-9]\b/i,
    message: (image) => `the node cannot reach the registry of ${image}`,
    help: 'check the name of the registry, and that the nodes can reach it and trust its certificate',
    mayHeal: true,
  },
  {
    code: 'DT3201',
    words: /not found|manifest unknown|name unknown|does not exist|no such image/i,
    message: (image) => `the image ${image} is not in its registry`,
    help: 'check the name and the tag, and that it was pushed',
  },
]

const never: PullFault = {
  code: 'DT3201',
  words: /./,
  message: (image) => `the image ${image} is not on the node, and the pull policy is Never`,
  help: 'load the image into the nodes, or use another pull_policy',
}

const unknown: PullFault = {
  code: 'DT3206',
  words: /./,
  message: (image) => `the image ${image} cannot be pulled`,
  help: 'see the events of the node',
}

const faultOf = (reason: string, image: string, text: string): PullFault => {
  if (reason === 'InvalidImageName') return invalid
  if (reason === 'ErrImageNeverPull') return never
  const words = text.replaceAll(image, '')
  return faults.find((fault) => fault.words.test(words)) ?? unknown
}

/** A pull that needs credentials fails when the Secret with them does not exist. */
const sayNoSecret = (scene: Scene, pod: ClusterObject): Pick<Finding, 'message' | 'help'> | undefined => {
  const said = newest(scene, pod, ({ reason }) => reason === 'FailedToRetrieveImagePullSecret')
  const [, names] = /image pull secrets \(([^()]{1,500})\)/.exec(said?.message ?? '') ?? []
  return names === undefined
    ? undefined
    : {
        message: `: the image pull secret ${names} does not exist`,
        help: `create it in the namespace ${scene.namespace} (kubectl create secret docker-registry), or correct its name in the service account`,
      }
}

/** After a failure that may be temporary the node tries again, so it is final only after a while. */
export const imageCauses = (scene: Scene, pod: ClusterObject, container: ContainerState): ReadonlyArray<Cause> => {
  const { image, waiting } = container
  if (waiting === undefined || !reasons.includes(waiting.reason)) return []
  // Other containers of the pod may wait for other images.
  const said = newest(
    scene,
    pod,
    ({ message }) => /^Failed to (pull|apply|inspect) /.test(message) && message.includes(`"${image}"`),
  )
  const fault = faultOf(waiting.reason, image, `${waiting.message} ${said?.message ?? ''}`)
  const isOld = scene.seenForMs(pod.metadata.uid, `${fault.code} ${container.name}`) >= PATIENCE_MS
  const secret = fault.code === 'DT3202' ? sayNoSecret(scene, pod) : undefined
  const finding: Finding = {
    code: fault.code,
    message: fault.message(image) + (secret?.message ?? ''),
    help: secret?.help ?? fault.help,
    next: describe(scene, pod),
    isFinal: (fault.mayHeal !== true && fault !== unknown) || isOld,
    event: `${waiting.reason}: ${waiting.message}`,
    ...ifDefined(said, evidence),
  }
  return [causeOf(scene, pod, finding)]
}
