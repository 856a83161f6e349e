/**
 * The builder that a command uses: the named one, else the build service of the platform, else the local Docker daemon.
 * A command in a run on the platform has no daemon: the run names the build service if there is one.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { readBuilder } from '../../domain/build/address.ts'
import type { BuildFailure } from '../../domain/build/failure.ts'
import { type Keepalive, readKeepalive } from '../../domain/build/keepalive.ts'
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import { isRun } from '../../domain/platform/run/build-access.ts'
import { pauseAfter } from '../../domain/time/backoff.ts'
import type { Builder, BuilderChoice } from '../../ports/builder.ts'
import type { PlatformLogin, PlatformSaid } from '../../ports/platforms.ts'
import type { Ports } from '../../ports/ports.ts'
import { openCluster } from '../context/open.ts'
import { noneChosen } from '../context/platform-login.ts'
import { chooseBuilder } from './choose-builder.ts'

type BuilderPorts = Pick<Ports, 'builders' | 'clock' | 'clusters' | 'platforms' | 'progress'>

/** A namespace of a platform, which images are built for. */
export type BuildingPlatform = { readonly login: PlatformLogin; readonly namespace: string }

/** `builder`: that of the context. */
export type BuilderRequest = {
  readonly shell: ReadonlyMap<string, string>
  readonly builder?: string | undefined
  readonly platform?: BuildingPlatform | undefined
}

/** Nothing is requested until it connects. */
export type ChosenBuilder = {
  readonly isDocker: boolean
  readonly connect: (signal: AbortSignal) => TE.TaskEither<BuildFailure, Builder>
}

const isNamed = ({ builder = '', shell }: BuilderRequest): boolean =>
  builder !== '' || (shell.get('BUILDKIT_HOST') ?? '') !== ''

const unreachable =
  ({ url }: PlatformLogin) =>
  ({ help, message }: Diagnostic): BuildFailure => ({
    _tag: 'Unreachable',
    address: `the build service of ${url}`,
    cause: message,
    ...defined({ help }),
  })

/** A pod that was killed or moved to another node is ready again within this time. */
const restartMs = 60_000
const pauses = { firstMs: 500, longestMs: 5000 }
const notReady = 'DT6022'

/** `waitsFor`: what to wait for after this failure; `undefined` when waiting does not help. */
const patiently =
  <L, A>(
    { clock, progress }: Pick<BuilderPorts, 'clock' | 'progress'>,
    attempt: TE.TaskEither<L, A>,
    waitsFor: (failure: L) => string | undefined,
    signal: AbortSignal,
  ): TE.TaskEither<L, A> =>
  async () => {
    for (let [failures, waitedMs] = [0, 0]; ; failures += 1) {
      const done = await attempt()
      const what = E.isLeft(done) ? waitsFor(done.left) : undefined
      if (what === undefined || waitedMs >= restartMs || signal.aborted) return done
      if (failures === 0) progress.tell({ _tag: 'Said', text: `waiting for ${what}` })
      const pauseMs = pauseAfter(pauses, failures)
      waitedMs += pauseMs
      await clock.sleep(pauseMs, signal)
    }
  }

/** A certificate is requested for each connection. */
const session = (
  ports: BuilderPorts,
  { login, namespace }: BuildingPlatform,
  signal: AbortSignal,
): TE.TaskEither<Diagnostic, PlatformSaid<'createBuilderSession'>> =>
  patiently(
    ports,
    ports.platforms.send(login, 'createBuilderSession', { params: { namespace } }, signal),
    ({ code, message }) => (code === notReady ? `the build service of ${login.url}: ${message}` : undefined),
    signal,
  )

const serviceOf = (
  ports: BuilderPorts,
  platform: BuildingPlatform,
  keepalive: Keepalive,
  signal: AbortSignal,
): TE.TaskEither<Diagnostic, BuilderChoice> => {
  const { login, namespace } = platform
  if (namespace === '') return TE.left(noneChosen(login.url))
  return pipe(
    session(ports, platform, signal),
    TE.flatMapEither(({ address, authority, certificate, host, key }) => {
      const pod = readBuilder(address, `the platform ${login.url}`)
      if (pod._tag === 'Left') return E.left(pod.left[0])
      const cluster = openCluster(ports)({}, { context: login.url, platform: login }, signal)
      const pem = { ca: authority, cert: certificate, key }
      return E.right({ address: pod.right, keepalive, tls: { pem, serverName: host }, cluster })
    }),
  )
}

const noService: BuildFailure = {
  _tag: 'Missing',
  cause: 'this platform has no build service',
  help: 'install one with `devtool platform install --builder rootless`, name a builder in the variable BUILDKIT_HOST, or build the image in CI',
}

/** Nobody watches a run who would start it again. */
const connectInRun = (
  ports: BuilderPorts,
  choice: BuilderChoice,
  signal: AbortSignal,
): TE.TaskEither<BuildFailure, Builder> => {
  const { address } = choice
  const connect = ports.builders.connect(choice, signal)
  if (address._tag !== 'KubePod') return connect
  return patiently(
    ports,
    connect,
    (failure) => (failure._tag === 'Unreachable' ? `the builder in pod ${address.pod}: ${failure.cause}` : undefined),
    signal,
  )
}

/** Finds DT4020, DT4021. */
export const builderFor =
  (ports: BuilderPorts) =>
  (request: BuilderRequest): Checked<ChosenBuilder> => {
    const { builder, platform, shell } = request
    const isInRun = isRun(shell)
    if (isInRun && !isNamed(request)) return C.ok({ isDocker: false, connect: () => TE.left(noService) })
    if (platform === undefined || isNamed(request)) {
      return C.map(
        (choice: BuilderChoice): ChosenBuilder => ({
          isDocker: choice.address._tag === 'Docker',
          connect: (signal) => (isInRun ? connectInRun(ports, choice, signal) : ports.builders.connect(choice, signal)),
        }),
      )(chooseBuilder(shell, builder))
    }
    return C.map(
      (keepalive: Keepalive): ChosenBuilder => ({
        isDocker: false,
        connect: (signal) =>
          pipe(
            serviceOf(ports, platform, keepalive, signal),
            TE.mapLeft(unreachable(platform.login)),
            TE.flatMap((choice) => ports.builders.connect(choice, signal)),
          ),
      }),
    )(readKeepalive((name) => shell.get(name)))
  }
