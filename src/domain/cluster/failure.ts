/** Why a request to the API server failed, as data: decisions use it, people read its diagnostic. */
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { defined } from '../object/defined.ts'
import { bounded } from '../text/bounded.ts'

import { admissionHelp } from './admission-help.ts'

/**
 * The request, in RBAC's terms: `verb` is get, list, watch, create, patch, update or delete; `what` is like
 * `Deployment/web`.
 */
export type ApiRequest = { readonly verb: string; readonly what: string; readonly namespace?: string }

/** One cause of a rejection; `field` is a path in the object. */
export type RefusalCause = { readonly reason: string; readonly message: string; readonly field?: string }

/**
 * Unreachable: no response, or an incomplete one; `mayHaveHappened` if the request had been sent. Refused: the server's
 * own Status. Gone: the resourceVersion to continue from is too old (410). Aborted: by our own signal; `last` is what
 * the server said before.
 */
export type Failure = { readonly asked: ApiRequest } & (
  | { readonly _tag: 'Unreachable'; readonly server: string; readonly cause: string; readonly mayHaveHappened: boolean }
  | {
      readonly _tag: 'Refused'
      readonly status: number
      readonly reason: string
      readonly message: string
      readonly causes: ReadonlyArray<RefusalCause>
    }
  | { readonly _tag: 'Gone' }
  | { readonly _tag: 'Aborted'; readonly last?: string }
)

export type Refusal = Extract<Failure, { readonly _tag: 'Refused' }>

/** The name is taken, the object has changed, or fields of it belong to another manager. */
export const isConflict = (failure: Failure): boolean => failure._tag === 'Refused' && failure.status === 409

/** Server-side apply found fields of another manager. */
export const isFieldConflict = (failure: Failure): failure is Refusal & Failure =>
  failure._tag === 'Refused' &&
  failure.status === 409 &&
  failure.causes.some(({ reason }) => reason === 'FieldManagerConflict')

/** A precondition (uid, resourceVersion) failed, or somebody else wrote at the same time. */
export const isStale = (failure: Failure): boolean =>
  failure._tag === 'Refused' && failure.status === 409 && failure.reason === 'Conflict' && !isFieldConflict(failure)

/** Another object has the name by now: server-side apply reports that as an invalid uid. */
export const isOtherUid = (failure: Failure): boolean =>
  failure._tag === 'Refused' && failure.status === 422 && failure.causes.some(({ field }) => field === 'metadata.uid')

/** The request may have succeeded all the same: the response was lost, or came from a proxy. */
export const isUnsure = (failure: Failure): boolean =>
  failure._tag === 'Refused' ? failure.status >= 500 : failure._tag === 'Unreachable' && failure.mayHaveHappened

export const isAbsent = (failure: Failure): boolean => failure._tag === 'Refused' && failure.status === 404

export const isForbidden = (failure: Failure): boolean => failure._tag === 'Refused' && failure.status === 403

export const showAsked = ({ namespace, verb, what }: ApiRequest): string =>
  `${verb} ${what}${namespace === undefined ? '' : ` in namespace ${namespace}`}`

/** What the server, or the network, said in its own words. */
export const serverWords = (failure: Failure): string | undefined => {
  switch (failure._tag) {
    case 'Refused':
      return `${failure.status} ${bounded(failure.message)}`
    case 'Unreachable':
      return failure.cause
    case 'Gone':
    case 'Aborted':
      return undefined
  }
}

const brokenWebhook =
  'a webhook of the cluster does not work: ask who runs it; `kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations` lists them'

const refusalDiagnostic = (failure: Refusal & Failure): Diagnostic => {
  const { asked, reason, status } = failure
  const message = bounded(failure.message)
  if (status === 401) {
    const why = reason === 'NoCredentials' ? `: ${message}` : ''
    return error('DT3002', `the cluster did not accept the credentials (${showAsked(asked)})${why}`, {
      help: 'they may have expired: log in again, or select another context with --context',
    })
  }
  const refused = status === 403 ? admissionHelp(failure.message, asked.namespace) : undefined
  if (status === 403 && refused === undefined) {
    return error('DT3003', `not allowed to ${showAsked(asked)}: ${message}`, {
      help: 'ask a cluster administrator for this permission; the role "edit" in the namespace covers all that devtool needs',
    })
  }
  if (status === 404 && asked.what !== '' && reason === 'NotFound') {
    return error('DT3005', `cannot ${showAsked(asked)}: ${message}`)
  }
  if (status === 429 || status >= 500) {
    const what = status === 429 || status === 503 ? 'is too busy' : 'failed'
    return error('DT3004', `the API server ${what}: ${showAsked(asked)} returned ${status} ${message}`, {
      help: /failed calling webhook "/.test(message) ? brokenWebhook : 'run the same command again to continue',
    })
  }
  return error('DT3006', `the API server rejected the request to ${showAsked(asked)}: ${message}`, {
    ...defined({ help: refused }),
  })
}

const lastText = (last: string | undefined): string =>
  last === undefined ? '' : `; before that the API server responded: ${last}`

/**
 * DT3001 no response, DT3002 credentials, DT3003 permissions, DT3004 overload, DT3005 not found, DT3006 rejected,
 * DT3007 interrupted.
 */
export const failureDiagnostic = (failure: Failure): Diagnostic => {
  switch (failure._tag) {
    case 'Unreachable':
      return error('DT3001', `the API server ${failure.server} cannot be reached: ${failure.cause}`, {
        help: 'check the context with `devtool context show`, and that the cluster is running',
      })
    case 'Refused':
      return refusalDiagnostic(failure)
    case 'Gone':
      return error('DT3004', `the API server no longer has what ${showAsked(failure.asked)} went on from`)
    case 'Aborted':
      return error('DT3007', `${showAsked(failure.asked)} was interrupted${lastText(failure.last)}`)
  }
}
