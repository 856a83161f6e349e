/** The programs of the platform, as an environment that is deployed like any other. */
import { environmentLabels, serviceLabels } from '../../k8s/labels.ts'
import type {
  ConfigMap,
  Deployment,
  EnvVar,
  Ingress,
  KubeObject,
  Metadata,
  Probe,
  Secret,
  Service,
} from '../../k8s/types.ts'
import { defined, ifDefined } from '../../object/defined.ts'
import { refOf } from '../../plan/action.ts'
import { applyId } from '../../plan/ids.ts'
import type { Plan } from '../../plan/plan.ts'
import { SYSTEM_NAMESPACE } from '../names.ts'
import {
  AUTHORITY_SECRET,
  CERTIFICATE_SECRET,
  CLUSTER_AUTHORITY,
  HEALTH_PORT,
  HTTP_PORT,
  hostOf,
  ISSUER_ANNOTATION,
  OIDC_SECRET,
  PLATFORM_ENVIRONMENT,
  type PlatformInstallation,
  SESSION_SECRET,
  urlOf,
} from './installation.ts'
import { API_ACCOUNT } from './rights.ts'

const labels = environmentLabels(PLATFORM_ENVIRONMENT)
const api = serviceLabels(labels, 'api', new Map(), 'api')

const named = (name: string, own: Metadata['labels'] & object = api.own): Metadata => ({
  name,
  namespace: SYSTEM_NAMESPACE,
  labels: own,
})

/** Base64. */
export type PlatformKeys = {
  readonly clientSecret: string
  readonly sessionKey: string
  readonly certificate?: OwnKeys
}

/** Of the platform's own authority, and of its server: certificates and keys. */
type OwnKeys = Readonly<Record<'authority' | 'authorityKey' | 'server' | 'serverKey', string>>

const secret = (name: string, data: Readonly<Record<string, string>>, type: Secret['type'] = 'Opaque'): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: named(name, labels),
  type,
  data: new Map(Object.entries(data)),
})

/** Where they are only named. */
const noKeys: OwnKeys = { authority: '', authorityKey: '', server: '', serverKey: '' }

const ownSecrets = ({ authority, authorityKey, server, serverKey }: OwnKeys): ReadonlyArray<Secret> => [
  secret(AUTHORITY_SECRET, { 'ca.crt': authority, 'ca.key': authorityKey }),
  secret(CERTIFICATE_SECRET, { 'tls.crt': server, 'tls.key': serverKey }, 'kubernetes.io/tls'),
]

const envOf = (installation: PlatformInstallation): ReadonlyArray<EnvVar> => {
  const {
    admins,
    allowedDomains,
    allowedGroups,
    client,
    domain,
    issuer,
    kubernetes,
    proxies,
    registry = '',
  } = installation
  const values = {
    DEVTOOL_URL: urlOf(installation),
    DEVTOOL_DOMAIN: domain,
    DEVTOOL_REGISTRY: registry,
    DEVTOOL_IMAGE: installation.image,
    DEVTOOL_OIDC_ISSUER: issuer,
    DEVTOOL_OIDC_CLIENT: client,
    DEVTOOL_ADMINS: admins.join(','),
    DEVTOOL_ALLOWED_DOMAINS: allowedDomains.join(','),
    DEVTOOL_ALLOWED_GROUPS: allowedGroups.join(','),
    DEVTOOL_KUBERNETES_URL: kubernetes?.server ?? '',
    DEVTOOL_TRUSTED_PROXIES: proxies.join(','),
  }
  return Object.entries(values).flatMap(([name, value]) => (value === '' ? [] : [{ name, value }]))
}

const probe = (path: string, failureThreshold: number): Probe => ({
  httpGet: { path, port: HEALTH_PORT },
  periodSeconds: 5,
  timeoutSeconds: 3,
  failureThreshold,
})

/** Verifies the API server at the address that users are told. */
const authorityOf = ({ kubernetes }: PlatformInstallation): ConfigMap | undefined =>
  ifDefined(kubernetes?.authority, (pem) => ({
    apiVersion: 'v1' as const,
    kind: 'ConfigMap' as const,
    metadata: named(CLUSTER_AUTHORITY, labels),
    data: new Map([['ca.crt', pem]]),
  }))

