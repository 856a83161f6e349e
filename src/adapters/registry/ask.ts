/**
 * Authenticated requests to a registry: answers its challenge (Basic, Bearer), caches what it accepted, and retries
 * once.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Challenge, endOf, readChallenges, type TokenRequest, tokenRequest } from '../../domain/build/token.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Credentials, Tokens } from '../../ports/credentials.ts'
import type { HttpResponse } from '../http/client.ts'
import { denied, interrupted, type RegistryRequest, unreachable, unusable, withoutToken } from './failures.ts'
import type { PathRequest, RegistryOrigin } from './origin.ts'
import { basic } from './tokens.ts'

type AskOptions = {
  readonly clock: Clock
  readonly credentials: Credentials
  readonly tokens: Tokens
  readonly reach: RegistryOrigin
  readonly pauseMs: number
}

/** `from`: another repository, which is read as well. */
type Question = Pick<RegistryRequest, 'host' | 'repository' | 'actions'> & {
  readonly asking: PathRequest
  readonly from?: string
}

/** Responses with 401 and 403 are findings, and so are those of a registry that does not work. */
export type Ask = (question: Question, signal: AbortSignal) => TE.TaskEither<Diagnostic, HttpResponse>

/** The header value, and when it expires. */
type Grant = { readonly authorization: string; readonly endMs: number }

const mostTries = 2

const isPassing = ({ status }: HttpResponse): boolean => status >= 500 || status === 429

const bearer = (challenges: ReadonlyArray<Challenge>): Challenge | undefined =>
  challenges.find(({ scheme }) => scheme === 'bearer')

type Refusal = { readonly because: Diagnostic; readonly mayRepeat: boolean }

export const registryAsk = ({ clock, credentials, pauseMs, reach, tokens }: AskOptions): Ask => {
  const grants = new Map<string, Grant>()
  const keyOf = ({ actions, from = '', host, repository }: Question): string =>
    `${host} ${repository} ${actions} ${from}`
  const grantOf = (question: Question): Grant | undefined => {
    const known = grants.get(keyOf(question))
    return known !== undefined && known.endMs > clock.wallMs() ? known : undefined
  }
  const wantedBy = async ({ actions, host, repository }: Question): Promise<RegistryRequest> => ({
    actions,
    host,
    repository,
    isKnown: (await credentials.of(host)) !== undefined,
  })
  const fetchToken = (
    question: Question,
    request: TokenRequest,
    signal: AbortSignal,
  ): TE.TaskEither<Diagnostic, Grant> =>
    pipe(
      tokens.fetch(request, signal),
      TE.map((token) => ({ authorization: `Bearer ${token.token}`, endMs: endOf(token, clock.wallMs()) })),
      TE.orElse((failure) => async () => E.left(withoutToken(await wantedBy(question), failure))),
    )
  const useBasic =
    (question: Question, isOffered: boolean): TE.TaskEither<Diagnostic, Grant> =>
    async () => {
      const credential = await credentials.of(question.host)
      return !isOffered || credential === undefined || credential.username === ''
        ? E.left(denied(await wantedBy(question)))
        : E.right({ authorization: basic(credential), endMs: Number.POSITIVE_INFINITY })
    }
  const earn = (question: Question, answer: HttpResponse, signal: AbortSignal): TE.TaskEither<Diagnostic, Grant> => {
    const challenges = readChallenges(answer.header('www-authenticate') ?? '')
    const { actions, from, host, repository } = question
    const challenge = bearer(challenges)
    if (challenge === undefined) {
      return useBasic(
        question,
        challenges.some(({ scheme }) => scheme === 'basic'),
      )
    }
    const request = tokenRequest(host, challenge, `repository:${repository}:${actions}`)
    const read = from === undefined ? [] : [`repository:${from}:pull`]
    return request === undefined
      ? TE.left(unusable(host, 'it requires a token but does not say where to get one'))
      : fetchToken(question, { ...request, scopes: [...new Set([...request.scopes, ...read])] }, signal)
  }
  const sendAs = (
    grant: Grant | undefined,
    { asking, host }: Question,
    signal: AbortSignal,
  ): ReturnType<RegistryOrigin> => {
    if (grant === undefined) return reach(host, asking, signal)
    const { authorization } = grant
    return reach(host, { ...asking, headers: { ...asking.headers, authorization } }, signal)
  }
  const judge =
    (question: Question) =>
    (answer: HttpResponse): TE.TaskEither<Refusal, HttpResponse> => {
      const { host } = question
      if (answer.status === 401 || answer.status === 403) {
        return async () => E.left({ because: denied(await wantedBy(question)), mayRepeat: false })
      }
      const because = unusable(host, `status ${answer.status}`)
      return isPassing(answer) ? TE.left({ because, mayRepeat: true }) : TE.right(answer)
    }
  const sendWith = (grant: Grant, question: Question, signal: AbortSignal): TE.TaskEither<Refusal, HttpResponse> =>
    pipe(
      sendAs(grant, question, signal),
      TE.tapIO((answer) => () => {
        if (answer.status !== 401) grants.set(keyOf(question), grant)
      }),
      TE.mapLeft((why) => ({ because: unreachable(question.host, why), mayRepeat: true })),
    )
  const authenticate = (
    question: Question,
    answer: HttpResponse,
    signal: AbortSignal,
  ): TE.TaskEither<Refusal, HttpResponse> =>
    pipe(
      earn(question, answer, signal),
      TE.mapLeft((because) => ({ because, mayRepeat: because.code === 'DT4013' })),
      TE.flatMap((grant) => sendWith(grant, question, signal)),
    )
  const attempt = (question: Question, signal: AbortSignal): TE.TaskEither<Refusal, HttpResponse> =>
    pipe(
      sendAs(grantOf(question), question, signal),
      TE.mapLeft((why) => ({ because: unreachable(question.host, why), mayRepeat: why.because !== 'NotTls' })),
      TE.flatMap((answer) => (answer.status === 401 ? authenticate(question, answer, signal) : TE.right(answer))),
      TE.flatMap(judge(question)),
    )
  return (question, signal) => async () => {
    for (let tries = 1; ; tries += 1) {
      if (signal.aborted) return E.left(interrupted())
      const answer = await attempt(question, signal)()
      if (E.isRight(answer)) return answer
      if (signal.aborted) return E.left(interrupted())
      if (!answer.left.mayRepeat || tries >= mostTries) return E.left(answer.left.because)
      // The caller notices when the pause is cut short.
      await clock.sleep(pauseMs, signal)
    }
  }
}
