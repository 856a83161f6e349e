/** The program of the API server: connects to its cluster, serves, and stops at SIGTERM. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { kubeClusters } from '../adapters/kube/clusters.ts'
import { nodeHome } from '../adapters/node-fs/home.ts'
import { nodeWriter } from '../adapters/node-fs/writer.ts'
import { systemClock } from '../adapters/system/clock.ts'
import { type Diagnostic, error } from '../domain/diagnostic/diagnostic.ts'
import { showDiagnostic } from '../domain/diagnostic/show.ts'
import { exitStatus } from '../domain/diagnostic/status.ts'
import { type PlatformSettings, readSettings } from '../domain/platform/settings.ts'
import type { Cluster } from '../ports/cluster.ts'
import type { Clusters } from '../ports/clusters.ts'
import { serveApi } from './serve.ts'

/** The Service and the Ingress send requests for a while after the pod has begun to end. */
const DRAIN_MS = 5000

const { env, stderr, stdout } = process
const cwd = process.cwd()

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
const connect = (): TE.TaskEither<Diagnostic, Cluster> => {
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

/** Kubeconfigs name a file, or hold the certificates themselves. */
const pemOf = (authority = ''): string =>
  existsSync(authority) ? readFileSync(authority, 'utf8') : Buffer.from(authority, 'base64').toString()

const settingsFor = ({ authority, server }: Cluster): TE.TaskEither<Diagnostic, PlatformSettings> => {
  const version = process.env['DEVTOOL_VERSION'] ?? '0.0.0'
  return TE.fromEither(readSettings((name) => env[name], { version, server, authority: pemOf(authority) }))
}

const serve = (cluster: Cluster, settings: PlatformSettings): TE.TaskEither<Diagnostic, void> =>
  TE.tryCatch(
    async () => {
      const running = await serveApi({
        cluster,
        settings,
        clock: systemClock,
        random: { bytes: randomBytes },
        ports: { users: 8080, cluster: 9090 },
        write: (line) => void stdout.write(`${line}\n`),
      })
      for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => void running.stop(DRAIN_MS))
    },
    (cause) => error('DT6009', `the API server cannot listen: ${String(cause)}`),
  )

/** Nothing is left open after a failure: the process ends, and is started again. */
const start = (): TE.TaskEither<Diagnostic, void> =>
  pipe(
    connect(),
    TE.flatMap((cluster) =>
      pipe(
        settingsFor(cluster),
        TE.flatMap((settings) => serve(cluster, settings)),
        TE.tapError(() => TE.fromIO(() => cluster.close())),
      ),
    ),
  )

void pipe(
  start(),
  TE.match(
    (failure) => {
      stderr.write(`${showDiagnostic(failure, { color: false, line: () => undefined })}\n`)
      process.exitCode = exitStatus([failure])
    },
    () => {},
  ),
)()
