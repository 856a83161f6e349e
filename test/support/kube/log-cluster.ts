/**
 * A cluster in memory whose containers write logs with timestamps, can be restarted, and whose streams break when a
 * test requires it.
 */

import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { splitTime } from '../../../src/domain/logs/line.ts'
import { compareMoments, readMoment } from '../../../src/domain/text/moment.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Cluster, LogOptions } from '../../../src/ports/cluster.ts'
import { memoryClock } from '../../memory/clock.ts'
import { type MemoryCluster, memoryCluster } from '../../memory/cluster.ts'

/** Every sleep takes one turn of the event loop. */
export const swiftClock: Clock = {
  ...memoryClock(),
  sleep: () => new Promise((resolve) => setImmediate(resolve)),
}

type Instance = { readonly lines: Array<string>; isEnded: boolean }

/** `write`: lines `TIME text`. `next` restarts the container; each stream breaks after `breakAfter` lines. */
export type LogCluster = {
  readonly cluster: Cluster
  readonly memory: MemoryCluster
  readonly calls: () => number
  readonly write: (pod: string, ...lines: ReadonlyArray<string>) => void
  readonly next: (pod: string) => void
  readonly end: (pod: string) => void
  readonly breakAfter: (lines: number | undefined) => void
}

const selected = (lines: ReadonlyArray<string>, { sinceTime, tail }: LogOptions): ReadonlyArray<string> => {
  const since = readMoment(sinceTime ?? '')
  const recent = lines.filter((line) => {
    const time = readMoment(splitTime(line).time)
    return since === undefined || time === undefined || compareMoments(time, since) >= 0
  })
  return tail === undefined ? recent : recent.slice(Math.max(0, recent.length - tail))
}

const counting = (cluster: Cluster, count: () => void): Cluster => ({
  ...cluster,
  get: (...args) => (count(), cluster.get(...args)),
  list: (...args) => (count(), cluster.list(...args)),
  watch: (...args) => (count(), cluster.watch(...args)),
})

export const logCluster = (): LogCluster => {
  const memory = memoryCluster()
  const instances = new Map<string, Array<Instance>>()
  let [calls, limit]: [number, number | undefined] = [0, undefined]
  const of = (pod: string): Array<Instance> => {
    const known = instances.get(pod) ?? [{ lines: [], isEnded: false }]
    instances.set(pod, known)
    return known
  }
  const logs: Cluster['logs'] = async function* stream(key, options, signal) {
    calls += 1
    const all = of(key.name)
    const instance = options.isPrevious === true ? all.at(-2) : all.at(-1)
    const asked = { verb: 'get the log of', what: `Pod/${key.name}` }
    if (instance === undefined) {
      const failure = {
        _tag: 'Refused',
        asked,
        status: 400,
        reason: 'BadRequest',
        message: 'none',
        causes: [],
      } as const
      yield { _tag: 'Failed', failure }
      return
    }
    let sent = 0
    let read = instance.lines.length
    const queue = [...selected(instance.lines, options)]
    for (;;) {
      for (const text of queue.splice(0)) {
        if (limit !== undefined && sent >= limit) {
          const cause = 'the stream was cut off'
          yield { _tag: 'Failed', failure: { _tag: 'Unreachable', asked, server: 's', cause, mayHaveHappened: false } }
          return
        }
        sent += 1
        yield { _tag: 'Line', text }
      }
      if (signal.aborted || !options.follow || (instance.isEnded && read === instance.lines.length)) return
      await new Promise((resolve) => setImmediate(resolve))
      queue.push(...instance.lines.slice(read))
      read = instance.lines.length
    }
  }
  return {
    memory,
    cluster: { ...counting(memory, () => (calls += 1)), logs },
    calls: () => calls,
    write: (pod, ...lines) =>
      of(pod)
        .at(-1)
        ?.lines.push(...lines),
    next: (pod) => {
      const all = of(pod)
      const last = all.at(-1)
      if (last !== undefined) last.isEnded = true
      all.push({ lines: [], isEnded: false })
    },
    end: (pod) => {
      const last = of(pod).at(-1)
      if (last !== undefined) last.isEnded = true
    },
    breakAfter: (lines) => {
      limit = lines
    },
  }
}

type State = 'running' | 'waiting' | 'over'

/** A pod of the environment `shop` with one container, which is named like its service. */
export const podOf = (service: string, name: string, state: State = 'running', restarts = 0): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    namespace: 'demo',
    uid: `uid-${name}`,
    labels: { 'dev.devtool/environment': 'shop', 'dev.devtool/service': service },
  },
  spec: { restartPolicy: state === 'over' ? 'Never' : 'Always', containers: [{ name: service }] },
  status: {
    phase: 'Running',
    containerStatuses: [
      {
        name: service,
        restartCount: restarts,
        state:
          state === 'running' ? { running: {} } : state === 'over' ? { terminated: { exitCode: 0 } } : { waiting: {} },
        ...(restarts > 0 || state === 'waiting' ? { lastState: { terminated: { exitCode: 1 } } } : {}),
      },
    ],
  },
})
