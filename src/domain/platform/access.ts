/**
 * Which users see which namespaces. This is read from the RoleBindings that grant the access, so nothing is listed that
 * Kubernetes would refuse.
 */
import { type Json, listAt, textAt } from '../cluster/json.ts'
import { annotationOf, type ClusterObject, labelOf } from '../cluster/live.ts'
import {
  CREATING_ANNOTATION,
  EMAIL_ANNOTATION,
  KIND_LABEL,
  MANAGED_LABEL,
  OWNER_LABEL,
  PLATFORM_LABEL,
  SLEEP_LABEL,
  SLEEP_NAME,
  STATUS_ANNOTATION,
} from '../k8s/labels.ts'
import { defined } from '../object/defined.ts'
import { deletionIn } from './deletion-record.ts'
import { type LastRun, lastRunIn } from './last-run.ts'
import { isUserId, SCOPED_NAMESPACE, USERS_GROUP, USERS_NAMESPACE } from './names.ts'
import { type PreviewFacts, previewIn } from './preview.ts'
import { includesRole, type NamespaceRole, roleOf } from './role.ts'
import { type ScopedGrant, scopedGrantIn, scopedTokenIn } from './scoped.ts'

/** Selects the namespaces of the platform. */
export const MANAGED_SELECTOR = `${MANAGED_LABEL}=true`
/** Without the namespace in which an installation tries its policies. */
export const TENANT_SELECTOR = `${MANAGED_SELECTOR},${PLATFORM_LABEL}!=probe`
/** Selects the RoleBindings that give users access to namespaces. */
export const ACCESS_SELECTOR = `${PLATFORM_LABEL}=access`
/** With those for their API tokens. */
export const BINDING_SELECTOR = `${PLATFORM_LABEL} in (access,scoped)`
/** Selects the records of namespaces that sleep. The platform may read no other ConfigMaps of tenants. */
export const ASLEEP = { labels: `${SLEEP_LABEL}=asleep`, fields: `metadata.name=${SLEEP_NAME}` } as const

const kinds = ['namespace', 'preview'] as const
export type ManagedKind = (typeof kinds)[number]

/** `Deleting` from when it is requested. `DeleteFailed`: its destroy commands failed, and it still exists. */
export type NamespaceStatus = 'Active' | 'Deleting' | 'DeleteFailed'

const namespaceStatusIn = (live: ClusterObject): NamespaceStatus => {
  const status = annotationOf(live, STATUS_ANNOTATION)
  if (live.metadata.deletionTimestamp !== undefined || status === 'Deleting') return 'Deleting'
  return status === 'DeleteFailed' ? status : 'Active'
}

/** Why a deletion failed. `run`: the one that failed. */
type DeletionFailure = { readonly reason: string; readonly run?: string }

const failureIn = (live: ClusterObject): DeletionFailure | undefined => {
  const { reason, run } = deletionIn(live) ?? {}
  return reason === undefined ? undefined : { reason, ...defined({ run }) }
}

/** A namespace of the platform. */
export type ManagedNamespace = {
  readonly name: string
  readonly uid: string
  readonly kind: ManagedKind
  readonly owner: string
  readonly created: string
  readonly status: NamespaceStatus
  /** Only for one that is `DeleteFailed`. */
  readonly failure?: DeletionFailure
  /** Whether its creation has not been completed. */
  readonly isIncomplete: boolean
  /** Whether Kubernetes is deleting it, and its RoleBindings before it. */
  readonly isTerminating: boolean
  /** Only for a preview. */
  readonly preview?: PreviewFacts
  /** Only for a preview. */
  readonly run?: LastRun
}

/** `undefined` for a namespace that is not the platform's. */
export const managedIn = (live: ClusterObject): ManagedNamespace | undefined => {
  if (labelOf(live, MANAGED_LABEL) !== 'true') return undefined
  const { creationTimestamp: created = '', name, uid } = live.metadata
  const kind = kinds.find((one) => one === labelOf(live, KIND_LABEL)) ?? 'namespace'
  const status = namespaceStatusIn(live)
  const isIncomplete = annotationOf(live, CREATING_ANNOTATION) !== undefined
  const isTerminating = live.metadata.deletionTimestamp !== undefined
  const owner = labelOf(live, OWNER_LABEL) ?? ''
  const preview = kind === 'preview' ? previewIn(live) : undefined
  const run = preview === undefined ? undefined : lastRunIn(live)
  const failure = status === 'DeleteFailed' ? failureIn(live) : undefined
  return { name, uid, kind, owner, created, status, isIncomplete, isTerminating, ...defined({ preview, run, failure }) }
}

/** `user`: a user, or `everybody`. `binding`: the RoleBinding that grants it. */
export type AccessGrant = {
  readonly namespace: string
  readonly user: string
  readonly email: string
  readonly role: NamespaceRole
  readonly binding: { readonly name: string; readonly uid: string }
}

