/** Asks a registry as somebody: answers its challenge (Basic, Bearer), keeps what it accepted, and tries again once. */
import { setTimeout as pause } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import { type Challenge, endOf, readChallenges, tokenRequest } from '../../domain/build/token.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { Credentials, Tokens } from '../../ports/credentials.ts'
import type { Answer } from '../http/client.ts'
import { denied, interrupted, unreachable, unusable, type Wanted, withoutToken } from './failures.ts'
import type { Asking, Reach } from './origin.ts'
import { basic } from './tokens.ts'

type Deps = {
  readonly credentials: Credentials
  readonly tokens: Tokens
  readonly reach: Reach
  readonly pauseMs: number
}

type Question = Pick<Wanted, 'host' | 'repository' | 'actions'> & { readonly asking: Asking }

/** Answers with 401 and 403 are findings, and so are those that say that the registry does not work. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<E.Either<Diagnostic, Answer>>

/** The value of the header, and until when it is good. */
type Grant = { readonly authorization: string; readonly endMs: number }

const mostTries = 2

const isPassing = ({ status }: Answer): boolean => status >= 500 || status === 429

const bearer = (challenges: ReadonlyArray<Challenge>): Challenge | undefined =>
  challenges.find(({ scheme }) => scheme === 'bearer')

type Tried = { readonly result: E.Either<Diagnostic, Answer>; readonly mayRepeat: boolean }

export const registryAsk = ({ credentials, pauseMs, reach, tokens }: Deps): Ask => {
  const grants = new Map<string, Grant>()
  const keyOf = ({ actions, host, repository }: Question): string => `${host} ${repository} ${actions}`
  const grantOf = (question: Question): Grant | undefined => {
    const known = grants.get(keyOf(question))
    return known !== undefined && known.endMs > Date.now() ? known : undefined
  }
  const wantedBy = async ({ actions, host, repository }: Question): Promise<Wanted> => ({
    actions,
    host,
    repository,
    isKnown: (await credentials.of(host)) !== undefined,
  })
  const earn = async (
    question: Question,
    answer: Answer,
    signal: AbortSignal,
  ): Promise<E.Either<Diagnostic, Grant>> => {
    const challenges = readChallenges(answer.header('www-authenticate') ?? '')
    const { actions, host, repository } = question
    const challenge = bearer(challenges)
    if (challenge !== undefined) {
      const request = tokenRequest(host, challenge, `repository:${repository}:${actions}`)
      if (request === undefined) return E.left(unusable(host, 'it requires a token but does not say where to get one'))
      const token = await tokens.fetch(request, signal)
      if (E.isLeft(token)) return E.left(withoutToken(await wantedBy(question), token.left))
      return E.right({ authorization: `Bearer ${token.right.token}`, endMs: endOf(token.right, Date.now()) })
    }
    const credential = await credentials.of(host)
    const isBasic = challenges.some(({ scheme }) => scheme === 'basic')
    if (!isBasic || credential === undefined || credential.username === '') {
      return E.left(denied(await wantedBy(question)))
    }
    return E.right({ authorization: basic(credential), endMs: Number.POSITIVE_INFINITY })
  }
  const sendAs = (grant: Grant | undefined, { asking, host }: Question, signal: AbortSignal): ReturnType<Reach> => {
    if (grant === undefined) return reach(host, asking, signal)
    const { authorization } = grant
    return reach(host, { ...asking, headers: { ...asking.headers, authorization } }, signal)
  }
  const attempt = async (question: Question, signal: AbortSignal): Promise<Tried> => {
    const { host } = question
    const first = await sendAs(grantOf(question), question, signal)
    if (E.isLeft(first))
      return { result: E.left(unreachable(host, first.left)), mayRepeat: first.left.because !== 'NotTls' }
    if (first.right.status !== 401) return judged(question, first.right)
    const grant = await earn(question, first.right, signal)
    if (E.isLeft(grant)) return { result: grant, mayRepeat: grant.left.code === 'DT4013' }
    const second = await sendAs(grant.right, question, signal)
    if (E.isLeft(second)) return { result: E.left(unreachable(host, second.left)), mayRepeat: true }
    if (second.right.status !== 401) grants.set(keyOf(question), grant.right)
    return judged(question, second.right)
  }
  const judged = async (question: Question, answer: Answer): Promise<Tried> => {
    const { host } = question
    const isDenied = answer.status === 401 || answer.status === 403
    if (isDenied) return { result: E.left(denied(await wantedBy(question))), mayRepeat: false }
    if (!isPassing(answer)) return { result: E.right(answer), mayRepeat: false }
    return { result: E.left(unusable(host, `status ${answer.status}`)), mayRepeat: true }
  }
  return async (question, signal) => {
    for (let tries = 1; ; tries += 1) {
      if (signal.aborted) return E.left(interrupted())
      const { mayRepeat, result } = await attempt(question, signal)
      if (E.isRight(result)) return result
      if (signal.aborted) return E.left(interrupted())
      if (!mayRepeat || tries >= mostTries) return result
      // A pause that is cut short is noticed above.
      await pause(pauseMs, undefined, { signal }).catch(() => {})
    }
  }
}
