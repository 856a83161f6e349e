/**
 * The permissions and policies of a platform on a real cluster, without its programs; all of it is removed afterwards.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { at, textAt } from '../../../src/domain/cluster/json.ts'
import { type KnownKind, type ObjectKey, type Resource, resources } from '../../../src/domain/cluster/resources.ts'
import { tokenObject, userObject } from '../../../src/domain/platform/account.ts'
import { scopedNamespace, systemNamespace, usersNamespace } from '../../../src/domain/platform/manifests/namespaces.ts'
import { bindingsOf, policiesFor } from '../../../src/domain/platform/manifests/policies.ts'
import { rights } from '../../../src/domain/platform/manifests/rights.ts'
import { SYSTEM_NAMESPACE, USERS_NAMESPACE, userIdOf } from '../../../src/domain/platform/names.ts'
import type { Scope } from '../../../src/domain/platform/scope.ts'
import { showToken, TOKEN_BYTES, tokenFrom } from '../../../src/domain/platform/token.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'
import { done, manager } from '../../contract/cluster-world.ts'
import { isAlive } from '../process/alive.ts'
import { until } from '../process/until.ts'
import { connectReal, realClusters } from './real-cluster.ts'

type Manifest = {
  readonly kind: KnownKind
  readonly metadata: { readonly name: string; readonly namespace?: string }
}

const keyOf = ({ kind, metadata: { name, namespace } }: Manifest): ObjectKey => ({
  resource: resources[kind],
  name,
  ...(namespace === undefined ? {} : { namespace }),
})

const removed = async (cluster: Cluster, manifests: ReadonlyArray<Manifest>): Promise<void> => {
  for (const manifest of manifests) await done(cluster.remove(keyOf(manifest), { propagation: 'Background' }))
}

const HOLDER = 'dev.devtool/test'

/**
 * The names of a platform are unique in a cluster, so only one test file at a time has it: the one that created the
 * platform's namespace. A file that ended without removing it loses it.
 */
export const taken = async (cluster: Cluster): Promise<void> => {
  const claimed = async (namespace: Manifest & object): Promise<boolean> => {
    const annotations = { [HOLDER]: `${hostname()} ${process.pid}` }
    const body = { ...namespace, metadata: { ...namespace.metadata, annotations } }
    if (E.isRight(await cluster.create({ resource: resources.Namespace }, body, { manager })())) return true
    const there = await done(cluster.get(keyOf(namespace)))
    const [host, pid] = (textAt(there, 'metadata', 'annotations', HOLDER) ?? '').split(' ')
    const isLeft = there !== undefined && host === hostname() && !isAlive(Number(pid))
    if (isLeft) await removed(cluster, [namespace])
    return false
  }
  const wait = 'the platform of another test is gone'
  await until(wait, () => claimed(systemNamespace), 300_000)
  await until(wait, () => claimed(usersNamespace), 300_000)
  await until(wait, () => claimed(scopedNamespace), 300_000)
}