const EVERYBODY = 'everybody'

const ACCOUNT = /^system:serviceaccount:([^:]*):(.*)$/

/** The ServiceAccount that a subject of a RoleBinding is; it may be written as a User, too. */
const subjectAccount = (subject: Json): readonly [namespace: string | undefined, name: string | undefined] => {
  const [kind, name] = [textAt(subject, 'kind'), textAt(subject, 'name')]
  if (kind === 'ServiceAccount') return [textAt(subject, 'namespace'), name]
  const [, namespace, account] = (kind === 'User' ? ACCOUNT.exec(name ?? '') : null) ?? []
  return [namespace, account]
}

/** Whether a subject of a RoleBinding is the user, or an API token of theirs. */
const isUserSubject = (subject: Json, user: string): boolean => {
  const [namespace, name = ''] = subjectAccount(subject)
  if (namespace === SCOPED_NAMESPACE) return scopedTokenIn(name)?.user === user
  return namespace === USERS_NAMESPACE && name === user
}

const subjectOf = (binding: ClusterObject): string | undefined => {
  const [subject, ...others] = listAt(binding, 'subjects')
  const [kind, name] = [textAt(subject, 'kind'), textAt(subject, 'name') ?? '']
  if (others.length > 0) return undefined
  if (kind === 'Group') return name === USERS_GROUP ? EVERYBODY : undefined
  const isUser = kind === 'ServiceAccount' && textAt(subject, 'namespace') === USERS_NAMESPACE && isUserId(name)
  return isUser ? name : undefined
}

/** `undefined` for a RoleBinding that the platform did not create, whatever its label says. */
export const grantIn = (binding: ClusterObject): AccessGrant | undefined => {
  const [user, role] = [subjectOf(binding), roleOf(textAt(binding, 'roleRef', 'name') ?? '')]
  const { name, namespace, uid } = binding.metadata
  const isOfRole = textAt(binding, 'roleRef', 'kind') === 'ClusterRole'
  return user === undefined || role === undefined || namespace === undefined || !isOfRole
    ? undefined
    : { namespace, user, email: annotationOf(binding, EMAIL_ANNOTATION) ?? '', role, binding: { name, uid } }
}

/** Whether the RoleBinding, whoever created it, grants something to the user. */
export const isSubject = (binding: ClusterObject, user: string): boolean =>
  listAt(binding, 'subjects').some((subject) => isUserSubject(subject, user))

/** The subjects without the user. */
export const subjectsWithout = (binding: ClusterObject, user: string): ReadonlyArray<Json> =>
  listAt(binding, 'subjects').filter((subject) => !isUserSubject(subject, user))

export type GrantedNamespace = Pick<AccessGrant, 'role' | 'binding'> & { readonly namespace: ManagedNamespace }

export type WatchedKind = 'Namespace' | 'RoleBinding' | 'ConfigMap'

/** Kept up to date from watches of Namespaces, of RoleBindings, and of the records of namespaces that sleep. */
export type AccessState = {
  readonly see: (object: ClusterObject) => void
  readonly forget: (object: ClusterObject) => void
  /** Removes the RoleBinding with that uid. */
  readonly drop: (uid: string) => void
  /** Replaces all objects of a kind. */
  readonly reset: (kind: WatchedKind, objects: ReadonlyArray<ClusterObject>) => void
  /** The namespaces that a user sees, by name. */
  readonly of: (user: string) => ReadonlyArray<GrantedNamespace>
  /** `undefined` alike for a namespace that does not exist, is not the platform's, or is not open to the user. */
  readonly find: (user: string, namespace: string) => GrantedNamespace | undefined
  /** All grants, including those of users with several roles. */
  readonly grants: (namespace: string) => ReadonlyArray<AccessGrant>
  readonly members: (namespace: string) => ReadonlyArray<AccessGrant>
  /** What API tokens with a scope have. */
  readonly scoped: () => ReadonlyArray<ScopedGrant>
  /** Those of them that are more than their users have. */
  readonly exceeding: () => ReadonlyArray<ScopedGrant>
  readonly all: () => ReadonlyArray<ManagedNamespace>
  readonly isAsleep: (namespace: string) => boolean
}

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Grants by the uid of their RoleBinding, of one user or one namespace. */
type Grants = Map<string, AccessGrant>
type Index = Map<string, Grants>

const put = (index: Index, key: string, uid: string, grant: AccessGrant): void => {
  const grants = index.get(key)
  if (grants === undefined) index.set(key, new Map([[uid, grant]]))
  else grants.set(uid, grant)
}

const drop = (index: Index, key: string, uid: string): void => {
  const grants = index.get(key)
  grants?.delete(uid)
  if (grants?.size === 0) index.delete(key)
}

