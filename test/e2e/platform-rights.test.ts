/**
 * What the platform's accounts and the members of its namespaces cannot do, tried on a real API server by those who
 * would like to; and that everybody else's requests are left alone.
 */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type JsonObject, listAt, textAt } from '../../src/domain/cluster/json.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import { accountOf, SYSTEM_NAMESPACE, USERS_GROUP, USERS_NAMESPACE } from '../../src/domain/platform/names.ts'
import { clusterRoleOf } from '../../src/domain/platform/role.ts'
import type { Cluster } from '../../src/ports/cluster.ts'
import { done, failed } from '../contract/cluster-world.ts'
import {
  type Attempt,
  baseline,
  change,
  DOMAIN,
  fresh,
  granted,
  ingress,
  isForbidden,
  isRefusedBy,
  keyOf,
  listing,
  managed,
  ofPlatform,
  pod,
  posted,
  RBAC,
  removal,
  service,
  userOf,
  type World,
  within,
} from '../support/e2e/platform-world.ts'
import { scopedStays } from '../support/e2e/scoped-rights.ts'
import { workloadsStay } from '../support/e2e/workload-rights.ts'
import { until } from '../support/process/until.ts'

/** The programs of the platform, taken over. */
const platformStays = async ({ api, cluster, controller, elsewhere, shop, userOf: user }: World): Promise<void> => {
  const confined = (reason: string, attempt: Attempt) => isRefusedBy('confine', reason, attempt)
  const namespace = posted(api)
  const reserved = 'reserved for the cluster'
  await confined('carries its label', namespace('Namespace', { name: fresh('plain'), labels: baseline }))
  for (const name of ['kube-shop', 'openshift-shop', 'devtool-shop']) {
    await confined(reserved, namespace('Namespace', { name, labels: managed }))
  }
  await confined(reserved, namespace('Namespace', { generateName: 'kube-', labels: managed }))
  const enforces = 'enforces Pod Security'
  const enforce = 'pod-security.kubernetes.io/enforce'
  for (const level of [{}, { [enforce]: 'privileged' }]) {
    const labels = { 'dev.devtool/managed': 'true', ...level }
    await confined(enforces, namespace('Namespace', { name: fresh('open'), labels }))
  }
  const old = { ...managed, [`${enforce}-version`]: 'v1.0' }
  await confined('the latest version', namespace('Namespace', { name: fresh('old'), labels: old }))
  const loosened = { metadata: { labels: { [enforce]: 'privileged' } } }
  await confined(enforces, change(api, 'Namespace', shop, loosened))
  await confined(
    'carries its label',
    change(api, 'Namespace', shop, { metadata: { labels: { 'dev.devtool/managed': null } } }),
  )

  const own = 'only namespaces that it made'
  for (const name of ['kube-system', 'default', elsewhere, SYSTEM_NAMESPACE]) {
    await confined(own, change(api, 'Namespace', name, { metadata: { labels: managed } }))
    const binding = granted(clusterRoleOf('owner'), user('member'))
    await confined('writes only in', posted(api, name)('RoleBinding', { name: 'own' }, binding))
    await confined('writes only in', posted(api, name)('LimitRange', { name: 'own' }, { spec: { limits: [] } }))
  }
  for (const name of [elsewhere, SYSTEM_NAMESPACE, USERS_NAMESPACE]) {
    await confined(own, removal(api, 'Namespace', name))
    await confined(own, removal(controller, 'Namespace', name))
  }
  await isRefusedBy(
    'confine-access',
    'roles of a namespace',
    posted(api, shop)('RoleBinding', { name: 'more' }, granted('devtool-api', user('member'))),
  )
  const everybody = { apiGroup: RBAC, kind: 'Group', name: 'system:authenticated' }
  const open = { ...granted(clusterRoleOf('viewer'), user('member')), subjects: [everybody] }
  await isRefusedBy('confine-access', 'to its users', posted(api, shop)('RoleBinding', { name: 'more' }, open))
  for (const role of ['cluster-admin', 'admin']) {
    await isForbidden(posted(api, shop)('RoleBinding', { name: 'more' }, granted(role, user('member'))))
  }
  await isForbidden(
    posted(api)('ClusterRoleBinding', { name: 'more' }, granted(clusterRoleOf('owner'), user('member'))),
  )
  await isForbidden(posted(api)('ClusterRole', { name: fresh('more') }, { rules: [] }))
  await isForbidden(change(api, 'ClusterRole', clusterRoleOf('viewer'), { rules: [] }))
  const policy = 'devtool-confine'
  await isForbidden(removal(api, 'ValidatingAdmissionPolicyBinding', policy))
  await isForbidden(change(api, 'ValidatingAdmissionPolicy', policy, { spec: { failurePolicy: 'Ignore' } }))

  for (const who of [api, controller]) {
    await isForbidden(listing(who, 'Secret'))
    for (const name of [shop, elsewhere, 'kube-system']) await isForbidden(listing(who, 'Secret', name))
    await isForbidden(posted(who, shop)('Pod', { name: 'own' }, pod()))
    await isForbidden(posted(who, SYSTEM_NAMESPACE)('Pod', { name: 'own' }, pod()))
    await isForbidden(listing(who, 'Node'))
  }
  await isForbidden(listing(controller, 'Secret', SYSTEM_NAMESPACE))
  for (const name of [SYSTEM_NAMESPACE, USERS_NAMESPACE])
    await confined('controller writes Secrets only in', posted(controller, name)('Secret', { name: fresh('token') }))
  await confined('writes only in', posted(controller, elsewhere)('Secret', { name: fresh('token') }))

  const impersonated: ReadonlyArray<Parameters<Cluster['as']>[0]> = [
    { user: 'kubernetes-admin' },
    { user: 'system:admin', groups: ['system:masters'] },
    { user: 'system:serviceaccount:kube-system:namespace-controller' },
    { user: `system:serviceaccount:${SYSTEM_NAMESPACE}:devtool-controller` },
    { user: accountOf(user('member')), groups: ['system:masters'] },
  ]
  for (const account of impersonated) await isForbidden(listing(api.as(account), 'Secret', shop))
  await isForbidden(listing(controller.as({ user: accountOf(user('member')) }), 'Secret', shop))
  assert.ok((await done(cluster.get(keyOf('Namespace', elsewhere))))?.metadata.deletionTimestamp === undefined)
}

