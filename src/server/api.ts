/** The program of the API server: connects to its cluster, serves, and stops at SIGTERM. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { readWebFiles } from '../adapters/api-server/web-files.ts'
import { oidcIdentity } from '../adapters/login/issuer.ts'
import { jweSealing } from '../adapters/login/sealing.ts'
import { x509Certificates } from '../adapters/x509/certificates.ts'
import type { BuilderAccess } from '../app/platform/world.ts'
import { type Diagnostic, error } from '../domain/diagnostic/diagnostic.ts'
import { pages } from '../domain/platform/login/page-routes.ts'
import { type PlatformSettings, readSettings } from '../domain/platform/settings.ts'
import type { Cluster } from '../ports/cluster.ts'
import { clockOf, connect, ended, fail, log } from './program.ts'
import { type RunningApi, serveApi } from './serve.ts'

/** The Service and the Ingress send requests for a while after the pod has begun to terminate. */
const DRAIN_MS = 5000

const { env } = process

/** A kubeconfig names a file, or contains the certificates. */
const pemOf = (authority = ''): string =>
  existsSync(authority) ? readFileSync(authority, 'utf8') : Buffer.from(authority, 'base64').toString()

/** The variable is for trials on a developer's machine. */
const folder = env['DEVTOOL_CONFIG_FOLDER'] || '/etc/devtool'

/** `undefined` when the installation has not set it. */
const fileOf = (path: string): string | undefined => {
  const file = `${folder}/${path}`
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

const settingsFor = ({ authority, server }: Cluster): TE.TaskEither<Diagnostic, PlatformSettings> => {
  const version = process.env['DEVTOOL_VERSION'] ?? '0.0.0'
  const pem = fileOf('cluster-ca/ca.crt') ?? pemOf(authority)
  return TE.fromEither(readSettings((name) => env[name], { version, server, authority: pem }))
}

const secretsFor = (): E.Either<Diagnostic, { readonly clientSecret: string; readonly key: string }> => {
  const [clientSecret, key = ''] = [fileOf('oidc/client-secret'), fileOf('session/key')]
  if (clientSecret === undefined) return E.left(error('DT6011', `there is no ${folder}/oidc/client-secret`))
  // Whoever guesses the key can log in as anybody.
  if (key.length < 32) return E.left(error('DT6011', `${folder}/session/key must have at least 32 characters`))
  return E.right({ clientSecret, key })
}

/** `undefined` when the platform was installed without a build service. */
const builderAccess = (): BuilderAccess | undefined => {
  const [certificate, key] = [fileOf('builder/ca.crt'), fileOf('builder/ca.key')]
  if (certificate === undefined || key === undefined) return undefined
  return { authority: { certificate: `${certificate}\n`, key }, certificates: x509Certificates }
}

const serve = (
  cluster: Cluster,
  settings: PlatformSettings,
  { clientSecret, key }: { readonly clientSecret: string; readonly key: string },
): TE.TaskEither<Diagnostic, RunningApi> =>
  TE.tryCatch(
    async () => {
      const clock = await clockOf(cluster)
      return serveApi({
        cluster,
        settings,
        clock,
        random: { bytes: randomBytes },
        sealing: jweSealing(key, clock),
        builder: builderAccess(),
        identity: (failed) =>
          oidcIdentity({ ...settings.identity, clientSecret, redirect: settings.url + pages.callback.path }, failed),
        web: readWebFiles(join(import.meta.dirname, 'web')),
        ports: { users: 8080, cluster: 9090 },
        write: log,
      })
    },
    (cause) => error('DT6011', `the API server cannot start: ${String(cause)}`),
  )

/** After a failure nothing needs to be closed: the process ends, and is restarted. */
const start = (): TE.TaskEither<Diagnostic, RunningApi> =>
  pipe(
    connect(),
    TE.flatMap((cluster) =>
      pipe(
        settingsFor(cluster),
        TE.bindTo('settings'),
        TE.bind('keys', () => TE.fromEither(secretsFor())),
        TE.flatMap(({ keys, settings }) => serve(cluster, settings, keys)),
        TE.tapError(() => TE.fromIO(() => cluster.close())),
      ),
    ),
  )

const serveUntilEnd = async (running: RunningApi): Promise<void> => {
  await ended
  await running.stop(DRAIN_MS)
}

const main = async (): Promise<void> => {
  const first = await Promise.race([start()(), ended])
  // No requests have been served yet.
  if (first === undefined) return process.exit(0)
  await E.match(async (failure: Diagnostic) => fail(failure), serveUntilEnd)(first)
}

void main()
