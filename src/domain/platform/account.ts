/** Users and their tokens, as objects in the namespace of users. */
import type { JsonObject } from '../cluster/json.ts'
import { textsAt } from '../cluster/json.ts'
import { annotationOf, type ClusterObject, labelOf } from '../cluster/live.ts'
import {
  ACTED_ANNOTATION,
  DISABLED_ANNOTATION,
  EMAIL_ANNOTATION,
  EPOCH_ANNOTATION,
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

/** `isAdmin`: may also administer the platform itself. `epoch`: sessions and tokens of another epoch are invalid. */
export type PlatformUser = {
  readonly id: string
  readonly email: string
  readonly isAdmin: boolean
  readonly isDisabled: boolean
  readonly epoch: string
}

/** From a ServiceAccount of the namespace of users. */
export const userIn = (account: ClusterObject): PlatformUser => ({
  id: account.metadata.name,
  email: annotationOf(account, EMAIL_ANNOTATION) ?? '',
  isAdmin: annotationOf(account, ROLE_ANNOTATION) === 'admin',
  isDisabled: annotationOf(account, DISABLED_ANNOTATION) === 'true',
  epoch: annotationOf(account, EPOCH_ANNOTATION) ?? '',
})

const roleText = (isAdmin: boolean): string => (isAdmin ? 'admin' : 'developer')

/** `subject`: their identity at the issuer, by which an administrator can tell users apart. */
export const userObject = (
  { email, epoch, id, isAdmin, isDisabled }: Omit<PlatformUser, 'epoch'> & Partial<PlatformUser>,
  subject: { readonly issuer: string; readonly subject: string },
): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: {
    name: id,
    namespace: USERS_NAMESPACE,
    labels: { [PLATFORM_LABEL]: 'user' },
    annotations: defined({
      [EMAIL_ANNOTATION]: email,
      [ROLE_ANNOTATION]: roleText(isAdmin),
      [DISABLED_ANNOTATION]: String(isDisabled),
      [EPOCH_ANNOTATION]: epoch,
      [SUBJECT_ANNOTATION]: JSON.stringify(subject),
    }),
  },
})

/** The account with changes, to be written only if it is unchanged since it was read. */
export const changedUser = (
  { metadata: { resourceVersion } }: ClusterObject,
  { email, epoch, isAdmin, isDisabled }: Partial<PlatformUser>,
): JsonObject => ({
  metadata: {
    resourceVersion,
    annotations: defined({
      [EMAIL_ANNOTATION]: email,
      [ROLE_ANNOTATION]: ifDefined(isAdmin, roleText),
      [DISABLED_ANNOTATION]: ifDefined(isDisabled, String),
      [EPOCH_ANNOTATION]: epoch,
    }),
  },
})

/** Changes nothing but the resourceVersion. `mark`: a new one each time. */
export const touchedUser = ({ metadata: { resourceVersion } }: ClusterObject, mark: string): JsonObject => ({
  metadata: { resourceVersion, annotations: { [ACTED_ANNOTATION]: mark } },
})

/** `uid`: that of the Secret that holds it. */
export type TokenRecord = {
  readonly id: string
  readonly uid: string
  readonly user: string
  readonly hash: string
  readonly name: string
  readonly scope: Scope
  readonly created: string
  readonly expires: string
  /** Whether a login created it: such tokens give way to newer ones. */
  readonly isOfLogin: boolean
  /** The epoch of the user when it was created. */
  readonly epoch: string
}

export type NewToken = Pick<TokenRecord, 'user' | 'name' | 'scope' | 'expires'> &
  Partial<Pick<TokenRecord, 'isOfLogin' | 'epoch'>>

export const tokenObject = (
  token: ApiToken,
  { epoch = '', expires, isOfLogin = false, name, scope, user }: NewToken,
): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  type: TOKEN_TYPE,
  metadata: {
    name: tokenSecretOf(token.id),
    namespace: USERS_NAMESPACE,
    labels: { [PLATFORM_LABEL]: 'token', [OWNER_LABEL]: user },
  },
  stringData: { hash: hashOf(token), name, scope: showScope(scope), expires, login: String(isOfLogin), epoch },
})

/** Selects the Secrets of tokens. */
export const TOKEN_SELECTOR = `${PLATFORM_LABEL}=token`

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
  const [label, epoch] = [fields.get('name') ?? '', fields.get('epoch') ?? '']
  return { id, uid, user, hash, name: label, scope, created, expires, isOfLogin, epoch }
}

/** A date that cannot be read counts as past. `now`: like `2026-11-21T10:00:00Z`. */
export const isExpired = ({ expires }: Pick<TokenRecord, 'expires'>, now: string): boolean => {
  const [end, present] = [readMoment(expires), readMoment(now)]
  return end === undefined || present === undefined || compareMoments(present, end) >= 0
}

/** Whether a token or session of the user is still valid: not if the user is disabled, nor after all were revoked. */
export const isOfNow = (user: PlatformUser, { epoch }: { readonly epoch: string }): boolean =>
  !user.isDisabled && user.epoch === epoch
