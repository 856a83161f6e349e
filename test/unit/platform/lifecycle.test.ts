/** Another command about an installation: what it was told is read back, and what stays when it is removed. */
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readNamespaceNow } from '../../../src/app/environment/namespace-now.ts'
import { keyOfOwn, nameIn } from '../../../src/app/install/objects.ts'
import { outdated } from '../../../src/app/install/outdated.ts'
import { statusOfPlatform } from '../../../src/app/install/status.ts'
import { uninstall } from '../../../src/app/install/uninstall.ts'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import { type KnownKind, resources } from '../../../src/domain/cluster/resources.ts'
import { partition } from '../../../src/domain/plan/action.ts'
import { builderPlan } from '../../../src/domain/platform/manifests/builder.ts'
import { foundationFor } from '../../../src/domain/platform/manifests/foundation.ts'
import type { PlatformInstallation } from '../../../src/domain/platform/manifests/installation.ts'
import { bindingsOf, policiesFor } from '../../../src/domain/platform/manifests/policies.ts'
import { readInstallation } from '../../../src/domain/platform/manifests/read-installation.ts'
import { namespaceRoles, systemLabels } from '../../../src/domain/platform/manifests/rights.ts'
import { platformStatus } from '../../../src/domain/platform/manifests/status.ts'
import { noKeys, platformPlan } from '../../../src/domain/platform/manifests/workloads.ts'
import { printJsonLine } from '../../../src/domain/print/json.ts'
import { done } from '../../contract/cluster-world.ts'
import { rightOf } from '../../contract/tree-world.ts'
import { type MemoryCluster, memoryCluster } from '../../memory/cluster.ts'
import { memoryPorts } from '../../support/cluster/memory-ports.ts'
import { waiting, workload } from '../../support/platform/shop.ts'

const installation: PlatformInstallation = {
  image: 'registry.example.com/devtool-platform@sha256:0',
  domain: 'apps.example.com',
  registry: 'registry.example.com/team',
  ingressClass: 'nginx',
  tls: { _tag: 'SelfSigned' },
  issuer: 'https://login.example.com',
  client: 'devtool',
  admins: ['ann@example.com', 'ben@example.com'],
  allowedDomains: ['example.com'],
  allowedGroups: ['team a', 'team b'],
  proxies: ['10.0.0.0/16'],
  isInsecureIssuer: true,
  kubernetes: { server: 'https://kubernetes.example.com:6443', authority: 'PEM\n' },
  builder: { mode: 'rootless', image: 'registry.example.com/buildkit' },
  sleepAfterSeconds: 43_200,
  previewSeconds: 0,
  maxRuns: 20,
  releases: 'https://releases.example.com/devtool',
}

const plain = (object: Parameters<typeof printJsonLine>[0]): JsonObject => JSON.parse(printJsonLine(object))

/** As the cluster has it. */
const installed = (told: PlatformInstallation): MemoryCluster => {
  const cluster = memoryCluster()
  const policies = policiesFor(told.domain)
  const beneath = [...foundationFor(told), ...policies, ...bindingsOf(policies, 'Deny')]
  const plans = [
    platformPlan(told, { clientSecret: '', sessionKey: '' }),
    ...(told.builder === undefined ? [] : [builderPlan(told.builder, noKeys)]),
  ]
  const programs = plans.flatMap((plan) => partition(plan.actions).Apply)
  for (const object of [...beneath, ...programs.map((action) => action.object)]) cluster.put(plain(object))
  return cluster
}

const objectsOf = async (cluster: MemoryCluster) => {
  const get = (kind: KnownKind, name: string, namespace = 'devtool-system'): Promise<ClusterObject | undefined> =>
    done(cluster.get({ resource: resources[kind], namespace, name }))
  const deployment = await get('Deployment', 'api')
  if (deployment === undefined) throw new Error('it is not there')
  return {
    deployment,
    ingress: await get('Ingress', 'api'),
    authority: await get('ConfigMap', 'devtool-cluster-ca'),
    builder: await get('StatefulSet', 'buildkitd', 'devtool-builder'),
  }
}

const forms: ReadonlyArray<PlatformInstallation['tls']> = [
  { _tag: 'SelfSigned' },
  { _tag: 'Secret', name: 'wildcard' },
  { _tag: 'Issuer', name: 'letsencrypt' },
  { _tag: 'None' },
]

for (const tls of forms) {
  test(`the settings of an installation are read back from its objects (${tls._tag})`, async () => {
    const told = { ...installation, tls }
    assert.equal(readInstallation(await objectsOf(installed(told))), told)
  })
}

test('a privileged builder is read back as such', async () => {
  const told: PlatformInstallation = { ...installation, builder: { mode: 'privileged', image: 'buildkit' } }
  assert.equal(readInstallation(await objectsOf(installed(told))), told)
})

test('settings that were not given are absent', async () => {
  const {
    builder: _builder,
    ingressClass: _class,
    kubernetes: _kubernetes,
    maxRuns: _runs,
    previewSeconds: _preview,
    registry: _registry,
    releases: _releases,
    sleepAfterSeconds: _sleep,
    ...least
  } = installation
  assert.equal(readInstallation(await objectsOf(installed(least))), least)
})

