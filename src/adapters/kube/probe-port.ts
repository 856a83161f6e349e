/** Checks whether a port of a pod accepts connections, through a port-forward. Never sends data. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Failure } from '../../domain/cluster/failure.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Cluster, PortState } from '../../ports/cluster.ts'
import type { ByteStream, Pods } from '../../ports/pods.ts'
import { askedFor } from './api/paths.ts'

/** A refused port is reported at once; silence for this long means that it accepted. */
const quietMs = 1000

/** A port that closes the connection at once counts as refused. */
const stateOf = async ({ bytes, closed }: ByteStream, clock: Clock): Promise<PortState> => {
  const isDecided = new AbortController()
  const { signal } = isDecided
  const spoke = new Promise<PortState>((resolve) => bytes.once('data', () => resolve('Open')))
  const state = await Promise.race([
    closed.then((): PortState => 'Refused'),
    // Data arrived from the application itself.
    spoke,
    clock.sleep(quietMs, signal).then((): PortState => 'Open'),
  ])
  isDecided.abort()
  bytes.destroy()
  return state
}

export const portProbe =
  (pods: Pods, clock: Clock): Cluster['probePort'] =>
  (key, port, signal) =>
    pipe(
      pods.dial({ namespace: key.namespace ?? '', name: key.name }, port, signal),
      TE.flatMapTask((stream) => () => stateOf(stream, clock)),
      TE.filterOrElse(
        () => !signal.aborted,
        (): Failure => ({ _tag: 'Aborted', asked: askedFor('forward ports of', key) }),
      ),
    )
