/** A connected builder, shared by all builds. */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { proxyCredentials } from '../../domain/build/docker-proxies.ts'
import type { BuildFailure } from '../../domain/build/failure.ts'
import type { Solve, Solved } from '../../domain/build/solve.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Builder } from '../../ports/builder.ts'
import type { Credentials } from '../../ports/credentials.ts'
import type { Daemon } from '../docker/link.ts'
import { kindOf } from './exporters.ts'
import type { Tell } from './follow.ts'
import type { ReachedBuilder } from './reach.ts'
import type { Rpc } from './rpc/rpc.ts'
import { type Offers, servicesOf } from './services.ts'
import { sharedKeyOf } from './session.ts'
import { type ExportedImage, runSolve } from './solve.ts'

/** `local`: the daemon of this machine, to load images into. */
type About = {
  readonly found: ReachedBuilder
  readonly local?: () => E.Either<BuildFailure, Daemon>
  /** Build arguments of every build, unless a build sets them. */
  readonly proxies?: ReadonlyMap<string, string>
  readonly offers: Offers
  readonly hostname: string
  readonly newId: () => string
}

/** `undefined` when the builder is not in a Docker daemon. */
const daemonOf = ({ found, offers: { clock, env } }: About): Daemon | undefined =>
  found._tag === 'Docker' ? { clock, host: found.host, env } : undefined

const digestForm = /^sha256:[0-9a-f]{64}$/

const digestIn = (exported: ExportedImage, name: string): string | undefined => {
  const digest = exported.get(name)
  return digest !== undefined && digestForm.test(digest) ? digest : undefined
}

const solvedOf = (exported: ExportedImage, docker: Daemon | undefined): Solved => {
  const configDigest = digestIn(exported, 'containerimage.config.digest')
  const digest = digestIn(exported, 'containerimage.digest') ?? (docker === undefined ? undefined : configDigest)
  return defined({ digest, configDigest })
}

/** Requests that the Docker daemon would refuse only after the build, or with an obscure message. */
const refusalOf = ({ cacheExports }: Solve, { found }: About): BuildFailure | undefined => {
  const other = found._tag !== 'Docker' ? undefined : cacheExports.find(({ type }) => type !== 'inline')
  if (other === undefined) return undefined
  return {
    _tag: 'Unusable',
    what: `--export-cache type=${other.type}`,
    cause: 'the Docker daemon exports cache only within images',
    help: 'use type=inline, or set BUILDKIT_HOST to a BuildKit of its own',
  }
}

/**
 * The image has all its names in the store by now. The digest of its manifest is known once the first name is pushed.
 */
const pushAll =
  (
    docker: Daemon,
    { names }: Solve,
    credentials: Credentials,
    tell: Tell,
    signal: AbortSignal,
  ): TE.TaskEither<BuildFailure, Pick<Solved, 'digest'>> =>
  async () => {
    const { pushImage } = await import('../docker/push.ts')
    let digest: string | undefined
    for (const name of names) {
      const pushed = await pushImage(docker, name, credentials, tell, signal)()
      if (E.isLeft(pushed)) return pushed
      digest ??= pushed.right.digest
    }
    return E.right(defined({ digest }))
  }

/** Arguments of the image take precedence. */
const withProxies = (solve: Solve, proxies: ReadonlyMap<string, string>): Solve => ({
  ...solve,
  frontend: new Map([...[...proxies].map(([name, value]) => [`build-arg:${name}`, value] as const), ...solve.frontend]),
})

/** A builder in the daemon has loaded the image by building it. */
const daemonFor = (
  { output }: Solve,
  { found, local }: About,
  signal: AbortSignal,
): TE.TaskEither<BuildFailure, Daemon | undefined> => {
  if (output !== 'Load' || found._tag === 'Docker' || local === undefined) return TE.right(undefined)
  return pipe(
    TE.fromIOEither(local),
    TE.flatMap((daemon) => async () => {
      const { findDaemon } = await import('../docker/load.ts')
      return findDaemon(daemon, signal)()
    }),
  )
}

const solveWith = (
  rpc: Rpc,
  about: About,
  solve: Solve,
  tell: Tell,
  signal: AbortSignal,
): TE.TaskEither<BuildFailure, ExportedImage> => {
  const { found, hostname, newId, offers, proxies = new Map() } = about
  return pipe(
    TE.Do,
    TE.apS('daemon', daemonFor(solve, about, signal)),
    TE.apS(
      'sharedKey',
      TE.fromTask(() => sharedKeyOf(hostname, solve.served)),
    ),
    TE.flatMap(({ daemon, sharedKey }) =>
      runSolve(
        rpc,
        {
          clock: offers.clock,
          found,
          ref: newId(),
          session: newId(),
          sharedKey,
          solve: withProxies(solve, proxies),
          service: (telling, fail) => servicesOf(solve, daemon, offers, telling, fail),
          tell,
        },
        signal,
      ),
    ),
  )
}

const build = (
  rpc: Rpc,
  about: About,
  solve: Solve,
  tell: Tell,
  signal: AbortSignal,
): TE.TaskEither<BuildFailure, Solved> => {
  const refusal = refusalOf(solve, about)
  if (refusal !== undefined) return TE.left(refusal)
  const { offers } = about
  const docker = daemonOf(about)
  const solved = pipe(
    solveWith(rpc, about, solve, tell, signal),
    TE.map((exported) => solvedOf(exported, docker)),
  )
  if (docker === undefined || solve.output !== 'Push') return solved
  return pipe(
    TE.bindTo('solved')(solved),
    TE.bind('pushed', () => pushAll(docker, solve, offers.credentials, tell, signal)),
    TE.map(({ pushed, solved: image }) => ({ ...image, ...pushed })),
  )
}

const check = (
  rpc: Rpc,
  { found, hostname, newId, offers, proxies = new Map() }: About,
  solve: Solve,
  signal: AbortSignal,
): ReturnType<Builder['check']> =>
  pipe(
    TE.fromTask(() => sharedKeyOf(hostname, solve.served)),
    TE.flatMap((sharedKey) => async () => {
      const { checkDockerfile } = await import('./check.ts')
      const checking = {
        clock: offers.clock,
        found,
        ref: newId(),
        session: newId(),
        sharedKey,
        solve: withProxies(solve, proxies),
        service: (fail: (failure: BuildFailure) => void) => servicesOf(solve, undefined, offers, () => {}, fail),
      }
      return checkDockerfile(rpc, checking, signal)()
    }),
  )

export const builderOn = (rpc: Rpc, about: About): Builder => ({
  kind: kindOf(about.found),
  secrets: proxyCredentials(about.proxies ?? new Map()),
  build: (solve, tell, signal) => build(rpc, about, solve, tell, signal),
  check: (solve, signal) => check(rpc, about, solve, signal),
  close: rpc.close,
})