test('a platform without ready pods, or with a missing policy, is not healthy', async () => {
  const cluster = installed(installation)
  cluster.take('ValidatingAdmissionPolicyBinding', 'devtool-guard')
  cluster.take('Deployment', 'controller', 'devtool-system')
  for (const object of workload('devtool-system', 'controller', 'image', waiting)) cluster.put(object)
  const { items: bindings } = await done(cluster.list({ resource: resources.ValidatingAdmissionPolicyBinding }))
  const now = '2026-11-21T10:00:00Z'
  const [system, building] = await Promise.all(
    ['devtool-system', 'devtool-builder'].map((namespace) => done(readNamespaceNow(cluster, namespace, now))),
  )
  assert.ok(system !== undefined && building !== undefined)
  const { findings, value } = platformStatus({
    ...{ ...(await objectsOf(cluster)), bindings, system, building },
    users: [],
    namespaces: [],
  })
  assert.equal(
    findings.map(({ code, message }) => `${code} ${message}`),
    [
      'DT6307 0 of 2 pods of the api are ready',
      'DT6307 0 of 1 pods of the controller are ready (not controller-1-a): the image image is not in its registry',
      'DT6307 0 of 1 pods of the builder are ready',
      'DT6307 admission policies are not in effect: devtool-guard',
    ],
  )
  assert.equal([value.ready, value.wanted], [0, 4])
  assert.is(value.policies.length, bindings.length)
})

test('every request of the status of a platform ends with its signal', async () => {
  const cluster = installed(installation)
  const unsignalled: Array<string> = []
  const { signal } = new AbortController()
  const list: MemoryCluster['list'] = (selection, options) => {
    if (options?.signal !== signal) unsignalled.push(selection.resource.kind)
    return cluster.list(selection, options)
  }
  const { clock } = memoryPorts({ disk: new Map(), write: () => {} })
  const settings = { context: 'test', namespace: 'kube-system', settings: {}, isNamed: true, findings: [] }
  const { value } = await statusOfPlatform({ clock }, { cluster: { ...cluster, list }, ...settings }, signal)
  assert.is(value?.programs.length, 3)
  assert.equal(unsignalled, [])
})

/** What a later version grants, beside a user's access to a namespace. */
const granted = (cluster: MemoryCluster): void => {
  const rbac = 'rbac.authorization.k8s.io'
  const labels = systemLabels
  const binding = (kind: string) => ({
    apiVersion: `${rbac}/v1`,
    kind: `${kind}Binding`,
    roleRef: { apiGroup: rbac, kind, name: 'devtool-auditor' },
    subjects: [{ kind: 'ServiceAccount', name: 'devtool-api', namespace: 'devtool-system' }],
  })
  const name = 'devtool-auditor'
  cluster.put({ apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name, labels } })
  cluster.put({ ...binding('ClusterRole'), metadata: { name, labels } })
  cluster.put({ ...binding('Role'), metadata: { name, namespace: 'devtool-users', labels } })
  const access = { name: 'devtool-u-1', namespace: 'shop', labels: { 'dev.devtool/platform': 'access' } }
  cluster.put({ ...binding('ClusterRole'), kind: 'RoleBinding', metadata: access })
}

test('what only another version grants is outdated, and nothing else', async () => {
  const cluster = installed(installation)
  const reading = { cluster, signal: new AbortController().signal }
  const { builder: _builder, ...withoutBuilder } = installation
  const names = async (told: PlatformInstallation): Promise<ReadonlyArray<string>> =>
    (await rightOf(outdated(reading, told))).map((own) => nameIn(keyOfOwn(own)))
  assert.equal(await names(installation), [])
  granted(cluster)
  const others = [
    'ClusterRoleBinding/devtool-auditor',
    'devtool-users/RoleBinding/devtool-auditor',
    'ClusterRole/devtool-auditor',
  ]
  assert.equal(await names(installation), others)
  assert.equal(await names(withoutBuilder), others, 'the objects of a builder go with its namespace')
})

test('when a platform is removed, its rights and policies are deleted, users and their namespaces stay', async () => {
  const cluster = installed(installation)
  const labels = { 'dev.devtool/managed': 'true' }
  cluster.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels } })
  const user = { name: `u-${'0'.repeat(32)}`, namespace: 'devtool-users' }
  cluster.put({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: user })
  granted(cluster)
  const { clock, machine, progress, prompt } = memoryPorts({ disk: new Map(), write: () => {} })
  const target = { cluster, context: 'test', namespace: 'kube-system', settings: {}, isNamed: true, findings: [] }
  const signal = new AbortController().signal
  const ports = { clock, machine, progress, prompt: { ...prompt, confirm: () => TE.right(true) } }
  const { findings, value } = await uninstall(ports)({ target, isConfirmed: false, signal })
  assert.equal(findings, [])
  assert.equal(value, { namespaces: 1 })
  const names = async (kind: KnownKind): Promise<ReadonlyArray<string>> => {
    const { items } = await done(cluster.list({ resource: resources[kind] }))
    return items.map(({ metadata: { name } }) => name).toSorted()
  }
  assert.equal(await names('ValidatingAdmissionPolicy'), [])
  assert.equal(await names('ValidatingAdmissionPolicyBinding'), [])
  assert.equal(await names('ClusterRoleBinding'), [])
  assert.equal(await names('RoleBinding'), ['devtool-u-1'])
  assert.equal(await names('ClusterRole'), namespaceRoles.map(({ metadata: { name } }) => name).toSorted())
  assert.equal(await names('Namespace'), ['default', 'devtool-users', 'kube-system', 'shop'])
  assert.ok((await names('ServiceAccount')).includes(user.name))
})

test.run()