/** Members who would like to have more than they were given. */
const membersStay = async ({ api, as, cluster, elsewhere, shop, stranger, userOf: user }: World): Promise<void> => {
  const [member, owner] = [as('member'), as('owner')]
  const post = posted(member, shop)
  const quota = { spec: { hard: { pods: '50' } } }
  await done(posted(api, shop)('ResourceQuota', { name: 'devtool', labels: ofPlatform }, quota))
  await done(post('Secret', { name: 'own' }))
  await done(post('RoleBinding', { name: 'friend' }, granted('view', user('stranger'))))

  for (const who of [member, owner]) {
    await isForbidden(posted(who, shop)('RoleBinding', { name: 'more' }, granted('cluster-admin', user('member'))))
    await isForbidden(
      posted(who, shop)(
        'Role',
        { name: 'more' },
        { rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }] },
      ),
    )
    await isForbidden(change(who, 'ResourceQuota', 'devtool', quota, shop))
    await isForbidden(removal(who, 'ResourceQuota', 'devtool', shop))
    await isForbidden(
      change(who, 'Namespace', shop, { metadata: { labels: { 'pod-security.kubernetes.io/enforce': null } } }),
    )
    await isForbidden(removal(who, 'Namespace', shop))
    await isForbidden(listing(who, 'Namespace'))
    await isForbidden(listing(who, 'Secret', stranger))
    await isForbidden(listing(who, 'Secret', USERS_NAMESPACE))
    await isForbidden(listing(who, 'Secret', elsewhere))
    assert.is(textAt(await done(who.get(keyOf('Namespace', shop))), 'metadata', 'name'), shop)
  }
  for (const kind of ['Secret', 'ConfigMap', 'Pod'] as const) {
    await isForbidden(listing(as('viewer'), kind, stranger))
  }
  await isForbidden(listing(as('viewer'), 'Secret', shop))
  await isForbidden(posted(as('viewer'), shop)('ConfigMap', { name: 'own' }))
  await done(listing(as('viewer'), 'Pod', shop))

  const guarded = (attempt: Attempt) => isRefusedBy('guard', 'belong to the platform', attempt)
  const access = `devtool-${user('viewer')}`
  await guarded(removal(member, 'RoleBinding', access, shop))
  await guarded(change(member, 'RoleBinding', access, { metadata: { labels: { 'dev.devtool/platform': null } } }, shop))
  await guarded(change(member, 'RoleBinding', 'friend', { metadata: { labels: ofPlatform } }, shop))
  await guarded(post('RoleBinding', { name: 'forged', labels: ofPlatform }, granted('view', user('stranger'))))
  await guarded(post('Secret', { name: 'forged', labels: ofPlatform }))
  assert.is(listAt(await done(cluster.get(keyOf('RoleBinding', access, shop))), 'subjects').length, 1)

  const hostPath = { volumes: [{ name: 'node', hostPath: { path: '/' } }] }
  const failure = await failed(post('Pod', { name: 'node' }, pod(hostPath)))
  assert.match(failure._tag === 'Refused' ? failure.message : '', 'violates PodSecurity "baseline')
}

