/** The controller with its probes and counters. */
import type { ClusterPage } from '../adapters/api-server/listen.ts'
import { control } from '../app/platform/controller/controller.ts'
import { leading } from '../app/platform/controller/leading.ts'
import { defined } from '../domain/object/defined.ts'
import type { RunPrograms } from '../domain/platform/run/request.ts'
import { usualLimits } from '../domain/platform/run/schedule.ts'
import type { Clock } from '../ports/clock.ts'
import type { Cluster } from '../ports/cluster.ts'

/**
 * `write`: writes a line to the log. `maxRuns`: how many runs of all namespaces may be under way. `sleepAfterSeconds`:
 * after how long idle namespaces sleep; absent: never. `hasBuilder`: whether the platform has a build service.
 */
export type ControlOptions = {
  readonly cluster: Cluster
  readonly clock: Clock
  readonly programs: RunPrograms
  readonly holder: string
  readonly write: (line: string) => void
  readonly maxRuns?: number
  readonly sleepAfterSeconds?: number
  readonly hasBuilder?: boolean
}

type RunningController = { readonly page: ClusterPage; readonly stop: () => Promise<void> }

export const runController = (options: ControlOptions): RunningController => {
  const {
    clock,
    cluster,
    hasBuilder,
    holder,
    maxRuns = usualLimits.cluster,
    programs,
    sleepAfterSeconds,
    write,
  } = options
  const stopped = new AbortController()
  const acts = new Map<string, number>()
  let isLeader = false
  const note = (kind: string, text: string): void => write(JSON.stringify({ at: clock.date(), kind, text }))
  const ended = leading({ cluster, clock, holder, note }, stopped.signal, async (lock, signal) => {
    isLeader = true
    const mayWrite = async (): Promise<boolean> => (await lock.check()) === undefined && !signal.aborted
    const count = (act: string): void => void acts.set(act, (acts.get(act) ?? 0) + 1)
    const limits = { ...usualLimits, cluster: maxRuns }
    const told = defined({ sleepAfterSeconds, hasBuilder })
    const world = { cluster, clock, holder, programs, limits, mayWrite, note, count, ...told }
    await control(world, signal)
    isLeader = false
  })
  const metrics = (): string =>
    [
      '# TYPE devtool_controller_leader gauge\n',
      `devtool_controller_leader ${isLeader ? 1 : 0}\n`,
      '# TYPE devtool_controller_acts_total counter\n',
      ...[...acts].map(([act, number]) => `devtool_controller_acts_total{act="${act}"} ${number}\n`),
      '# TYPE process_resident_memory_bytes gauge\n',
      `process_resident_memory_bytes ${process.memoryUsage.rss()}\n`,
    ].join('')
  return {
    page: (path) => {
      if (path === '/livez' || path === '/readyz') return { isWell: true, text: 'ok\n' }
      return path === '/metrics' ? { isWell: true, text: metrics() } : undefined
    },
    stop: async () => {
      stopped.abort()
      await ended
      note('end', 'stopped')
    },
  }
}
