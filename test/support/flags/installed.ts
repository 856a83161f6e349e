/** Effects of the flags for installing a platform, which are visible in the printed manifests. */
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { adds, behind, type Effects, loglevel, output } from './effect.ts'
import { files } from './world.ts'

const installing = [
  ...['--domain', 'apps.example.com', '--admin', 'ann@example.com', '--image', 'r.test/platform:1'],
  ...['--oidc-issuer', 'https://login.example.com', '--oidc-client', 'devtool'],
]

export const installed: Effects = {
  ...behind(
    {
      '--domain': adds('--domain', 'other.example.com'),
      '--oidc-issuer': adds('--oidc-issuer', 'https://other.example.com'),
      '--insecure-issuer': adds('--insecure-issuer'),
      '--oidc-client': adds('--oidc-client', 'other'),
      '--admin': adds('--admin', 'ben@example.com'),
      '--allow-domain': adds('--allow-domain', 'example.com'),
      '--allow-group': adds('--allow-group', 'team'),
      '--trusted-proxy': adds('--trusted-proxy', '10.0.0.0/16'),
      '--kubernetes-url': adds('--kubernetes-url', 'https://k8s.example.com:6443'),
      '--tls': adds('--tls', 'issuer=letsencrypt'),
      '--ingress-class': adds('--ingress-class', 'nginx'),
      '--registry': adds('--registry', 'r.test/team'),
      '--image': adds('--image', 'r.test/platform:2'),
      '--builder': adds('--builder', 'none'),
      '--builder-image': adds('--builder-image', 'r.test/buildkit'),
      '--max-runs': adds('--max-runs', '20'),
      '--preview-ttl': adds('--preview-ttl', '30d'),
      '--release-url': adds('--release-url', 'https://releases.example.com/devtool'),
      '--sleep-after': adds('--sleep-after', '12h'),
    },
    [...installing, '--dry-run'],
  ),
  ...behind(
    {
      '--context': adds('--context', 'other'),
      '--kubeconfig': adds('--kubeconfig', 'mine.yaml'),
      '--loglevel': { line: ['--dry-run', '--yes'], flag: ['--loglevel', 'error'] },
      '--oidc-secret': { line: ['--yes', '--timeout', '2s'], flag: ['--oidc-secret', 'secret.txt'] },
      '--dry-run': adds('--dry-run'),
      '--diff': { line: ['--yes', '--oidc-secret', 'secret.txt', '--timeout', '2s'], flag: ['--diff'] },
      '--yes': adds('--yes'),
      '--timeout': { line: ['--yes', '--oidc-secret', 'secret.txt', '--timeout', '4s'], flag: ['--timeout', '2s'] },
      '--progress': { line: ['--yes', '--oidc-secret', 'secret.txt', '--timeout', '2s'], flag: ['--progress', 'json'] },
    },
    installing,
    { files: { ...files, 'secret.txt': 's3cret' } },
  ),
}

/** Everything that the other commands need of an installation. */
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'api', namespace: 'devtool-system', labels: { 'dev.devtool/environment': 'platform' } },
  spec: {
    replicas: 2,
    template: {
      spec: {
        containers: [
          {
            name: 'api',
            image: 'r.test/platform:1',
            env: [
              { name: 'DEVTOOL_DOMAIN', value: 'apps.example.com' },
              { name: 'DEVTOOL_OIDC_ISSUER', value: 'https://login.example.com' },
              { name: 'DEVTOOL_OIDC_CLIENT', value: 'devtool' },
            ],
          },
        ],
      },
    },
  },
}

const namespace = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'devtool-system', labels: { 'dev.devtool/platform': 'system' } },
}

const users = { ...namespace, metadata: { ...namespace.metadata, name: 'devtool-users' } }

const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'devtool-oidc', namespace: 'devtool-system' },
  data: { 'client-secret': 'czNjcmV0' },
}

export const platformObjects: ReadonlyArray<JsonObject> = [namespace, deployment, secret]
const there = { objects: platformObjects }

const reached: Effects = {
  '--context': adds('--context', 'other'),
  '--kubeconfig': adds('--kubeconfig', 'mine.yaml'),
}

export const platformStatus: Effects = behind({ ...reached, ...loglevel, ...output }, [], there)

export const uninstalled: Effects = behind(
  {
    ...reached,
    '--loglevel': { line: ['--yes'], flag: ['--loglevel', 'error'] },
    '--yes': adds('--yes'),
    '--progress': { line: ['--yes'], flag: ['--progress', 'json'] },
  },
  [],
  there,
)

export const backedUp: Effects = behind({ ...reached, ...loglevel }, [], there)

/** Access of a user who does not exist. */
const leftNamespace = { ...namespace, metadata: { name: 'shop', labels: { 'dev.devtool/managed': 'true' } } }
const left = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name: 'gone', namespace: 'shop', labels: { 'dev.devtool/platform': 'access' } },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'devtool-member' },
  subjects: [{ kind: 'ServiceAccount', namespace: 'devtool-users', name: `u-${'1'.repeat(32)}` }],
}

export const garbage: ReadonlyArray<JsonObject> = [leftNamespace, left]

export const collected: Effects = behind(
  {
    ...behind({ ...reached, ...output }, ['--dry-run']),
    '--dry-run': { line: ['--yes'], flag: ['--dry-run'] },
    '--loglevel': { line: ['--yes'], flag: ['--loglevel', 'error'] },
    '--yes': adds('--yes'),
    '--progress': { line: ['--yes'], flag: ['--progress', 'json'] },
  },
  [],
  { objects: [...platformObjects, ...garbage] },
)

const user = `u-${'0'.repeat(32)}`

/** Of one user, without any access. */
const kept = `apiVersion: v1
kind: ServiceAccount
metadata:
  name: ${user}
  namespace: devtool-users
  labels: {dev.devtool/platform: user}
  annotations: {dev.devtool/email: ann@example.com}
`

export const restored: Effects = behind(
  {
    ...behind(reached, ['--yes']),
    '--loglevel': { line: ['--yes'], flag: ['--loglevel', 'error'] },
    '--yes': adds('--yes'),
    '--progress': { line: ['--yes'], flag: ['--progress', 'json'] },
  },
  ['kept.yaml'],
  { files: { ...files, 'kept.yaml': kept }, objects: [...platformObjects, users] },
)

const quick = ['--yes', '--image', 'r.test/platform:2', '--timeout']

export const upgraded: Effects = behind(
  {
    ...behind(reached, [...quick, '2s']),
    '--loglevel': { line: [...quick, '2s'], flag: ['--loglevel', 'error'] },
    '--image': { line: ['--yes', '--timeout', '2s'], flag: ['--image', 'r.test/platform:2'] },
    '--yes': { line: ['--image', 'r.test/platform:2', '--timeout', '2s'], flag: ['--yes'] },
    '--diff': { line: [...quick, '2s'], flag: ['--diff'] },
    '--timeout': { line: [...quick, '4s'], flag: ['--timeout', '2s'] },
    '--progress': { line: [...quick, '2s'], flag: ['--progress', 'json'] },
  },
  [],
  there,
)
