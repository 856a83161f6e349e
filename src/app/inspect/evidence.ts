/** Evidence for causes: the last lines of a log, and ports that are probed. Limited in number and time. */

import * as E from 'fp-ts/lib/Either.js'
import { resources } from '../../domain/cluster/resources.ts'
import { grouped } from '../../domain/object/grouped.ts'
import { type Cause, logLinesOf } from '../../domain/why/cause.ts'
import { readLog } from '../../domain/why/log.ts'
import type { Relied } from '../../domain/why/ports.ts'
import { readLoop } from '../../domain/why/remark.ts'
import type { CauseWithLog } from '../../domain/why/report.ts'
import type { ServiceState } from '../../domain/why/story.ts'
import type { Clock } from '../../ports/clock.ts'
import { bounded } from '../concurrency/bounded.ts'
import type { Target } from '../context/target.ts'
import { logTail } from '../logs/tail.ts'
import { heldProgram } from './held-program.ts'
import { findOpenPorts } from './open-ports.ts'

type ClusterNamespace = Pick<Target, 'cluster' | 'namespace'>

/** Causes further down are rarely the reason. */
const mostEvidence = 24
/** Healthy services whose logs are read. */
const mostLoops = 24
/** Ports that are probed for listening programs. */
const mostProbes = 32
const atOnce = 8
const longestProbeMs = 3000

const inTime = async <A>(clock: Clock, run: (signal: AbortSignal) => Promise<A>): Promise<A> => {
  const [late, done] = [new AbortController(), new AbortController()]
  void clock.sleep(longestProbeMs, done.signal).then(() => late.abort())
  const result = await run(late.signal)
  done.abort()
  return result
}

const toldOf = async (
  clock: Clock,
  target: ClusterNamespace,
  cause: Cause,
  signal: AbortSignal,
): Promise<CauseWithLog> => {
  const [log, seen] = await Promise.all([logTail(target, clock, cause), findOpenPorts(target, cause, signal)])
  const read = readLog(seen, log)
  const held = await inTime(clock, (own) => heldProgram(target, read, own))
  const told = held === undefined ? read : { ...read, message: `${seen.message}: ${held.message}`, help: held.help }
  return { cause: told, log: logLinesOf(log) }
}

export const causesTold = (
  clock: Clock,
  target: ClusterNamespace,
  causes: ReadonlyArray<Cause>,
): Promise<ReadonlyArray<CauseWithLog>> =>
  inTime(clock, async (signal) => {
    const first = causes.slice(0, mostEvidence)
    const told = await bounded(first, (cause) => toldOf(clock, target, cause, signal), atOnce)
    return [...told, ...causes.slice(mostEvidence).map((cause) => ({ cause, log: [] }))]
  })

const loopTold = async (clock: Clock, target: ClusterNamespace, loop: Cause): Promise<ReadonlyArray<CauseWithLog>> => {
  const log = logLinesOf(await logTail(target, clock, loop))
  const cause = readLoop(loop, log)
  return cause === undefined ? [] : [{ cause, log: log.slice(-3) }]
}

/** Remarks about healthy services, those of their logs included. */
export const remarksTold = async (
  clock: Clock,
  target: ClusterNamespace,
  states: ReadonlyArray<ServiceState>,
): Promise<ReadonlyArray<CauseWithLog>> => {
  const known = states.flatMap(({ remarks }) => remarks.map((cause) => ({ cause, log: [] })))
  const loops = states.flatMap(({ loop }) => loop ?? []).slice(0, mostLoops)
  const said = await bounded(loops, (loop) => loopTold(clock, target, loop), atOnce)
  return [...known, ...said.flat()]
}

/** Whether none of the ports accepts connections; without permission to connect, that is unknown. */
const isSilent = async ({ cluster, namespace }: ClusterNamespace, { cause, ports }: Relied, signal: AbortSignal) => {
  const key = { resource: resources.Pod, namespace, name: cause.closed?.pod ?? '' }
  const states = await Promise.all(ports.map((port) => cluster.probePort(key, port, signal)()))
  return states.every((state) => E.isRight(state) && state.right === 'Refused')
}

/** Causes by workload. */
export const silentPorts = (
  clock: Clock,
  target: ClusterNamespace,
  relied: ReadonlyArray<Relied>,
): Promise<ReadonlyMap<string, ReadonlyArray<Cause>>> =>
  inTime(clock, async (signal) => {
    const asked = relied.slice(0, mostProbes)
    const answers = await bounded(
      asked,
      async (each) => ({ each, isSilent: await isSilent(target, each, signal) }),
      atOnce,
    )
    const silent = answers.flatMap(({ each, isSilent: is }) => (is ? [each] : []))
    return new Map([...grouped(silent, ({ name }) => name)].map(([name, all]) => [name, all.map(({ cause }) => cause)]))
  })
