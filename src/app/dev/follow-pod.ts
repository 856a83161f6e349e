/** Follows which pod of a development container is the one to connect to. */
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { mirrorPod, startedIn } from '../../domain/dev/mirror-pod.ts'
import type { LinkedPod } from '../../domain/dev/session.ts'
import { wordsOf } from '../../domain/rollout/detail.ts'
import { type Informing, inform } from '../watch/informer.ts'

/** `pods`: labels that only its pods have, as `a=b,c=d`. */
type FollowedPods = { readonly namespace: string; readonly pods: string; readonly container: string }

/** `waits`: why the next one does not run yet. */
type Followed = { readonly pod: () => LinkedPod | undefined; readonly waits: () => string | undefined }

/** `changed`: an event that may change the pod. */
export const followPod = (
  informing: Informing,
  { container, namespace, pods: labels }: FollowedPods,
  changed: () => void,
): Followed => {
  const pods = new Map<string, ClusterObject>()
  const started = new Set<string>()
  const now = (): LinkedPod | undefined => mirrorPod([...pods.values()], container, started)

  const start = (event: ClusterObject): void => {
    const uid = startedIn(event, container)
    if (uid !== undefined) started.add(uid)
  }
  const startsSink = {
    see: (event: ClusterObject): void => {
      start(event)
      changed()
    },
    forget: (event: ClusterObject): void => void started.delete(startedIn(event, container) ?? ''),
    reset: (events: ReadonlyArray<ClusterObject>): void => {
      started.clear()
      events.forEach(start)
      changed()
    },
    trouble: () => {},
  }
  let followsStarts = false
  /** Events are only watched while the container does not run yet. */
  const followStarts = (): void => {
    if (followsStarts || now() !== undefined) return
    followsStarts = true
    void inform(informing, { resource: resources.Event, namespace, fields: 'reason=Started' }, startsSink)
  }

  const podsChanged = (): void => {
    changed()
    followStarts()
  }
  void inform(
    informing,
    { resource: resources.Pod, namespace, labels },
    {
      see: (pod) => {
        pods.set(pod.metadata.uid, pod)
        podsChanged()
      },
      forget: (pod) => {
        pods.delete(pod.metadata.uid)
        podsChanged()
      },
      reset: (all) => {
        pods.clear()
        for (const pod of all) pods.set(pod.metadata.uid, pod)
        podsChanged()
      },
      trouble: () => {},
    },
  )
  const next = (): ReadonlyArray<ClusterObject> =>
    [...pods.values()].filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  return { pod: now, waits: () => wordsOf(new Map(), next()) }
}
