/** Code shared by the platform's programs: their cluster, their log, and how they end. */
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'
import { homedir } from 'node:os'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { kubeClusters } from '../adapters/kube/clusters.ts'
import { nodeHome } from '../adapters/node-fs/home.ts'
import { nodeWriter } from '../adapters/node-fs/writer.ts'
import { systemClock } from '../adapters/system/clock.ts'
import { clusterClock } from '../app/platform/cluster-clock.ts'
import { type Diagnostic, error } from '../domain/diagnostic/diagnostic.ts'
import { showDiagnostic } from '../domain/diagnostic/show.ts'
import { exitStatus } from '../domain/diagnostic/status.ts'
import { eitherFamily } from '../domain/network/families.ts'
import type { Clock } from '../ports/clock.ts'
import type { Cluster } from '../ports/cluster.ts'
import type { Clusters } from '../ports/clusters.ts'

const { env, stderr, stdout } = process
const cwd = process.cwd()

// The library for OpenID Connect uses `fetch`, which has no such option.
setDefaultAutoSelectFamilyAttemptTimeout(eitherFamily.autoSelectFamilyAttemptTimeout)

const clusters = (): Clusters =>
  kubeClusters({
    cwd,
    env,
    home: homedir(),
    clock: systemClock,
    writer: nodeWriter(cwd),
    store: nodeHome(env, systemClock),
    random: Math.random,
    isTerminal: false,
    say: () => {},
  })

/** The account of the pod, or outside of a cluster the current context of the kubeconfig. */
export const connect = (): TE.TaskEither<Diagnostic, Cluster> => {
  const all = clusters()
  return pipe(
    all.kubeconfig(),
    TE.flatMap(({ current }) =>
      current === undefined
        ? TE.left(error('DT3008', 'the kubeconfig has no current context'))
        : all.connect({ context: current }),
    ),
  )
}

/** Says in the log when the clock of this node differs. */
export const clockOf = (cluster: Cluster): Promise<Clock> =>
  clusterClock(cluster, systemClock, (aheadMs) => () => {
    const [seconds, where] = [Math.round(Math.abs(aheadMs) / 1000), aheadMs < 0 ? 'behind' : 'ahead of']
    const text = `the clock of this node is ${seconds} s ${where} that of the cluster, which is followed`
    log(JSON.stringify({ at: systemClock.date(), kind: 'clock', text }))
  })

export const log = (line: string): void => void stdout.write(`${line}\n`)

export const fail = (failure: Diagnostic): void => {
  stderr.write(`${showDiagnostic(failure, { color: false, line: () => undefined })}\n`)
  process.exitCode = exitStatus([failure])
}

// The first process of a container only gets signals that it handles.
export const ended = new Promise<void>((resolve) => {
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve())
})
