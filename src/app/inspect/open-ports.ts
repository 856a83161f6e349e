/** Which ports of a pod accept connections, when its check found nothing: the program listens elsewhere. */
import * as E from 'fp-ts/lib/Either.js'
import { resources } from '../../domain/cluster/resources.ts'
import { type Cause, withOpenPorts } from '../../domain/why/cause.ts'
import type { Target } from '../context/target.ts'

/** The cause with what was found; as it was when nothing answers, or nobody may ask. */
export const findOpenPorts = async (
  { cluster, namespace }: Pick<Target, 'cluster' | 'namespace'>,
  cause: Cause,
  signal: AbortSignal,
): Promise<Cause> => {
  const { closed } = cause
  if (closed === undefined) return cause
  const key = { resource: resources.Pod, namespace, name: closed.pod }
  const states = await Promise.all(
    closed.others.map(async (port) => ({ port, state: await cluster.probePort(key, port, signal)() })),
  )
  const open = states.flatMap(({ port, state }) => (E.isRight(state) && state.right === 'Open' ? [port] : []))
  return withOpenPorts(cause, open)
}
