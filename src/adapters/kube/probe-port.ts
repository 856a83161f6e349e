/** Whether a port of a pod accepts, asked through a port-forward. Only read: nothing is ever sent. */
import * as E from 'fp-ts/lib/Either.js'
import type { Clock } from '../../ports/clock.ts'
import type { Cluster, PortState } from '../../ports/cluster.ts'
import type { ByteStream, Pods } from '../../ports/pods.ts'
import { askedFor } from './api/paths.ts'

/** A port that refuses says so at once; one that says nothing for so long has accepted. */
const quietMs = 1000

/** Also a port that closes at once accepts nothing. */
const stateOf = async ({ bytes, closed }: ByteStream, clock: Clock): Promise<PortState> => {
  const isDecided = new AbortController()
  const { signal } = isDecided
  const spoke = new Promise<PortState>((resolve) => bytes.once('data', () => resolve('Open')))
  const state = await Promise.race([
    closed.then((): PortState => 'Refused'),
    // The application itself spoke.
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
  async () => {
    const dialled = await pods.dial({ namespace: key.namespace ?? '', name: key.name }, port, signal)()
    if (E.isLeft(dialled)) return dialled
    const state = await stateOf(dialled.right, clock)
    return signal.aborted ? E.left({ _tag: 'Aborted', asked: askedFor('forward ports of', key) }) : E.right(state)
  }
