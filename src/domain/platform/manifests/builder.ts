/**
 * The build service: BuildKit in a namespace of its own, since building needs more privileges than tenants may have. It
 * listens on the loopback device of its pod, which users reach by a port-forward, and accepts only clients with a
 * certificate, since the steps of builds share that device.
 */
import { CONFIG_ANNOTATION, environmentLabels, MANAGED_LABEL, serviceLabels } from '../../k8s/labels.ts'
import type { Container, Secret, StatefulSet } from '../../k8s/types.ts'
import { sha256 } from '../../text/sha256.ts'
import { BUILDER_NAMESPACE, BUILDER_ROLE, SCOPED_GROUP, SYSTEM_NAMESPACE, USERS_GROUP } from '../names.ts'
import { outside } from '../namespace/objects.ts'
import { planOf } from './plan.ts'
import { API_ACCOUNT, CONTROLLER_ACCOUNT, RBAC_GROUP, RBAC_VERSION, systemLabels } from './rights.ts'
import type { NetworkPolicy, PlatformNamespace, PlatformObject, RbacRule, Role, RoleBinding } from './types.ts'

/** Rootless requires user namespaces on the nodes; privileged may do everything on its node. */
export type BuilderMode = 'rootless' | 'privileged'

export type BuilderInstallation = { readonly mode: BuilderMode; readonly image: string }

const BUILDKIT_VERSION = 'v0.33.0'
export const builderImageOf = (mode: BuilderMode): string =>
  `moby/buildkit:${BUILDKIT_VERSION}${mode === 'rootless' ? '-rootless' : ''}`

/** The environment in the namespace of the build service. */
export const BUILDER_ENVIRONMENT = 'builder'
export const BUILDER_SERVICE = 'buildkitd'
export const BUILDER_PORT = 1234
/** Signs the certificates of the builder and its clients; only the API server has its key. */
export const BUILDER_AUTHORITY_SECRET = 'devtool-builder-ca'
export const BUILDER_CERTIFICATE_SECRET = 'devtool-builder-tls'
/** The name in its certificate; it does not exist in any network. */
export const BUILDER_HOST = 'builder.devtool'
/** A ConfigMap that an administrator may create, with a `buildkitd.toml`, for example for mirrors. */
const CONFIG = 'buildkitd'

export const builderNamespace: PlatformNamespace = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name: BUILDER_NAMESPACE,
    labels: { ...systemLabels, 'pod-security.kubernetes.io/enforce': 'privileged' },
  },
}

const metadata = (name: string) => ({ name, namespace: BUILDER_NAMESPACE, labels: systemLabels })

const users = (name: string) => ({ apiGroup: RBAC_GROUP, kind: 'Group', name }) as const

const given = (
  name: string,
  subjects: RoleBinding['subjects'],
  rules: ReadonlyArray<RbacRule>,
): ReadonlyArray<Role | RoleBinding> => [
  { apiVersion: RBAC_VERSION, kind: 'Role', metadata: metadata(name), rules },
  {
    apiVersion: RBAC_VERSION,
    kind: 'RoleBinding',
    metadata: metadata(name),
    roleRef: { apiGroup: RBAC_GROUP, kind: 'Role', name },
    subjects,
  },
]

/** No connections from the network. The steps of builds may reach the Internet and the cluster's DNS, but no tenant. */
const network: NetworkPolicy = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: metadata('isolated'),
  spec: {
    podSelector: {},
    policyTypes: ['Ingress', 'Egress'],
    ingress: [],
    egress: [
      { to: [{ namespaceSelector: { matchExpressions: [{ key: MANAGED_LABEL, operator: 'DoesNotExist' }] } }] },
      { to: outside },
    ],
  },
}

export const builderFoundation: ReadonlyArray<PlatformObject> = [
  builderNamespace,
  ...given(
    API_ACCOUNT,
    [{ kind: 'ServiceAccount', name: API_ACCOUNT, namespace: SYSTEM_NAMESPACE }],
    [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }],
  ),
  // For the accounts of runs. The policies say which.
  ...given(
    CONTROLLER_ACCOUNT,
    [{ kind: 'ServiceAccount', name: CONTROLLER_ACCOUNT, namespace: SYSTEM_NAMESPACE }],
    [
      { apiGroups: [RBAC_GROUP], resources: ['rolebindings'], verbs: ['create'] },
      { apiGroups: [RBAC_GROUP], resources: ['roles'], verbs: ['bind'], resourceNames: [BUILDER_ROLE] },
    ],
  ),
  ...given(
    BUILDER_ROLE,
    [users(USERS_GROUP), users(SCOPED_GROUP)],
    [
      { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
      { apiGroups: [''], resources: ['pods/portforward'], verbs: ['get', 'create'] },
    ],
  ),
  network,
]

