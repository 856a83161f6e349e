/**
 * Connects each connection to a pod. Each looks for its own pod, so that connections after a rollout reach the new one.
 */
import { type Failure, failureDiagnostic } from '../../domain/cluster/failure.ts'
import { podFor, portOf, type Route } from '../../domain/forward/route.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ConnectionTarget } from '../../ports/network.ts'
import type { ByteStream } from '../../ports/pods.ts'
import type { Target } from '../context/target.ts'
import type { WatchedPods } from '../watch/pods.ts'

/** `tell` prints each message once, until `over` resets it. */
type ConnectionContext = Pick<Target, 'cluster' | 'namespace'> & {
  readonly clock: Clock
  readonly pods: WatchedPods
  readonly route: Route
  readonly signal: AbortSignal
  readonly tell: (text: string) => void
  readonly over: () => void
}

/** How long a connection waits for a ready pod before it uses one that is merely running. */
const readyMs = 2000
/** How long a connection waits at most, which covers a rollout. */
const patienceMs = 30_000
const pauseMs = 250

/** A refusal by the pod becomes known only after the connection was established. */
const watchEnd = (
  { over, signal, tell }: ConnectionContext,
  what: string,
  { bytes, closed }: ByteStream,
): ByteStream['bytes'] => {
  bytes.once('data', over)
  const say = async (): Promise<void> => {
    const failure = await closed
    if (failure === undefined || failure._tag === 'Aborted' || signal.aborted) return
    tell(`${what}: ${failureDiagnostic(failure).message}`)
  }
  void say()
  return bytes
}

const isHopeless = (failure: Failure): boolean => failure._tag === 'Refused' && failure.status === 403

export const noPod = (service: string): string => `no pod of ${service} is running: waiting for one`

export const connecting =
  (context: ConnectionContext, service: string) =>
  (port: number): ConnectionTarget =>
  async (gone) => {
    const { clock, cluster, namespace, pods, route, signal, tell } = context
    const ends = AbortSignal.any([signal, gone])
    const sinceMs = clock.now()
    const avoided = new Set<string>()
    const late = (ms: number): boolean => clock.now() - sinceMs >= ms
    while (!ends.aborted && !late(patienceMs)) {
      const pod = podFor(route, pods.all(), { avoided, isStrict: !late(readyMs) })
      if (pod === undefined) {
        if (late(readyMs)) tell(noPod(service))
        // A pod that could not be reached before may be back.
        avoided.clear()
        await Promise.race([pods.changed(), clock.sleep(pauseMs, ends)])
        continue
      }
      const { name, uid } = pod.metadata
      const to = portOf(route, pod, port)
      const dialled = await cluster.pods.dial({ namespace, name }, to, ends)()
      if (dialled._tag === 'Right')
        return watchEnd(context, `${service}:${port} (pod ${name}, port ${to})`, dialled.right)
      if (ends.aborted) break
      tell(`pod ${name} cannot be reached: ${failureDiagnostic(dialled.left).message}`)
      if (isHopeless(dialled.left)) break
      avoided.add(uid)
    }
    return undefined
  }
