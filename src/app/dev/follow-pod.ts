/** Follows which pod of a development container is the one to connect to. */
import type { ClusterObject, Observed } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { mirrorPod, startedIn } from '../../domain/dev/mirror-pod.ts'
import type { LinkedPod } from '../../domain/dev/session.ts'
import { wordsOf } from '../../domain/rollout/detail.ts'
import { type Informing, inform } from '../watch/informer.ts'

/** `pods`: labels that only its pods have, as `a=b,c=d`. */
type FollowedPods = { readonly namespace: string; readonly pods: string; readonly container: string }

/** `pods`: all of them. `waits`: why the next one does not run yet. */
type Followed = {
  readonly pod: () => LinkedPod | undefined
  readonly pods: () => ReadonlyArray<ClusterObject>
  readonly waits: () => string | undefined
}

/** Of one pod. */
type Events = { readonly known: Map<string, ClusterObject>; readonly over: AbortController }

/** `changed`: an event that may change the pod. */
export const followPod = (
  informing: Informing,
  { container, namespace, pods: labels }: FollowedPods,
  changed: () => void,
): Followed => {
  const pods = new Map<string, ClusterObject>()
  const eventsOf = new Map<string, Events>()
  const events = (): ReadonlyArray<ClusterObject> => [...eventsOf.values()].flatMap(({ known }) => [...known.values()])
  const now = (): LinkedPod | undefined =>
    mirrorPod([...pods.values()], container, new Set(events().flatMap((event) => startedIn(event, container) ?? [])))

  const followEvents = (uid: string): void => {
    const [known, over] = [new Map<string, ClusterObject>(), new AbortController()]
    eventsOf.set(uid, { known, over })
    const put = (event: ClusterObject): void => void known.set(event.metadata.name, event)
    const change = (make: () => void): void => {
      make()
      changed()
    }
    void inform(
      { ...informing, signal: AbortSignal.any([informing.signal, over.signal]) },
      { resource: resources.Event, namespace, fields: `involvedObject.uid=${uid}` },
      {
        see: (event) => change(() => put(event)),
        forget: ({ metadata }) => change(() => known.delete(metadata.name)),
        reset: (all) =>
          change(() => {
            known.clear()
            all.forEach(put)
          }),
        trouble: () => {},
      },
    )
  }

  const podsChanged = (): void => {
    changed()
    for (const [uid, { over }] of eventsOf) {
      if (pods.has(uid)) continue
      eventsOf.delete(uid)
      over.abort()
    }
    // Events are only needed while no container runs.
    if (now() === undefined) for (const uid of pods.keys()) if (!eventsOf.has(uid)) followEvents(uid)
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
  const observed = (): Observed => new Map([['Event', new Map(events().map((event) => [event.metadata.name, event]))]])
  return { pod: now, pods: () => [...pods.values()], waits: () => wordsOf(observed(), next()) }
}
