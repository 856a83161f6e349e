/** Users and their tokens, as objects in the namespace of users. */
import type { JsonObject } from '../cluster/json.ts'
import { textsAt } from '../cluster/json.ts'
import { annotationOf, type ClusterObject, labelOf } from '../cluster/live.ts'
import {
  DISABLED_ANNOTATION,
  EMAIL_ANNOTATION,
  OWNER_LABEL,
  PLATFORM_LABEL,
  ROLE_ANNOTATION,
  SUBJECT_ANNOTATION,
  TOKEN_TYPE,
} from '../k8s/labels.ts'
import { defined, ifDefined } from '../object/defined.ts'
import { decodeBase64 } from '../text/base64.ts'
import { compareMoments, readMoment } from '../text/moment.ts'
import { tokenSecretOf, USERS_NAMESPACE } from './names.ts'
import { readScope, type Scope, showScope } from './scope.ts'
import { type ApiToken, hashOf } from './token.ts'

/** `isAdmin`: may also administer the platform itself. */
export type PlatformUser = {
  readonly id: string
  readonly email: string
  readonly isAdmin: boolean
  readonly isDisabled: boolean
}

/** From a ServiceAccount of the namespace of users. */
export const userIn = (account: ClusterObject): PlatformUser => ({
  id: account.metadata.name,
  email: annotationOf(account, EMAIL_ANNOTATION) ?? '',
  isAdmin: annotationOf(account, ROLE_ANNOTATION) === 'admin',
  isDisabled: annotationOf(account, DISABLED_ANNOTATION) === 'true',
})

const roleText = (isAdmin: boolean): string => (isAdmin ? 'admin' : 'developer')

/** `subject`: who it is for the issuer, so that an administrator can tell users apart. */
export const userObject = (
  { email, id, isAdmin, isDisabled }: PlatformUser,
  subject: { readonly issuer: string; readonly subject: string },
): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: {
    name: id,
    namespace: USERS_NAMESPACE,
    labels: { [PLATFORM_LABEL]: 'user' },
    annotations: {
      [EMAIL_ANNOTATION]: email,
      [ROLE_ANNOTATION]: roleText(isAdmin),
      [DISABLED_ANNOTATION]: String(isDisabled),
      [SUBJECT_ANNOTATION]: JSON.stringify(subject),
    },
  },
})

/** A change of the account as it was read. */
export const changedUser = (
  { metadata: { resourceVersion } }: ClusterObject,
  { email, isAdmin, isDisabled }: Partial<PlatformUser>,
): JsonObject => ({
  metadata: {
    resourceVersion,
    annotations: defined({
      [EMAIL_ANNOTATION]: email,
      [ROLE_ANNOTATION]: ifDefined(isAdmin, roleText),
      [DISABLED_ANNOTATION]: ifDefined(isDisabled, String),
    }),
  },
})

/** `uid`: of the Secret that holds it. */
export type TokenRecord = {
  readonly id: string
  readonly uid: string
  readonly user: string
  readonly hash: string
  readonly name: string
  readonly scope: Scope
  readonly created: string
  readonly expires: string
  /** Whether a login made it: those give way to newer ones. */
  readonly isOfLogin: boolean
}

export type NewToken = Pick<TokenRecord, 'user' | 'name' | 'scope' | 'expires'> & { readonly isOfLogin?: boolean }

export const tokenObject = (
  token: ApiToken,
  { expires, isOfLogin = false, name, scope, user }: NewToken,
): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  type: TOKEN_TYPE,
  metadata: {
    name: tokenSecretOf(token.id),
    namespace: USERS_NAMESPACE,
    labels: { [PLATFORM_LABEL]: 'token', [OWNER_LABEL]: user },
  },
  stringData: { hash: hashOf(token), name, scope: showScope(scope), expires, login: String(isOfLogin) },
})

const decoder = new TextDecoder()

const fieldsOf = (secret: ClusterObject): ReadonlyMap<string, string> =>
  new Map([...textsAt(secret, 'data')].map(([name, text]) => [name, decoder.decode(decodeBase64(text))]))

/** `undefined` for a Secret that holds no token. */
export const tokenIn = (secret: ClusterObject): TokenRecord | undefined => {
  const fields = fieldsOf(secret)
  const [hash, expires, user] = [fields.get('hash'), fields.get('expires'), labelOf(secret, OWNER_LABEL)]
  const scope = readScope(fields.get('scope') ?? '')
  const isOfLogin = fields.get('login') === 'true'
  const { creationTimestamp: created = '', name, uid } = secret.metadata
  const [, id] = name.split(tokenSecretOf(''))
  if (id === undefined || hash === undefined || expires === undefined || user === undefined || scope === undefined) {
    return undefined
  }
  return { id, uid, user, hash, name: fields.get('name') ?? '', scope, created, expires, isOfLogin }
}

/** A date that cannot be read counts as past. `now`: like `2026-11-21T10:00:00Z`. */
export const isExpired = ({ expires }: Pick<TokenRecord, 'expires'>, now: string): boolean => {
  const [end, present] = [readMoment(expires), readMoment(now)]
  return end === undefined || present === undefined || compareMoments(present, end) >= 0
}
