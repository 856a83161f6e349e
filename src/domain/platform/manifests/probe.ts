/**
 * What a namespace that is not the platform's must be able to do while the policies are in effect, and what one of the
 * platform's must not: the former shows that they harm nobody, the latter that they are in effect at all.
 */
import type { JsonObject } from '../../cluster/json.ts'
import { apiVersionOf, type KnownKind, resources } from '../../cluster/resources.ts'
import { MANAGED_LABEL, NOWHERE_LABEL, PLATFORM_LABEL } from '../../k8s/labels.ts'

const NAME = 'devtool-probe'

const object = (
  kind: KnownKind,
  body: JsonObject,
  metadata: JsonObject = {},
): JsonObject & { readonly kind: string } => ({
  apiVersion: apiVersionOf(resources[kind]),
  kind,
  metadata: { name: NAME, ...metadata },
  ...body,
})

/** On the namespaces of a probe, which are removed whatever comes of it. */
export const PROBE_SELECTOR = `${PLATFORM_LABEL}=probe`

export const probeNamespace = (name: string, isManaged: boolean): JsonObject =>
  object(
    'Namespace',
    {},
    { name, labels: { [PLATFORM_LABEL]: 'probe', ...(isManaged ? { [MANAGED_LABEL]: 'true' } : {}) } },
  )

/** It never runs: it is deleted at once, and no node has the label. */
const pod: JsonObject = {
  spec: {
    automountServiceAccountToken: false,
    nodeSelector: { [NOWHERE_LABEL]: 'true' },
    securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: 'main',
        image: 'registry.k8s.io/pause:3.10',
        resources: { requests: { cpu: '1m', memory: '1Mi' }, limits: { cpu: '1m', memory: '8Mi' } },
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      },
    ],
  },
}

const ingress: JsonObject = {
  spec: {
    rules: [
      {
        host: 'probe.devtool.invalid',
        http: {
          paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: NAME, port: { number: 80 } } } }],
        },
      },
    ],
  },
}

export type ProbeKind = 'Service' | 'Pod' | 'Ingress'

/** A Service with an address of its own: the API server writes further objects for it, which no namespace holds. */
export const harmless: ReadonlyArray<{ readonly kind: ProbeKind; readonly name: string; readonly body: JsonObject }> = [
  { kind: 'Service', name: NAME, body: object('Service', { spec: { ports: [{ port: 80 }] } }) },
  { kind: 'Pod', name: NAME, body: object('Pod', pod) },
  { kind: 'Ingress', name: NAME, body: object('Ingress', ingress) },
]

/** Refused in a namespace of the platform by each of these policies. */
export const refused: ReadonlyArray<{ readonly kind: ProbeKind; readonly policy: string; readonly body: JsonObject }> =
  [
    {
      kind: 'Service',
      policy: 'devtool-edge-service',
      body: object('Service', { spec: { type: 'ExternalName', externalName: 'probe.devtool.invalid' } }),
    },
    { kind: 'Ingress', policy: 'devtool-edge-ingress', body: object('Ingress', ingress) },
  ]
