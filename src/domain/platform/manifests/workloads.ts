/** The platform's programs, as an environment that is deployed like any other. */
import { environmentLabels, type ServiceLabels, serviceLabels } from '../../k8s/labels.ts'
import type {
  ConfigMap,
  Deployment,
  EnvVar,
  Ingress,
  KubeObject,
  Metadata,
  PodVolume,
  Probe,
  Secret,
  Service,
  VolumeMount,
} from '../../k8s/types.ts'
import { defined, ifDefined } from '../../object/defined.ts'
import type { Plan } from '../../plan/plan.ts'
import { SYSTEM_NAMESPACE } from '../names.ts'
import { BUILDER_AUTHORITY_SECRET } from './builder.ts'
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
import { planOf } from './plan.ts'
import { API_ACCOUNT, CONTROLLER_ACCOUNT } from './rights.ts'

const labels = environmentLabels(PLATFORM_ENVIRONMENT)
const api = serviceLabels(labels, 'api', new Map(), 'api')
const controller = serviceLabels(labels, 'controller', new Map(), 'controller')

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
  readonly builder?: OwnKeys
}

/** Certificates and keys of the platform's own authority, and of its server. */
export type OwnKeys = Readonly<Record<'authority' | 'authorityKey' | 'server' | 'serverKey', string>>

const secret = (name: string, data: Readonly<Record<string, string>>, type: Secret['type'] = 'Opaque'): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: named(name, labels),
  type,
  data: new Map(Object.entries(data)),
})

/** For output in which Secrets are only named. */
export const noKeys: OwnKeys = { authority: '', authorityKey: '', server: '', serverKey: '' }

const authoritySecret = (name: string, { authority, authorityKey }: OwnKeys): Secret =>
  secret(name, { 'ca.crt': authority, 'ca.key': authorityKey })

const ownSecrets = (keys: OwnKeys): ReadonlyArray<Secret> => [
  authoritySecret(AUTHORITY_SECRET, keys),
  secret(CERTIFICATE_SECRET, { 'tls.crt': keys.server, 'tls.key': keys.serverKey }, 'kubernetes.io/tls'),
]

const envOf = (installation: PlatformInstallation): ReadonlyArray<EnvVar> => {
  const {
    admins,
    allowedDomains,
    allowedGroups,
    client,
    domain,
    isInsecureIssuer = false,
    issuer,
    kubernetes,
    maxRuns,
    previewSeconds,
    proxies,
    registry = '',
    releases = '',
    sleepAfterSeconds,
  } = installation
  const values = {
    DEVTOOL_URL: urlOf(installation),
    DEVTOOL_DOMAIN: domain,
    DEVTOOL_REGISTRY: registry,
    DEVTOOL_IMAGE: installation.image,
    DEVTOOL_OIDC_ISSUER: issuer,
    DEVTOOL_OIDC_CLIENT: client,
    DEVTOOL_INSECURE_ISSUER: isInsecureIssuer ? 'true' : '',
    DEVTOOL_ADMINS: admins.join(','),
    DEVTOOL_ALLOWED_DOMAINS: allowedDomains.join(','),
    DEVTOOL_ALLOWED_GROUPS: allowedGroups.join(','),
    DEVTOOL_KUBERNETES_URL: kubernetes?.server ?? '',
    DEVTOOL_TRUSTED_PROXIES: proxies.join(','),
    DEVTOOL_SLEEP_AFTER: String(sleepAfterSeconds ?? ''),
    DEVTOOL_PREVIEW_TTL: String(previewSeconds ?? ''),
    DEVTOOL_MAX_RUNS: String(maxRuns ?? ''),
    DEVTOOL_BUILDER: installation.builder === undefined ? '' : 'true',
    DEVTOOL_RELEASE_URL: releases,
  }
  return Object.entries(values).flatMap(([name, value]) => (value === '' ? [] : [{ name, value }]))
}

const probe = (path: string, failureThreshold: number): Probe => ({
  httpGet: { path, port: HEALTH_PORT },
  periodSeconds: 5,
  timeoutSeconds: 3,
  failureThreshold,
})

/** The certificates that verify the API server at the address given to users. */
const authorityOf = ({ kubernetes }: PlatformInstallation): ConfigMap | undefined =>
  ifDefined(kubernetes?.authority, (pem) => ({
    apiVersion: 'v1' as const,
    kind: 'ConfigMap' as const,
    metadata: named(CLUSTER_AUTHORITY, labels),
    data: new Map([['ca.crt', pem]]),
  }))