/** Base64. */
export type BuilderKeys = Readonly<Record<'authority' | 'server' | 'serverKey', string>>

const labels = environmentLabels(BUILDER_ENVIRONMENT)
const own = serviceLabels(labels, BUILDER_SERVICE, new Map(), BUILDER_SERVICE)

const SOCKET = 'unix:///run/buildkit/buildkitd.sock'
const TLS = '/etc/devtool/tls'

/** Through the socket, which the steps of builds cannot reach. */
const probe = (periodSeconds: number, failureThreshold: number) => ({
  exec: { command: ['buildctl', '--addr', SOCKET, 'debug', 'workers'] },
  periodSeconds,
  timeoutSeconds: 10,
  failureThreshold,
})

const container = ({ image, mode }: BuilderInstallation): Container => ({
  name: BUILDER_SERVICE,
  image,
  command: mode === 'rootless' ? ['rootlesskit', 'buildkitd'] : ['buildkitd'],
  args: [
    `--addr=${SOCKET}`,
    `--addr=tcp://127.0.0.1:${BUILDER_PORT}`,
    `--tlscert=${TLS}/tls.crt`,
    `--tlskey=${TLS}/tls.key`,
    `--tlscacert=${TLS}/ca.crt`,
    '--config=/etc/devtool/config/buildkitd.toml',
    '--root=/var/lib/buildkit',
    ...(mode === 'rootless' ? ['--oci-worker-no-process-sandbox'] : []),
  ],
  readinessProbe: probe(5, 3),
  livenessProbe: probe(30, 4),
  resources: {
    requests: new Map([
      ['cpu', '250m'],
      ['memory', '512Mi'],
    ]),
    limits: new Map([['memory', '4Gi']]),
  },
  securityContext:
    mode === 'rootless'
      ? { runAsUser: 1000, runAsGroup: 1000, appArmorProfile: { type: 'Unconfined' } }
      : { privileged: true },
  volumeMounts: [
    { name: 'cache', mountPath: '/var/lib/buildkit' },
    { name: 'run', mountPath: '/run/buildkit' },
    { name: 'tls', mountPath: TLS, readOnly: true },
    { name: 'config', mountPath: '/etc/devtool/config', readOnly: true },
  ],
})

const builder = (installation: BuilderInstallation, keys: BuilderKeys): StatefulSet => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: BUILDER_SERVICE, namespace: BUILDER_NAMESPACE, labels: own.own },
  spec: {
    replicas: 1,
    // There is no Service of this name, since nobody connects through the network.
    serviceName: BUILDER_SERVICE,
    podManagementPolicy: 'Parallel',
    revisionHistoryLimit: 2,
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
    selector: { matchLabels: own.selector },
    template: {
      // BuildKit reads its certificate only when it starts, so a new one restarts the pod.
      metadata: { labels: own.pod, annotations: new Map([[CONFIG_ANNOTATION, sha256(keys.server)]]) },
      spec: {
        enableServiceLinks: false,
        automountServiceAccountToken: false,
        terminationGracePeriodSeconds: 60,
        securityContext: { fsGroup: 1000, seccompProfile: { type: 'Unconfined' } },
        containers: [container(installation)],
        volumes: [
          { name: 'run', emptyDir: {} },
          { name: 'tls', secret: { secretName: BUILDER_CERTIFICATE_SECRET } },
          { name: 'config', configMap: { name: CONFIG, optional: true } },
        ],
      },
    },
    volumeClaimTemplates: [
      {
        metadata: { name: 'cache', labels: own.own },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: new Map([['storage', '20Gi']]) } },
      },
    ],
  },
})

const certificate = ({ authority, server, serverKey }: BuilderKeys): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: BUILDER_CERTIFICATE_SECRET, namespace: BUILDER_NAMESPACE, labels },
  type: 'kubernetes.io/tls',
  data: new Map([
    ['ca.crt', authority],
    ['tls.crt', server],
    ['tls.key', serverKey],
  ]),
})

export const builderPlan = (installation: BuilderInstallation, keys: BuilderKeys) =>
  planOf(BUILDER_ENVIRONMENT, [certificate(keys), builder(installation, keys)])