const strongest = (grants: Iterable<AccessGrant>, key: 'namespace' | 'user'): ReadonlyMap<string, AccessGrant> => {
  const best = new Map<string, AccessGrant>()
  for (const grant of grants) {
    const before = best.get(grant[key])
    if (before === undefined || includesRole(grant.role, before.role)) best.set(grant[key], grant)
  }
  return best
}

export const accessState = (): AccessState => {
  const namespaces = new Map<string, ManagedNamespace>()
  const byUid = new Map<string, AccessGrant>()
  const [byUser, byNamespace]: readonly [Index, Index] = [new Map(), new Map()]
  const scoped = new Map<string, ScopedGrant>()
  const asleep = new Set<string>()

  const forgetGrant = (uid: string): void => {
    scoped.delete(uid)
    const grant = byUid.get(uid)
    if (grant === undefined) return
    byUid.delete(uid)
    drop(byUser, grant.user, uid)
    drop(byNamespace, grant.namespace, uid)
  }

  const see = (object: ClusterObject): void => {
    const { name, namespace = '', uid } = object.metadata
    if (object.kind === 'ConfigMap') {
      if (labelOf(object, SLEEP_LABEL) === 'asleep') asleep.add(namespace)
      else asleep.delete(namespace)
      return
    }
    if (object.kind === 'Namespace') {
      const found = managedIn(object)
      if (found === undefined) namespaces.delete(name)
      else namespaces.set(name, found)
      return
    }
    forgetGrant(uid)
    const ofToken = scopedGrantIn(object)
    if (ofToken !== undefined) return void scoped.set(uid, ofToken)
    const grant = grantIn(object)
    if (grant === undefined) return
    byUid.set(uid, grant)
    put(byUser, grant.user, uid, grant)
    put(byNamespace, grant.namespace, uid, grant)
  }

  const forget = ({ kind, metadata: { name, namespace = '', uid } }: ClusterObject): void => {
    if (kind === 'ConfigMap') return void asleep.delete(namespace)
    if (kind !== 'Namespace') return forgetGrant(uid)
    // A late watch event may refer to a deleted namespace of the same name.
    if (namespaces.get(name)?.uid === uid) namespaces.delete(name)
  }

  const grantsOf = (user: string): Iterable<AccessGrant> => [
    ...(byUser.get(EVERYBODY)?.values() ?? []),
    ...(byUser.get(user)?.values() ?? []),
  ]

  const ownGrants = (user: string, namespace: string): ReadonlyArray<AccessGrant> =>
    [...(byNamespace.get(namespace)?.values() ?? [])].filter((grant) => grant.user === user || grant.user === EVERYBODY)

  const granted = ({ binding, namespace, role }: AccessGrant): ReadonlyArray<GrantedNamespace> => {
    const found = namespaces.get(namespace)
    // Nobody may use a namespace whose creation may still be undone.
    return found === undefined || found.isIncomplete ? [] : [{ namespace: found, role, binding }]
  }

  /** Whoever created a namespace sees it until it is gone, and can change nothing without a RoleBinding. */
  const leaving = (user: string, name: string): GrantedNamespace | undefined => {
    const namespace = namespaces.get(name)
    const isLeaving = namespace?.isTerminating === true && namespace.owner === user
    return isLeaving ? { namespace, role: 'owner', binding: { name: 'deleted', uid: '' } } : undefined
  }

  return {
    see,
    forget,
    drop: forgetGrant,
    reset: (kind, objects) => {
      if (kind === 'Namespace') namespaces.clear()
      else if (kind === 'ConfigMap') asleep.clear()
      else for (const uid of [...byUid.keys(), ...scoped.keys()]) forgetGrant(uid)
      objects.forEach(see)
    },
    of: (user) =>
      [...strongest(grantsOf(user), 'namespace').values()]
        .flatMap(granted)
        .toSorted((a, b) => byName(a.namespace.name, b.namespace.name)),
    find: (user, namespace) =>
      [...strongest(ownGrants(user, namespace), 'namespace').values()].flatMap(granted)[0] ?? leaving(user, namespace),
    grants: (namespace) => [...(byNamespace.get(namespace)?.values() ?? [])],
    scoped: () => [...scoped.values()],
    exceeding: () =>
      [...scoped.values()].filter(
        ({ namespace, role, user }) => !ownGrants(user, namespace).some((grant) => includesRole(grant.role, role)),
      ),
    members: (namespace) =>
      [...strongest(byNamespace.get(namespace)?.values() ?? [], 'user').values()].toSorted((a, b) =>
        byName(a.user, b.user),
      ),
    all: () => [...namespaces.values()],
    isAsleep: (namespace) => asleep.has(namespace),
  }
}