const deployment = (installation: PlatformInstallation): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: named('api'),
  spec: {
    replicas: 2,
    selector: { matchLabels: api.selector },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    template: {
      metadata: { labels: api.pod },
      spec: {
        enableServiceLinks: false,
        automountServiceAccountToken: true,
        serviceAccountName: API_ACCOUNT,
        terminationGracePeriodSeconds: 30,
        securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
        topologySpreadConstraints: ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
          maxSkew: 1,
          topologyKey,
          whenUnsatisfiable: 'ScheduleAnyway',
          labelSelector: { matchLabels: api.selector },
        })),
        containers: [
          {
            name: 'api',
            image: installation.image,
            command: ['node', '/app/platform/api.cjs'],
            env: envOf(installation),
            ports: [HTTP_PORT, HEALTH_PORT].map((containerPort) => ({ containerPort, protocol: 'TCP' as const })),
            resources: {
              requests: new Map([
                ['cpu', '50m'],
                ['memory', '128Mi'],
              ]),
              limits: new Map([['memory', '512Mi']]),
            },
            readinessProbe: probe('/readyz', 2),
            livenessProbe: probe('/livez', 6),
            securityContext: {
              allowPrivilegeEscalation: false,
              capabilities: { drop: ['ALL'] },
              readOnlyRootFilesystem: true,
              runAsGroup: 65532,
              runAsNonRoot: true,
              runAsUser: 65532,
            },
            volumeMounts: [
              { name: 'oidc', mountPath: '/etc/devtool/oidc', readOnly: true },
              { name: 'session', mountPath: '/etc/devtool/session', readOnly: true },
              ...(authorityOf(installation) === undefined
                ? []
                : [{ name: 'cluster-ca', mountPath: '/etc/devtool/cluster-ca', readOnly: true }]),
              { name: 'tmp', mountPath: '/tmp' },
            ],
          },
        ],
        volumes: [
          { name: 'oidc', secret: { secretName: OIDC_SECRET } },
          { name: 'session', secret: { secretName: SESSION_SECRET } },
          ...(authorityOf(installation) === undefined
            ? []
            : [{ name: 'cluster-ca', configMap: { name: CLUSTER_AUTHORITY } }]),
          { name: 'tmp', emptyDir: { sizeLimit: '64Mi' } },
        ],
      },
    },
  },
})

const service: Service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: named('api'),
  spec: {
    selector: api.selector,
    ports: [{ name: 'http', port: 80, targetPort: HTTP_PORT, protocol: 'TCP' }],
  },
}

/** A Secret that cert-manager fills in, unless one is named. */
const certificateOf = ({ tls }: PlatformInstallation): string | undefined => {
  switch (tls._tag) {
    case 'Secret':
      return tls.name
    case 'Issuer':
      return 'devtool-tls'
    case 'SelfSigned':
      return CERTIFICATE_SECRET
    case 'None':
      return undefined
  }
}

const ingress = (installation: PlatformInstallation): Ingress => {
  const { domain, ingressClass, tls } = installation
  const [host, secretName] = [hostOf(domain), certificateOf(installation)]
  const annotations = tls._tag === 'Issuer' ? new Map([[ISSUER_ANNOTATION, tls.name]]) : undefined
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { ...named('api'), ...defined({ annotations }) },
    spec: {
      ...defined({
        ingressClassName: ingressClass,
        tls: ifDefined(secretName, (name) => [{ hosts: [host], secretName: name }]),
      }),
      rules: [
        {
          host,
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'api', port: { number: 80 } } } }],
          },
        },
      ],
    },
  }
}

export const platformPlan = (
  installation: PlatformInstallation,
  { certificate = noKeys, clientSecret, sessionKey }: PlatformKeys,
): Plan => {
  const authority = authorityOf(installation)
  const objects: ReadonlyArray<KubeObject> = [
    ...(authority === undefined ? [] : [authority]),
    secret(OIDC_SECRET, { 'client-secret': clientSecret }),
    secret(SESSION_SECRET, { key: sessionKey }),
    ...(installation.tls._tag === 'SelfSigned' ? ownSecrets(certificate) : []),
    deployment(installation),
    service,
    ingress(installation),
  ]
  return {
    schema: 1,
    environment: PLATFORM_ENVIRONMENT,
    actions: objects.map((object) => ({ _tag: 'Apply', id: applyId(refOf(object)), after: [], object, origins: [] })),
  }
}