/** What leads into a namespace from outside, or out of it. */
const edgeHolds = async ({ as, cluster, shop, stranger }: World): Promise<void> => {
  const member = as('member')
  const post = posted(member, shop)
  const foreign = (attempt: Attempt) => isRefusedBy('edge-ingress', 'use host names that end in', attempt)
  const names = [
    `web-${stranger}.${DOMAIN}`,
    `${shop}.${DOMAIN}`,
    `devtool.${DOMAIN}`,
    'shop.example.org',
    `web-${shop}.${DOMAIN}.example.org`,
    `*.${DOMAIN}`,
  ]
  for (const host of names) await foreign(post('Ingress', { name: 'web' }, ingress(host)))
  await foreign(post('Ingress', { name: 'web' }, ingress()))
  const own = `web-${shop}.${DOMAIN}`
  await foreign(post('Ingress', { name: 'web' }, ingress(own, { tls: [{ hosts: ['bank.example.org'] }] })))
  const backend = { service: { name: 'web', port: { number: 80 } } }
  await isRefusedBy(
    'edge-ingress',
    'default backend',
    post('Ingress', { name: 'all' }, { spec: { defaultBackend: backend } }),
  )
  for (const key of ['nginx.ingress.kubernetes.io/server-alias', 'nginx.ingress.kubernetes.io/configuration-snippet']) {
    const annotations = { [key]: 'bank.example.org' }
    await isRefusedBy(
      'edge-ingress',
      'annotations that add',
      post('Ingress', { name: 'web', annotations }, ingress(own)),
    )
  }
  await done(post('Ingress', { name: 'web' }, ingress(own, { tls: [{ hosts: [own] }] })))
  await foreign(change(member, 'Ingress', 'web', ingress('shop.example.org'), shop))
  await done(change(member, 'Ingress', 'web', { metadata: { labels: { tier: 'front' } } }, shop))
  const hosts = { metadata: { annotations: { 'dev.devtool/hosts': 'bank.example.org, shop.example.org' } } }
  await isForbidden(change(member, 'Namespace', shop, hosts))
  await done(change(cluster, 'Namespace', shop, hosts))
  await until('the listed host is allowed', async () =>
    E.isRight(await post('Ingress', { name: 'listed' }, ingress('shop.example.org'))()),
  )
  // What was allowed once can still be removed when it is not any more.
  await done(change(member, 'Ingress', 'listed', { metadata: { finalizers: ['example.org/slow'] } }, shop))
  await done(change(cluster, 'Namespace', shop, { metadata: { annotations: { 'dev.devtool/hosts': null } } }))
  await until('the listed host is refused', async () =>
    E.isLeft(await post('Ingress', { name: 'again' }, ingress('shop.example.org'), true)()),
  )
  await done(removal(member, 'Ingress', 'listed', shop))
  await done(change(member, 'Ingress', 'listed', { metadata: { finalizers: null } }, shop))

  const refused = (reason: string, attempt: Attempt) => isRefusedBy('edge-service', reason, attempt)
  const external = { type: 'ExternalName', externalName: `web.${stranger}.svc.cluster.local` }
  await refused('ExternalName', post('Service', { name: 'out' }, { spec: external }))
  await refused('externalIPs', post('Service', { name: 'out' }, service({ externalIPs: ['192.0.2.1'] })))
  await done(post('Service', { name: 'web' }, service()))
  await refused('externalIPs', change(member, 'Service', 'web', { spec: { externalIPs: ['192.0.2.1'] } }, shop))

  const policy = (egress: ReadonlyArray<JsonObject>): JsonObject => ({
    spec: { podSelector: {}, policyTypes: ['Egress'], egress },
  })
  const opened = [[{}], [{ to: [{ ipBlock: { cidr: '169.254.169.254/32' } }] }], [{ ports: [{ port: 443 }] }]]
  for (const egress of opened) {
    await isRefusedBy('edge-egress', 'to pods only', post('NetworkPolicy', { name: 'open' }, policy(egress)))
  }
  await done(post('NetworkPolicy', { name: 'inside' }, policy([{ to: [{ podSelector: {} }] }])))
}

