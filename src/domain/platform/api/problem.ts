/** Failures as answers: `application/problem+json` (RFC 9457) with the code of the diagnostic. */
import * as t from 'io-ts'
import { type Failure, isAbsent, type Refusal, serverWords, showAsked } from '../../cluster/failure.ts'
import type { platformCodes } from '../../diagnostic/codes-platform.ts'
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts'
import { defined } from '../../object/defined.ts'
import { keys } from '../../print/document.ts'

export const Problem = keys(
  {
    title: [t.string, 'what is wrong'],
    status: [t.number, 'the HTTP status'],
    code: [t.string, 'code of the diagnostic, like DT6001'],
  },
  { detail: [t.string, 'what to do about it'] },
)
export type Problem = t.TypeOf<typeof Problem>

export const httpStatuses: Readonly<Record<keyof typeof platformCodes, number>> = {
  DT6001: 401,
  DT6002: 401,
  DT6003: 403,
  DT6004: 404,
  DT6005: 400,
  DT6006: 409,
  DT6007: 429,
  DT6008: 426,
  DT6009: 503,
  DT6010: 405,
  DT6011: 500,
  DT6012: 403,
  DT6021: 404,
  DT6022: 503,
}

/** Every other code is a defect of the server: requests cannot cause it. */
export const problemOf = ({ code, help, message }: Diagnostic): Problem => {
  const status = new Map(Object.entries(httpStatuses)).get(code) ?? 500
  return { title: message, status, code, ...defined({ detail: help }) }
}

export const notThere = (what: string): Diagnostic => error('DT6004', `there is no ${what}`)

/**
 * `cause`: the cluster's message. It is only logged: it names objects and accounts that are none of the caller's
 * business.
 */
type ClusterProblem = Diagnostic & { readonly cause: string }

/** For the log. */
export const causeOf = (finding: Diagnostic): string | undefined =>
  'cause' in finding && typeof finding.cause === 'string' ? finding.cause : undefined

const again = 'try again; if it persists, give the request id to an administrator'

const isEnding = (failure: Refusal): boolean => failure.causes.some(({ reason }) => reason === 'NamespaceTerminating')
const isOverQuota = (failure: Refusal): boolean => /exceeded quota/.test(failure.message)

/**
 * `isUsers`: the request was sent with the user's own permissions, so a refusal means that the user is not permitted.
 */
const refusalProblem = (what: string, failure: Refusal, isUsers: boolean): Diagnostic | undefined => {
  const { reason, status } = failure
  if (status === 409) {
    return error('DT6006', reason === 'AlreadyExists' ? `${what} exists already` : `${what} was changed meanwhile`)
  }
  if (status === 429) return error('DT6007', 'the cluster of the platform is busy', { help: again })
  if (status === 400 || status === 422) return error('DT6005', `the cluster does not accept ${what} as it is`)
  if (status !== 403) return undefined
  if (isEnding(failure)) return error('DT6006', `${what}: the namespace is being deleted`)
  if (isOverQuota(failure)) return error('DT6006', `${what}: the quota of the namespace is used up`)
  return isUsers ? error('DT6003', `your roles do not allow this: ${what}`) : undefined
}

const problem =
  (isUsers: boolean) =>
  (what: string) =>
  (failure: Failure): Diagnostic => {
    if (isAbsent(failure)) return notThere(what)
    const cause = `${showAsked(failure.asked)}: ${serverWords(failure) ?? 'no answer'}`
    const known = failure._tag === 'Refused' ? refusalProblem(what, failure, isUsers) : undefined
    const told =
      known ?? error('DT6009', `the cluster of the platform did not carry this out: ${what}`, { help: again })
    const noted: ClusterProblem = { ...told, cause }
    return noted
  }

/** A request of the platform itself to its cluster failed. `what`: the object that the caller named. */
export const clusterProblem = problem(false)

/** A request with the user's own permissions failed. */
export const userProblem = problem(true)
