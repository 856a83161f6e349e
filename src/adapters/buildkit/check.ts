/**
 * Lets the frontend check a Dockerfile without building it. Only a build that is controlled by its client gets the
 * result: Control/Solve without a frontend begins one, and LLBBridge serves it.
 */
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { BuildFailure } from '../../domain/build/failure.ts'
import type { DockerfileLint } from '../../ports/builder.ts'
import { failedCall, failedOf } from './errors.ts'
import { frontendAttrs, noExport } from './exporters.ts'
import { BridgeRequest, BridgeResponse, BridgeReturn, SolveRequest } from './gen/buildkit.ts'
import { readLint } from './lint.ts'
import { showBuilder } from './reach.ts'
import type { RpcService } from './rpc/call.ts'
import type { Rpc, RpcFailure } from './rpc/rpc.ts'
import { openSession } from './session.ts'
import type { Solving } from './solve.ts'
import { strangerAt } from './stranger.ts'
import { settledWithin } from './waits.ts'

/** `service`: what the session serves; it calls `fail` for what it cannot serve. */
type Checking = Omit<Solving, 'service' | 'tell'> & {
  readonly service: (fail: (failure: BuildFailure) => void) => RpcService
}

const longestGoodbyeMs = 2000
const unknown = 2

/** Also works for a frontend named in the syntax line of the Dockerfile. */
const question = [
  ['requestid', 'frontend.lint'],
  ['frontend.caps', 'moby.buildkit.frontend.subrequests+forward'],
] as const

const unsupported: BuildFailure = {
  _tag: 'Unusable',
  what: '--check',
  cause: 'this builder cannot check Dockerfiles; BuildKit can since 0.15, Docker since 27',
}

const failureOf = (failure: RpcFailure, address: string): BuildFailure => {
  switch (failure._tag) {
    case 'Status':
      return /unsupported (?:request|frontend capability)|unknown (?:request|service)|no support for/i.test(
        failure.message,
      )
        ? unsupported
        : failedCall(failure, undefined)
    case 'Broken':
      return { _tag: 'Lost', address, cause: failure.cause }
    case 'Silent':
      return { _tag: 'Silent', address, afterMs: failure.afterMs, isAtStart: failure.isAtStart }
    case 'Cut':
      return failedOf({ code: unknown, message: 'the answer of the builder is too large', details: [] }, undefined)
    case 'Aborted':
      return { _tag: 'Aborted' }
  }
}

const answerIn = (bytes: Uint8Array): E.Either<BuildFailure, DockerfileLint> =>
  E.tryCatch(
    () => readLint(BridgeResponse.decode(bytes).result?.metadata.get('result.json')),
    () => failedOf({ code: unknown, message: 'the answer of the builder cannot be read', details: [] }, undefined),
  )

export const checkDockerfile =
  (
    rpc: Rpc,
    { clock, found, ref, service, session, sharedKey, solve }: Checking,
    signal: AbortSignal,
  ): TE.TaskEither<BuildFailure, DockerfileLint> =>
  async () => {
    if (signal.aborted) return E.left({ _tag: 'Aborted' })
    let unusable: BuildFailure | undefined
    const fail = (failure: BuildFailure): void => {
      unusable ??= failure
    }
    const serving = openSession(rpc, { id: session, sharedKey }, service(fail))
    const ending = new AbortController()
    const begin = SolveRequest.encode(noExport({ ref, session })).finish()
    const build = rpc.unary('/moby.buildkit.v1.Control/Solve', begin, { signal: ending.signal })()
    const asked = BridgeRequest.encode({
      frontend: 'dockerfile.v0',
      frontendOpt: new Map([...frontendAttrs(solve), ...question]),
      allowResultReturn: true,
      allowResultArrayRef: true,
    }).finish()
    const ofBuild = { headers: [['buildkit-controlapi-buildid', ref]], signal } as const
    const refused = build.then((ended) => (E.isLeft(ended) ? ended : new Promise<never>(() => {})))
    try {
      const answer = await Promise.race([
        rpc.unary('/moby.buildkit.v1.frontend.LLBBridge/Solve', asked, ofBuild)(),
        refused,
      ])
      if (E.isRight(answer)) return answerIn(answer.right)
      if (signal.aborted) return E.left({ _tag: 'Aborted' })
      const stranger = answer.left._tag === 'Status' ? await strangerAt(rpc, found, signal) : undefined
      return E.left(stranger ?? unusable ?? failureOf(answer.left, showBuilder(found)))
    } finally {
      // A build that is left without a result counts as failed.
      const nothing = BridgeReturn.encode({ result: { metadata: new Map() } }).finish()
      void rpc.unary('/moby.buildkit.v1.frontend.LLBBridge/Return', nothing, ofBuild)()
      await settledWithin(clock, build, signal.aborted ? 0 : longestGoodbyeMs)
      ending.abort()
      serving.close()
    }
  }
