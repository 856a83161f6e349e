/**
 * Which parts of an object a backup keeps: those with a meaning for the platform, and nothing else. A file is accepted
 * as a backup only if all of it would be kept, so restoring cannot create anything that the platform could not have
 * created.
 */
import { at, type Json, type JsonObject, textAt, textsAt } from '../../cluster/json.ts'
import { type ClusterObject, isLive, labelOf } from '../../cluster/live.ts'
import {
  BRANCH_ANNOTATION,
  DISABLED_ANNOTATION,
  EMAIL_ANNOTATION,
  EPOCH_ANNOTATION,
  EXPIRES_ANNOTATION,
  HOSTS_ANNOTATION,
  OWNER_LABEL,
  PIPELINE_ANNOTATION,
  PLATFORM_LABEL,
  PREVIEWS_ANNOTATION,
  REPOSITORY_ANNOTATION,
  ROLE_ANNOTATION,
  SCOPE_LABEL,
  SLEEP_AFTER_ANNOTATION,
  SOURCE_URL_ANNOTATION,
  SUBJECT_ANNOTATION,
  TOKEN_TYPE,
} from '../../k8s/labels.ts'
import { defined } from '../../object/defined.ts'
import { decodeBase64 } from '../../text/base64.ts'
import { grantIn, managedIn } from '../access.ts'
import { tokenIn } from '../account.ts'
import { isUserId, SYSTEM_NAMESPACE, tokenSecretOf, USERS_NAMESPACE } from '../names.ts'
import { everybodyBinding } from '../namespace/everybody.ts'
import { nameFault } from '../namespace/name.ts'
import { bindingObject, namespaceObject, templateOf } from '../namespace/objects.ts'
import { pinNameOf } from '../pin.ts'
import { VARIABLES_SECRET } from '../variables.ts'

type Keeper = (object: ClusterObject) => JsonObject | undefined

const picked = (texts: ReadonlyMap<string, string>, names: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (texts.has(name) ? [[name, texts.get(name)]] : [])))

const annotations = (object: ClusterObject, names: ReadonlyArray<string>): JsonObject =>
  picked(textsAt(object, 'metadata', 'annotations'), names)

/** Whether tenants may have a namespace of this name. */
const isOfTenants = (namespace: string | undefined): namespace is string =>
  namespace !== undefined && nameFault(namespace) === undefined

const account: Keeper = (object) => {
  const { name, namespace } = object.metadata
  if (namespace !== USERS_NAMESPACE || !isUserId(name) || labelOf(object, PLATFORM_LABEL) !== 'user') return undefined
  const kept = [EMAIL_ANNOTATION, ROLE_ANNOTATION, DISABLED_ANNOTATION, EPOCH_ANNOTATION, SUBJECT_ANNOTATION]
  const labels = { [PLATFORM_LABEL]: 'user' }
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name, namespace, labels, annotations: annotations(object, kept) },
  }
}

const secret = (
  { metadata: { name, namespace } }: ClusterObject,
  type: string,
  more: { readonly labels?: JsonObject; readonly annotations?: JsonObject; readonly data: JsonObject },
): JsonObject => {
  const { data, ...metadata } = more
  return { apiVersion: 'v1', kind: 'Secret', type, metadata: { name, namespace, ...metadata }, data }
}

/** `fields`: the keys of its data. */
const ofUser = (object: ClusterObject, type: string, fields: ReadonlyArray<string>): JsonObject | undefined => {
  const [label, owner] = [labelOf(object, PLATFORM_LABEL), labelOf(object, OWNER_LABEL)]
  if (owner === undefined || !isUserId(owner)) return undefined
  const labels = { [PLATFORM_LABEL]: label, [OWNER_LABEL]: owner }
  return secret(object, type, { labels, data: picked(textsAt(object, 'data'), fields) })
}

const token: Keeper = (object) => {
  const found = tokenIn(object)
  const isNamed =
    found !== undefined && /^[0-9a-z]{12}$/.test(found.id) && object.metadata.name === tokenSecretOf(found.id)
  if (!isNamed || object['type'] !== TOKEN_TYPE) return undefined
  return ofUser(object, TOKEN_TYPE, ['hash', 'name', 'scope', 'expires', 'login', 'epoch'])
}

const pin: Keeper = (object) => {
  const email = new TextDecoder().decode(decodeBase64(textAt(object, 'data', 'email') ?? ''))
  if (object.metadata.name !== pinNameOf(email)) return undefined
  return ofUser(object, 'Opaque', ['email', 'issuer', 'subject', 'user', 'granted'])
}

