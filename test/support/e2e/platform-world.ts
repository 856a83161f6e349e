/** A platform's permissions with two namespaces, their members, and the requests that these try. */
import { randomBytes } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as assert from 'uvu/assert'
import type { Failure } from '../../../src/domain/cluster/failure.ts'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { type KnownKind, type ObjectKey, resources } from '../../../src/domain/cluster/resources.ts'
import { accountOf, USERS_NAMESPACE, userIdOf } from '../../../src/domain/platform/names.ts'
import { clusterRoleOf, type NamespaceRole } from '../../../src/domain/platform/role.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'
import { done, failed, manager, statusOf } from '../../contract/cluster-world.ts'
import { until } from '../process/until.ts'
import { type RightsWorld, withRights } from './platform.ts'
import { withNamespace } from './real-cluster.ts'

export const DOMAIN = 'apps.example.com'
export const RBAC = 'rbac.authorization.k8s.io'

export type Attempt = TaskEither<Failure, unknown>

export const keyOf = (kind: KnownKind, name: string, namespace?: string): ObjectKey => ({
  resource: resources[kind],
  name,
  ...(namespace === undefined ? {} : { namespace }),
})

/** As the object is posted; `more` is everything but its kind and metadata. */
export const posted =
  (who: Cluster, namespace?: string) =>
  (kind: KnownKind, metadata: JsonObject, more: JsonObject = {}, isDryRun = false): Attempt => {
    const resource = resources[kind]
    const { group, version } = resource
    const apiVersion = group === '' ? version : `${group}/${version}`
    const place = namespace === undefined ? {} : { namespace }
    return who.create({ resource, ...place }, { apiVersion, kind, metadata, ...more }, { manager, isDryRun })
  }

/** Refused by RBAC. */
export const isForbidden = async (attempt: Attempt): Promise<void> => {
  assert.is(statusOf(await failed(attempt)), '403 Forbidden')
}

/** Refused by this policy, for this reason. */
export const isRefusedBy = async (name: string, reason: string, attempt: Attempt): Promise<void> => {
  const failure = await failed(attempt)
  const message = failure._tag === 'Refused' ? failure.message : JSON.stringify(failure)
  assert.ok(message.includes(`ValidatingAdmissionPolicy 'devtool-${name}'`), message)
  assert.ok(message.includes(reason), message)
}

export const baseline = { 'pod-security.kubernetes.io/enforce': 'baseline' }
export const managed = { 'dev.devtool/managed': 'true', ...baseline }
export const ofPlatform = { 'dev.devtool/platform': 'access' }

export const granted = (role: string, user: string): JsonObject => ({
  roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
  subjects: [{ kind: 'ServiceAccount', name: user, namespace: USERS_NAMESPACE }],
})

export const ingress = (host?: string, more: JsonObject = {}): JsonObject => {
  const backend = { service: { name: 'web', port: { number: 80 } } }
  const http = { paths: [{ path: '/', pathType: 'Prefix', backend }] }
  return { spec: { rules: [host === undefined ? { http } : { host, http }], ...more } }
}

export const service = (more: JsonObject = {}): JsonObject => ({ spec: { ports: [{ port: 80 }], ...more } })

export const pod = (more: JsonObject = {}): JsonObject => ({
  spec: { containers: [{ name: 'main', image: 'busybox' }], terminationGracePeriodSeconds: 0, ...more },
})

/** A name that no other test uses. */
export const fresh = (name: string): string => `e2e-${randomBytes(3).toString('hex')}-${name}`

export type World = RightsWorld & {
  readonly shop: string
  readonly stranger: string
  /** Somebody else's namespace, which the platform did not create. */
  readonly elsewhere: string
  readonly as: (who: NamespaceRole | 'stranger') => Cluster
  readonly userOf: (who: NamespaceRole | 'stranger') => string
}

export const userOf = (who: string): string => userIdOf('https://issuer.example.com', who)

/** Policies come into effect a moment after they were created. */
const inEffect = async ({ api, cluster }: RightsWorld, shop: string): Promise<void> => {
  const dryRun = (who: Cluster, namespace?: string) => {
    const post = posted(who, namespace)
    return (kind: KnownKind, metadata: JsonObject, more?: JsonObject) => post(kind, metadata, more, true)
  }
  const open = { podSelector: {}, policyTypes: ['Egress'], egress: [{}] }
  const member = api.as({ user: accountOf(userOf('member')) })
  const trials: ReadonlyArray<Attempt> = [
    dryRun(api)('Namespace', { name: fresh('trial') }),
    dryRun(api, shop)('RoleBinding', { name: 'trial' }, granted('devtool-api', userOf('member'))),
    dryRun(member, shop)('Secret', { name: 'trial', labels: ofPlatform }),
    dryRun(cluster, shop)('Ingress', { name: 'trial' }, ingress('foreign.example.com')),
    dryRun(cluster, shop)(
      'Service',
      { name: 'trial' },
      { spec: { type: 'ExternalName', externalName: 'a.example.com' } },
    ),
    dryRun(member, shop)('NetworkPolicy', { name: 'trial' }, { spec: open }),
  ]
  for (const trial of trials) await until('the policies are in effect', async () => E.isLeft(await trial()))
}

export const within = (run: (world: World) => Promise<void>): Promise<void> =>
  withRights(DOMAIN, async (rights) => {
    const { api, cluster } = rights
    const [shop, stranger] = [fresh('shop'), fresh('other')]
    const foreign = await withNamespace(cluster, 'elsewhere')
    try {
      await done(posted(api)('Namespace', { name: shop, labels: managed }))
      await done(posted(api)('Namespace', { name: stranger, labels: managed }))
      for (const who of ['owner', 'member', 'viewer', 'stranger'] as const) {
        const user = userOf(who)
        await done(posted(api, USERS_NAMESPACE)('ServiceAccount', { name: user }))
        const [namespace, role] = who === 'stranger' ? [stranger, 'owner' as const] : [shop, who]
        const binding = { name: `devtool-${user}`, labels: ofPlatform }
        await done(posted(api, namespace)('RoleBinding', binding, granted(clusterRoleOf(role), user)))
      }
      const as = (who: string): Cluster => api.as({ user: accountOf(userOf(who)) })
      // A controller fills in the rules of aggregated roles.
      await until('the roles have their rules', async () =>
        E.isRight(await as('member').list({ resource: resources.Secret, namespace: shop })()),
      )
      await inEffect(rights, shop)
      await run({ ...rights, shop, stranger, elsewhere: foreign.name, as, userOf })
    } finally {
      await foreign.end()
      for (const name of [shop, stranger]) {
        await done(cluster.remove(keyOf('Namespace', name), { propagation: 'Background' }))
      }
    }
  })

export const change = (who: Cluster, kind: KnownKind, name: string, body: JsonObject, namespace?: string): Attempt =>
  who.merge(keyOf(kind, name, namespace), body, { manager })

export const removal = (who: Cluster, kind: KnownKind, name: string, namespace?: string): Attempt =>
  who.remove(keyOf(kind, name, namespace), { propagation: 'Background' })

export const listing = (who: Cluster, kind: KnownKind, namespace?: string): Attempt =>
  who.list({ resource: resources[kind], ...(namespace === undefined ? {} : { namespace }) })
