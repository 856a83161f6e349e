/** Finds open ports of a pod whose failed check has no other explanation: the program may listen on another port. */
import * as E from 'fp-ts/lib/Either.js'
import { resources } from '../../domain/cluster/resources.ts'
import { type Cause, withOpenPorts } from '../../domain/why/cause.ts'
import type { Target } from '../context/target.ts'

/** The cause, with the open ports found; unchanged when none is open, or without permission to connect. */
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
