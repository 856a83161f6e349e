/** Failures as answers: `application/problem+json` (RFC 9457) with the code of the diagnostic. */
import * as t from 'io-ts'
import { type Failure, isAbsent, serverWords, showAsked } from '../../cluster/failure.ts'
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

/** A request of the platform's own to its cluster has failed. `what`: the object that the caller named. */
export const clusterProblem =
  (what: string) =>
  (failure: Failure): Diagnostic => {
    if (isAbsent(failure)) return notThere(what)
    if (failure._tag === 'Refused' && failure.status === 409) {
      return error('DT6006', `${what} exists already, or was changed meanwhile`)
    }
    return error(
      'DT6009',
      `the platform could not ${showAsked(failure.asked)}: ${serverWords(failure) ?? 'no answer'}`,
      {
        help: 'try again; if it persists, give the request id to an administrator',
      },
    )
  }
