/** Containers whose configuration is missing: Secrets, ConfigMaps and their keys, and users that are not allowed. */
import type { ClusterObject } from '../cluster/live.ts'
import type { ContainerState } from '../rollout/pod.ts'
import type { Cause } from './cause.ts'
import { causeOf, describe, kubectl, nameOf, type Scene, wasTriedAgain } from './scene.ts'

export type Missing = { readonly message: string; readonly help: string; readonly next?: ReadonlyArray<string> }

/** `holder`: Secret or ConfigMap. */
export const withoutKey = (scene: Scene, key: string, holder: string, name: string): Missing => ({
  message: `the ${holder} ${name} has no key ${key}`,
  help: 'add the key, or correct its name',
  next: kubectl(scene, 'describe', holder.toLowerCase(), name),
})

const rootHelp = 'set a numeric user other than 0, or allow root'

/** What is missing, taken from the kubelet's message. */
export const missingIn = (scene: Scene, text: string): Missing | undefined => {
  const [, kind, name] = /\b(secret|configmap) "([^"]+)" not found/i.exec(text) ?? []
  if (kind !== undefined && name !== undefined) {
    const called = kind.toLowerCase() === 'secret' ? 'Secret' : 'ConfigMap'
    return {
      message: `the ${called} ${name} does not exist`,
      help: `create it in the namespace ${scene.namespace}, or correct its name`,
      next: kubectl(scene, 'get', `${called.toLowerCase()}s`),
    }
  }
  const [, key, holder, path] = /couldn't find key (\S+) in (Secret|ConfigMap) (\S+)/.exec(text) ?? []
  if (key !== undefined && holder !== undefined && path !== undefined) {
    return withoutKey(scene, key, holder, path.slice(path.indexOf('/') + 1))
  }
  const [, user] = /image has non-numeric user \(([^()]{1,100})\)/.exec(text) ?? []
  if (user !== undefined) {
    return {
      message: `the pod must not run as root, and the image gives its user by name (${user}) instead of by number`,
      help: 'set the number with `user` ("1000:1000"), or in the Dockerfile (USER 1000)',
    }
  }
  if (/runAsNonRoot/.test(text)) {
    return { message: 'the pod must not run as root, and the image does', help: rootHelp }
  }
  return undefined
}

/** The kubelet's message without the pod's name and uid. */
const plain = (text: string): string => text.replace(/ \(pod: .*/, '')

export const configCauses = (scene: Scene, pod: ClusterObject, container: ContainerState): ReadonlyArray<Cause> => {
  const { waiting } = container
  if (waiting?.reason !== 'CreateContainerConfigError') return []
  const missing = missingIn(scene, waiting.message)
  const finding = {
    code: 'DT3216',
    message: missing?.message ?? `${nameOf(scene, container)} cannot be created: ${plain(waiting.message)}`,
    help: missing?.help ?? 'correct what it refers to',
    next: missing?.next ?? describe(scene, pod),
    // A node whose cache is not yet up to date is not a configuration error.
    isFinal: !/failed to sync|timed out/.test(waiting.message) && wasTriedAgain(scene, pod, container),
    event: `${waiting.reason}: ${plain(waiting.message)}`,
  } as const
  return [causeOf(scene, pod, finding)]
}
