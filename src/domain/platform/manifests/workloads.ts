/** The programs of the platform, as an environment that is deployed like any other. */
import { environmentLabels, serviceLabels } from '../../k8s/labels.ts'
import type { Deployment, EnvVar, Ingress, KubeObject, Metadata, Probe, Secret, Service } from '../../k8s/types.ts'
import { defined, ifDefined } from '../../object/defined.ts'
import { refOf } from '../../plan/action.ts'
import { applyId } from '../../plan/ids.ts'
import type { Plan } from '../../plan/plan.ts'
import { SYSTEM_NAMESPACE } from '../names.ts'
import {
  hostOf,
  OIDC_SECRET,
  PLATFORM_ENVIRONMENT,
  type PlatformInstallation,
  SESSION_SECRET,
  urlOf,
} from './installation.ts'
import { API_ACCOUNT } from './rights.ts'

const HTTP_PORT = 8080
/** Probes and metrics, which are not served to users. */
const HEALTH_PORT = 9090

const labels = environmentLabels(PLATFORM_ENVIRONMENT)
const api = serviceLabels(labels, 'api', new Map(), 'api')

const named = (name: string, own: Metadata['labels'] & object = api.own): Metadata => ({
  name,
  namespace: SYSTEM_NAMESPACE,
  labels: own,
})

/** Base64. */
export type PlatformKeys = { readonly clientSecret: string; readonly sessionKey: string }

const secret = (name: string, key: string, value: string): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: named(name, labels),
  type: 'Opaque',
  data: new Map([[key, value]]),
})

const envOf = (installation: PlatformInstallation): ReadonlyArray<EnvVar> => {
  const { admins, allowedDomains, client, domain, issuer, registry = '', server = '' } = installation
  const values = {
    DEVTOOL_URL: urlOf(installation),
    DEVTOOL_DOMAIN: domain,
    DEVTOOL_REGISTRY: registry,
    DEVTOOL_OIDC_ISSUER: issuer,
    DEVTOOL_OIDC_CLIENT: client,
    DEVTOOL_ADMINS: admins.join(','),
    DEVTOOL_ALLOWED_DOMAINS: allowedDomains.join(','),
    DEVTOOL_KUBERNETES_URL: server,
  }
  return Object.entries(values).flatMap(([name, value]) => (value === '' ? [] : [{ name, value }]))
}

const probe = (path: string, failureThreshold: number): Probe => ({
  httpGet: { path, port: HEALTH_PORT },
  periodSeconds: 5,
  timeoutSeconds: 3,
  failureThreshold,
})

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
              { name: 'tmp', mountPath: '/tmp' },
            ],
          },
        ],
        volumes: [
          { name: 'oidc', secret: { secretName: OIDC_SECRET } },
          { name: 'session', secret: { secretName: SESSION_SECRET } },
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
    case 'None':
      return undefined
  }
}

const ingress = (installation: PlatformInstallation): Ingress => {
  const { domain, ingressClass, tls } = installation
  const [host, secretName] = [hostOf(domain), certificateOf(installation)]
  const annotations = tls._tag === 'Issuer' ? new Map([['cert-manager.io/cluster-issuer', tls.name]]) : undefined
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

export const platformPlan = (installation: PlatformInstallation, { clientSecret, sessionKey }: PlatformKeys): Plan => {
  const objects: ReadonlyArray<KubeObject> = [
    secret(OIDC_SECRET, 'client-secret', clientSecret),
    secret(SESSION_SECRET, 'key', sessionKey),
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