/** The probe of an installation: what a namespace that is not the platform's must be able to do. */
const othersWork = async ({ cluster, elsewhere, shop }: World): Promise<void> => {
  const post = posted(cluster, elsewhere)
  await done(post('Service', { name: 'web' }, service()))
  await done(post('Service', { name: 'out' }, { spec: { type: 'ExternalName', externalName: 'a.example.com' } }))
  await done(post('Ingress', { name: 'web' }, ingress()))
  await done(post('Pod', { name: 'web' }, pod()))
  await done(post('RoleBinding', { name: 'own', labels: ofPlatform }, granted('view', userOf('member'))))
  await done(
    post('NetworkPolicy', { name: 'open' }, { spec: { podSelector: {}, policyTypes: ['Egress'], egress: [{}] } }),
  )
  await done(change(cluster, 'Namespace', elsewhere, { metadata: { labels: { team: 'b' } } }))
  // An administrator of the cluster can repair what the platform made.
  await done(change(cluster, 'ResourceQuota', 'devtool', { spec: { hard: { pods: '60' } } }, shop))
}

/** Every policy was compiled against the kinds it is about. */
const policiesAreTyped = async ({ cluster }: World): Promise<void> => {
  const { items } = await done(
    cluster.list({ resource: resources.ValidatingAdmissionPolicy, labels: 'dev.devtool/platform=system' }),
  )
  assert.ok(items.length >= 6, `${items.length} policies`)
  for (const { metadata, status } of items) {
    assert.equal(listAt(status, 'typeChecking', 'expressionWarnings'), [], metadata.name)
  }
}

/** A namespace of the platform, and what the platform keeps in it, goes when the platform deletes it. */
const namespaceGoes = async ({ api, as, cluster, controller, shop, userOf: user }: World): Promise<void> => {
  const shared = { apiGroup: RBAC, kind: 'Group', name: USERS_GROUP }
  const all = { ...granted(clusterRoleOf('viewer'), user('member')), subjects: [shared] }
  await done(posted(api, shop)('RoleBinding', { name: 'devtool-all', labels: ofPlatform }, all))
  await done(listing(as('stranger'), 'Pod', shop))
  await done(removal(controller, 'Namespace', shop))
  await until('the namespace is gone', async () => (await done(cluster.get(keyOf('Namespace', shop)))) === undefined)
}

test('the platform and its members have rights in its own namespaces only, and policies affect nobody else', () =>
  within(async (world) => {
    await policiesAreTyped(world)
    await platformStays(world)
    await scopedStays(world)
    await workloadsStay(world)
    await membersStay(world)
    await edgeHolds(world)
    await othersWork(world)
    await namespaceGoes(world)
  }))

test.run()