/** The cluster with the service account of a pod. */
const withAccount = async (cluster: Cluster, name: string, use: (own: Cluster) => Promise<void>): Promise<void> => {
  const resource = { ...resources.ServiceAccount, plural: `serviceaccounts/${name}/token` }
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
  const token = await done(cluster.create({ resource, namespace: SYSTEM_NAMESPACE }, body, { manager }))
  const root = { resource: resources.ConfigMap, namespace: SYSTEM_NAMESPACE, name: 'kube-root-ca.crt' }
  const namespace = { resource: resources.Namespace, name: SYSTEM_NAMESPACE }
  let authority: unknown
  let looks = 0
  await until('the namespace has the certificate', async () => {
    authority = at(await done(cluster.get(root)), 'data', 'ca.crt')
    looks += 1
    // Kubernetes gives up when it takes a new namespace for the one of that name that was just deleted, until it changes.
    const touched = { metadata: { annotations: { 'dev.devtool/looks': String(looks) } } }
    if (looks % 20 === 0) await done(cluster.merge(namespace, touched, { manager }))
    return authority !== undefined
  })
  const folder = mkdtempSync(join(tmpdir(), 'account-'))
  try {
    writeFileSync(join(folder, 'token'), textAt(token, 'status', 'token') ?? '')
    writeFileSync(join(folder, 'ca.crt'), String(authority))
    writeFileSync(join(folder, 'namespace'), SYSTEM_NAMESPACE)
    const server = new URL(cluster.server)
    const env = { KUBERNETES_SERVICE_HOST: server.hostname, KUBERNETES_SERVICE_PORT: server.port }
    const opened = await realClusters(env, { accountFolder: folder }).inCluster()()
    if (E.isLeft(opened)) throw new Error(opened.left.message)
    try {
      await use(opened.right.cluster)
    } finally {
      opened.right.cluster.close()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** An API token of a user who has logged in. */
export const tokenFor = async (
  cluster: Cluster,
  user: string,
  scope: Scope,
  expires = '2100-01-01T00:00:00Z',
): Promise<string> => {
  const token = tokenFrom(randomBytes(TOKEN_BYTES))
  const place = { resource: resources.Secret, namespace: USERS_NAMESPACE }
  await done(cluster.create(place, tokenObject(token, { user, name: 'test', scope, expires }), { manager }))
  return showToken(token)
}

/** A person who has logged in, and their token. */
export const joined = async (cluster: Cluster, issuer: string, person: string, isAdmin = false): Promise<string> => {
  const user = userIdOf(issuer, person)
  const about = { id: user, email: `${person}@example.com`, isAdmin, isDisabled: false }
  const account = userObject(about, { issuer, subject: person })
  const place = { resource: resources.ServiceAccount, namespace: USERS_NAMESPACE }
  await done(cluster.create(place, account, { manager }))
  return tokenFor(cluster, user, { _tag: 'All' })
}

export type RightsWorld = {
  readonly cluster: Cluster
  /** With the accounts of the platform's two programs. */
  readonly api: Cluster
  readonly controller: Cluster
}

/**
 * Objects that a test creates under the platform's names; all of them are removed afterwards, with those that
 * `manifests` lists.
 */
export const withPlatformNames = async (
  manifests: ReadonlyArray<Manifest>,
  use: (cluster: Cluster) => Promise<void>,
): Promise<void> => {
  const cluster = await connectReal()
  try {
    await taken(cluster)
    try {
      await use(cluster)
    } finally {
      await removed(cluster, manifests.toReversed())
      await removed(cluster, [scopedNamespace, usersNamespace, systemNamespace])
    }
  } finally {
    cluster.close()
  }
}

const tokenReviews: Resource = {
  group: 'authentication.k8s.io',
  version: 'v1',
  plural: 'tokenreviews',
  kind: 'TokenReview',
  isNamespaced: false,
}

/** Whose token it is according to the API server; `undefined` when the token is invalid. */
export const reviewed = async (cluster: Cluster, token: string): Promise<string | undefined> => {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } }
  const review = await done(cluster.create({ resource: tokenReviews }, body, { manager }))
  return at(review, 'status', 'authenticated') === true ? textAt(review, 'status', 'user', 'username') : undefined
}

export const withRights = (domain: string, use: (world: RightsWorld) => Promise<void>): Promise<void> => {
  const policies = policiesFor(domain)
  const manifests: ReadonlyArray<Manifest> = [...rights, ...policies, ...bindingsOf(policies, 'Deny')]
  return withPlatformNames(manifests, async (cluster) => {
    for (const manifest of manifests) {
      await done(cluster.apply(keyOf(manifest), JSON.stringify(manifest), { manager, force: true }))
    }
    await withAccount(cluster, 'devtool-api', (api) =>
      withAccount(cluster, 'devtool-controller', (controller) => use({ cluster, api, controller })),
    )
  })
}
