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
      [ROLE_ANNOTATION]: isAdmin ? 'admin' : 'developer',
      [DISABLED_ANNOTATION]: String(isDisabled),
      [SUBJECT_ANNOTATION]: JSON.stringify(subject),
    },
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
}

export type NewToken = Pick<TokenRecord, 'user' | 'name' | 'scope' | 'expires'>

export const tokenObject = (token: ApiToken, { expires, name, scope, user }: NewToken): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  type: TOKEN_TYPE,
  metadata: {
    name: tokenSecretOf(token.id),
    namespace: USERS_NAMESPACE,
    labels: { [PLATFORM_LABEL]: 'token', [OWNER_LABEL]: user },
  },
  stringData: { hash: hashOf(token), name, scope: showScope(scope), expires },
})

const decoder = new TextDecoder()

const fieldsOf = (secret: ClusterObject): ReadonlyMap<string, string> =>
  new Map([...textsAt(secret, 'data')].map(([name, text]) => [name, decoder.decode(decodeBase64(text))]))

/** `undefined` for a Secret that holds no token. */
export const tokenIn = (secret: ClusterObject): TokenRecord | undefined => {
  const fields = fieldsOf(secret)
  const [hash, expires, user] = [fields.get('hash'), fields.get('expires'), labelOf(secret, OWNER_LABEL)]
  const scope = readScope(fields.get('scope') ?? '')
  const { creationTimestamp: created = '', name, uid } = secret.metadata
  const [, id] = name.split(tokenSecretOf(''))
  if (id === undefined || hash === undefined || expires === undefined || user === undefined || scope === undefined) {
    return undefined
  }
  return { id, uid, user, hash, name: fields.get('name') ?? '', scope, created, expires }
}

/** A date that cannot be read counts as past. `now`: like `2026-11-21T10:00:00Z`. */
export const isExpired = ({ expires }: Pick<TokenRecord, 'expires'>, now: string): boolean => {
  const [end, present] = [readMoment(expires), readMoment(now)]
  return end === undefined || present === undefined || compareMoments(present, end) >= 0
}