const variables = (object: ClusterObject, isForAll: boolean): JsonObject => {
  const marks = annotations(object, isForAll ? [PREVIEWS_ANNOTATION] : [])
  return secret(object, 'Opaque', {
    ...defined({ annotations: Object.keys(marks).length === 0 ? undefined : marks }),
    data: Object.fromEntries(textsAt(object, 'data')),
  })
}

const keptSecret: Keeper = (object) => {
  const { name, namespace } = object.metadata
  const label = labelOf(object, PLATFORM_LABEL)
  if (namespace === USERS_NAMESPACE)
    return label === 'token' ? token(object) : label === 'admin' ? pin(object) : undefined
  if (name !== VARIABLES_SECRET) return undefined
  if (namespace === SYSTEM_NAMESPACE) return variables(object, true)
  return isOfTenants(namespace) ? variables(object, false) : undefined
}

const ENFORCE = 'pod-security.kubernetes.io/enforce'
/** What is only said about pods: namespaces of earlier versions have the first, those of this one the second. */
const TELLING = ['pod-security.kubernetes.io/warn', 'pod-security.kubernetes.io/audit']

/**
 * Labels of others are left out, since their effect is unknown. Incomplete namespaces and those being deleted are left
 * out entirely.
 */
const namespace: Keeper = (object) => {
  const found = managedIn(object)
  if (found === undefined || found.isIncomplete || found.status === 'Deleting') return undefined
  const { kind, name, owner } = found
  if (!isOfTenants(name) || !isUserId(owner)) return undefined
  const made = namespaceObject(name, kind, owner)
  const [scope, enforced] = [labelOf(object, SCOPE_LABEL), labelOf(object, ENFORCE)]
  const labels = {
    ...Object.fromEntries([...textsAt(made, 'metadata', 'labels')].filter(([key]) => !TELLING.includes(key))),
    ...Object.fromEntries(
      TELLING.flatMap((key) => (labelOf(object, key) === 'restricted' ? [[key, 'restricted']] : [])),
    ),
    ...defined({ [SCOPE_LABEL]: scope }),
    // A file can never extend what pods may do on their nodes.
    ...(enforced === 'restricted' ? { [ENFORCE]: enforced } : {}),
  }
  const ofPreview = [
    REPOSITORY_ANNOTATION,
    BRANCH_ANNOTATION,
    SOURCE_URL_ANNOTATION,
    PIPELINE_ANNOTATION,
    EXPIRES_ANNOTATION,
  ]
  const marks = annotations(object, [HOSTS_ANNOTATION, SLEEP_AFTER_ANNOTATION, ...ofPreview])
  const metadata = { name, labels, ...defined({ annotations: Object.keys(marks).length === 0 ? undefined : marks }) }
  return { apiVersion: 'v1', kind: 'Namespace', metadata }
}

/** Administrators may have given a namespace a quota of its own. */
const fromTemplate: Keeper = (object) => {
  const { name, namespace: place } = object.metadata
  if (!isOfTenants(place) || labelOf(object, PLATFORM_LABEL) !== 'template') return undefined
  const made = templateOf(place).find((one) => one.kind === object.kind && one.name === name)?.object
  const spec = at(object, 'spec')
  if (made === undefined) return undefined
  return 'spec' in made && spec !== undefined ? { ...made, spec } : made
}

const binding: Keeper = (object) => {
  if (labelOf(object, PLATFORM_LABEL) !== 'access') return fromTemplate(object)
  const grant = grantIn(object)
  if (grant === undefined || !isOfTenants(grant.namespace)) return undefined
  const { email, namespace: place, role, user } = grant
  if (isUserId(user)) return bindingObject(place, { id: user, email }, role)
  return role === 'viewer' ? everybodyBinding(place) : undefined
}

const keepers: ReadonlyMap<string, Keeper> = new Map<string, Keeper>([
  ['ServiceAccount', (object) => account(object) ?? fromTemplate(object)],
  ['Secret', keptSecret],
  ['Namespace', namespace],
  ['ResourceQuota', fromTemplate],
  ['LimitRange', fromTemplate],
  ['NetworkPolicy', fromTemplate],
  ['RoleBinding', binding],
])

/** `undefined` for objects that are not the platform's. Law: `keptOf` of its own result is that result. */
export const keptOf = (object: Json): JsonObject | undefined => {
  const place = at(object, 'metadata', 'namespace')
  const isPlace = place === undefined || typeof place === 'string'
  return isPlace && isLive(object) ? keepers.get(object.kind)?.(object) : undefined
}