type Program = {
  readonly name: 'api' | 'controller'
  readonly account: string
  readonly env: ReadonlyArray<EnvVar>
  readonly ports: ReadonlyArray<number>
  readonly mounts: ReadonlyArray<VolumeMount>
  readonly volumes: ReadonlyArray<PodVolume>
}

/** Two pods of a program, on different nodes if there are several. */
const deployment = (
  image: string,
  labelled: ServiceLabels,
  { account, env, mounts, name, ports, volumes }: Program,
): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: named(name, labelled.own),
  spec: {
    replicas: 2,
    selector: { matchLabels: labelled.selector },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    template: {
      metadata: { labels: labelled.pod },
      spec: {
        enableServiceLinks: false,
        automountServiceAccountToken: true,
        serviceAccountName: account,
        terminationGracePeriodSeconds: 30,
        securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
        topologySpreadConstraints: ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
          maxSkew: 1,
          topologyKey,
          whenUnsatisfiable: 'ScheduleAnyway',
          labelSelector: { matchLabels: labelled.selector },
        })),
        containers: [
          {
            name,
            image,
            command: ['node', `/app/platform/${name}.cjs`],
            env,
            ports: ports.map((containerPort) => ({ containerPort, protocol: 'TCP' as const })),
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
            volumeMounts: [...mounts, { name: 'tmp', mountPath: '/tmp' }],
          },
        ],
        volumes: [...volumes, { name: 'tmp', emptyDir: { sizeLimit: '64Mi' } }],
      },
    },
  },
})

const apiDeployment = (installation: PlatformInstallation): Deployment => {
  const [hasAuthority, hasBuilder] = [authorityOf(installation) !== undefined, installation.builder !== undefined]
  return deployment(installation.image, api, {
    name: 'api',
    account: API_ACCOUNT,
    env: envOf(installation),
    ports: [HTTP_PORT, HEALTH_PORT],
    mounts: [
      { name: 'oidc', mountPath: '/etc/devtool/oidc', readOnly: true },
      { name: 'session', mountPath: '/etc/devtool/session', readOnly: true },
      ...(hasAuthority ? [{ name: 'cluster-ca', mountPath: '/etc/devtool/cluster-ca', readOnly: true }] : []),
      ...(hasBuilder ? [{ name: 'builder', mountPath: '/etc/devtool/builder', readOnly: true }] : []),
    ],
    volumes: [
      { name: 'oidc', secret: { secretName: OIDC_SECRET } },
      { name: 'session', secret: { secretName: SESSION_SECRET } },
      ...(hasAuthority ? [{ name: 'cluster-ca', configMap: { name: CLUSTER_AUTHORITY } }] : []),
      ...(hasBuilder ? [{ name: 'builder', secret: { secretName: BUILDER_AUTHORITY_SECRET } }] : []),
    ],
  })
}

/** The controller starts runs and serves no requests. */
const controllerDeployment = (installation: PlatformInstallation): Deployment =>
  deployment(installation.image, controller, {
    name: 'controller',
    account: CONTROLLER_ACCOUNT,
    env: envOf(installation).filter(({ name }) => /_(DOMAIN|REGISTRY|IMAGE|SLEEP_AFTER|MAX_RUNS|BUILDER)$/.test(name)),
    ports: [HEALTH_PORT],
    mounts: [],
    volumes: [],
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

/** The name of a Secret, which cert-manager fills in unless the user named one. */
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
  { builder = noKeys, certificate = noKeys, clientSecret, sessionKey }: PlatformKeys,
): Plan => {
  const authority = authorityOf(installation)
  const objects: ReadonlyArray<KubeObject> = [
    ...(authority === undefined ? [] : [authority]),
    secret(OIDC_SECRET, { 'client-secret': clientSecret }),
    secret(SESSION_SECRET, { key: sessionKey }),
    ...(installation.tls._tag === 'SelfSigned' ? ownSecrets(certificate) : []),
    ...(installation.builder === undefined ? [] : [authoritySecret(BUILDER_AUTHORITY_SECRET, builder)]),
    apiDeployment(installation),
    controllerDeployment(installation),
    service,
    ingress(installation),
  ]
  return planOf(PLATFORM_ENVIRONMENT, objects)
}
