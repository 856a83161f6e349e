/** One broken service for each class of cause that `devtool why` must distinguish, as objects of a cluster. */
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { lifecycles } from './lifecycle-cases.ts'
import {
  check,
  claim,
  deployment,
  environment,
  job,
  labelsOf,
  mounted,
  serving,
  shell,
  type Workload,
} from './objects.ts'
import { programs } from './program-cases.ts'

/** `strict` enforces Pod Security, `bounded` has a quota and a limit range. */
export const allPlaces = ['open', 'strict', 'bounded'] as const
export type NamespaceKind = (typeof allPlaces)[number]

/** No kubelet runs these pods, whose image is in a registry that a test cannot have: it writes their status. */
export const noNode = 'why-e2e-nowhere'
const nowhere: JsonObject = { nodeName: noNode }

const images: Readonly<Record<string, ReadonlyArray<JsonObject>>> = {
  'image-name': [deployment('image-name', { container: { image: 'no-such-image:1' } })],
  'image-registry': [
    deployment('image-registry', { container: { image: 'registry.example.com/team/app:1' }, pod: nowhere }),
  ],
  'image-invalid': [deployment('image-invalid', { container: { image: 'Team/App:1' } })],
  'image-rights': [
    deployment('image-rights', { container: { image: 'registry.example.com/team/private:1' }, pod: nowhere }),
  ],
  'image-architecture': [deployment('image-architecture', { container: { image: 'why-e2e/other-architecture:1' } })],
  'image-format': [
    deployment('image-format', {
      container: { command: ['/made/program'], volumeMounts: [{ name: 'made', mountPath: '/made' }] },
      pod: {
        volumes: [{ name: 'made', emptyDir: {} }],
        initContainers: [
          {
            name: 'make',
            image: 'busybox:latest',
            imagePullPolicy: 'IfNotPresent',
            command: shell(String.raw`printf '\177ELF\002\001\001' > /made/program; chmod 755 /made/program`),
            volumeMounts: [{ name: 'made', mountPath: '/made' }],
          },
        ],
      },
    }),
  ],
}

const running: Readonly<Record<string, ReadonlyArray<JsonObject>>> = {
  crash: [
    deployment('crash', {
      container: { command: shell('echo reading /etc/app.conf; echo no such option: colour; exit 3') },
    }),
  ],
  'crash-clean': [deployment('crash-clean', { container: { command: shell('echo all done') } })],
  'out-of-memory': [
    deployment('out-of-memory', {
      container: { command: ['tail', '/dev/zero'], resources: { limits: { memory: '16Mi' } } },
    }),
  ],
  'probe-port': [deployment('probe-port', { container: { ...serving, readinessProbe: check(8080) } })],
  'probe-status': [
    deployment('probe-status', {
      container: { ...serving, readinessProbe: { httpGet: { path: '/health', port: 8000 }, periodSeconds: 1 } },
    }),
  ],
  'probe-command': [
    deployment('probe-command', {
      container: { readinessProbe: { exec: { command: shell('echo not migrated yet; exit 1') }, periodSeconds: 1 } },
    }),
  ],
  'probe-live': [deployment('probe-live', { container: { ...serving, livenessProbe: check(8080) } })],
  'init-fails': [
    deployment('init-fails', {
      pod: {
        initContainers: [
          {
            name: 'prepare',
            image: 'busybox:latest',
            imagePullPolicy: 'IfNotPresent',
            command: shell('echo cannot write /data; exit 4'),
          },
        ],
      },
    }),
  ],
  'job-failed': [job('job-failed', { container: { command: shell('echo relation users does not exist; exit 5') } })],
  'job-retried': [
    job('job-retried', {
      container: { command: shell('echo relation users does not exist; exit 5') },
      pod: { restartPolicy: 'OnFailure' },
      spec: { backoffLimit: 1 },
    }),
  ],
  'job-late': [job('job-late', { spec: { activeDeadlineSeconds: 5 } })],
  evicted: [
    job('evicted', {
      container: {
        command: shell('dd if=/dev/zero of=/spool/full bs=1M count=8 2>/dev/null; while :; do sleep 1; done'),
        volumeMounts: [{ name: 'spool', mountPath: '/spool' }],
      },
      pod: { volumes: [{ name: 'spool', emptyDir: { sizeLimit: '1Mi' } }] },
    }),
  ],
  dependency: [
    deployment('dependency', {
      dependsOn: { crash: 'service_healthy' },
      container: { command: shell('echo cannot reach crash:5432; exit 1') },
    }),
  ],
  healthy: [deployment('healthy')],
}

const scheduling: Readonly<Record<string, ReadonlyArray<JsonObject>>> = {
  'node-cpu': [deployment('node-cpu', { container: { resources: { requests: { cpu: '999' } } } })],
  'node-memory': [deployment('node-memory', { container: { resources: { requests: { memory: '9Ti' } } } })],
  'node-selector': [deployment('node-selector', { pod: { nodeSelector: { disk: 'nvme' } } })],
  'node-apart': [
    deployment('node-apart', {
      spec: { replicas: 9 },
      pod: {
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              {
                labelSelector: { matchLabels: { 'dev.devtool/service': 'node-apart' } },
                topologyKey: 'kubernetes.io/hostname',
              },
            ],
          },
        },
      },
    }),
  ],
  'node-port': [
    deployment('node-port', {
      spec: { replicas: 9 },
      container: { ports: [{ containerPort: 5996, hostPort: 5996 }] },
    }),
  ],
  'volume-elsewhere': [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'why-e2e-elsewhere', labels: labelsOf('volume-elsewhere') },
      spec: {
        capacity: { storage: '1Mi' },
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'why-e2e-elsewhere',
        local: { path: '/tmp' },
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['elsewhere'] }] },
            ],
          },
        },
      },
    },
    claim('volume-elsewhere', 'why-e2e-elsewhere'),
    deployment('volume-elsewhere', mounted('volume-elsewhere')),
  ],
  'claim-missing': [deployment('claim-missing', mounted('nobody-made-it'))],
  'claim-class': [claim('claim-class', 'no-such-class'), deployment('claim-class', mounted('claim-class'))],
  'claim-unbound': [claim('claim-unbound', ''), deployment('claim-unbound', mounted('claim-unbound'))],
}

const env = (source: JsonObject): Workload => ({ container: { env: [{ name: 'PASSWORD', valueFrom: source }] } })

const configured: Readonly<Record<string, ReadonlyArray<JsonObject>>> = {
  'config-secret': [deployment('config-secret', env({ secretKeyRef: { name: 'no-such-secret', key: 'password' } }))],
  'config-map': [deployment('config-map', env({ configMapKeyRef: { name: 'no-such-map', key: 'level' } }))],
  'config-key': [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'why-e2e-key', labels: labelsOf('config-key') },
      stringData: { user: 'app' },
    },
    deployment('config-key', env({ secretKeyRef: { name: 'why-e2e-key', key: 'password' } })),
  ],
  'config-item': [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'why-e2e-item', labels: labelsOf('config-item') },
    },
    deployment('config-item', {
      container: { volumeMounts: [{ name: 'conf', mountPath: '/conf' }] },
      pod: {
        volumes: [{ name: 'conf', configMap: { name: 'why-e2e-item', items: [{ key: 'level', path: 'level' }] } }],
      },
    }),
  ],
  'config-file': [
    deployment('config-file', {
      container: { volumeMounts: [{ name: 'key', mountPath: '/key' }] },
      pod: { volumes: [{ name: 'key', secret: { secretName: 'no-such-secret' } }] },
    }),
  ],
  'config-root': [deployment('config-root', { container: { securityContext: { runAsNonRoot: true } } })],
  'command-missing': [deployment('command-missing', { container: { command: ['serve-it'] } })],
  'command-forbidden': [deployment('command-forbidden', { container: { command: ['/etc/passwd'] } })],
  'account-missing': [deployment('account-missing', { pod: { serviceAccountName: 'nobody' } })],
  webhook: [
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'why-e2e.devtool.dev', labels: labelsOf('webhook') },
      webhooks: [
        {
          name: 'why-e2e.devtool.dev',
          clientConfig: { url: 'https://127.0.0.1:1/check' },
          rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
          objectSelector: {
            matchLabels: { 'dev.devtool/environment': environment, 'dev.devtool/service': 'webhook' },
          },
          failurePolicy: 'Fail',
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          timeoutSeconds: 1,
        },
      ],
    },
    deployment('webhook'),
  ],
  policy: [
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'why-e2e.devtool.dev', labels: labelsOf('policy') },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          objectSelector: {
            matchLabels: { 'dev.devtool/environment': environment, 'dev.devtool/service': 'policy' },
          },
          resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
        },
        validations: [{ expression: 'false', message: 'images must come from registry.example.com' }],
      },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: 'why-e2e.devtool.dev', labels: labelsOf('policy') },
      spec: { policyName: 'why-e2e.devtool.dev', validationActions: ['Deny'] },
    },
    deployment('policy'),
  ],
}

const strict = { 'pod-security': [deployment('pod-security')] }

const bounded: Readonly<Record<string, ReadonlyArray<JsonObject>>> = {
  quota: [
    {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'team', labels: {} },
      spec: { hard: { 'requests.cpu': '1' } },
    },
    deployment('quota', { container: { resources: { requests: { cpu: '2' } } } }),
  ],
  'limit-range': [
    {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'team', labels: {} },
      spec: { limits: [{ type: 'Container', max: { memory: '64Mi' } }] },
    },
    deployment('limit-range', {
      container: { resources: { requests: { cpu: '1m' }, limits: { memory: '1Gi' } } },
    }),
  ],
  'quota-unsaid': [deployment('quota-unsaid')],
}

/** By the namespace they need, then by class. */
export const brokenServices: Readonly<Record<NamespaceKind, Readonly<Record<string, ReadonlyArray<JsonObject>>>>> = {
  open: { ...images, ...running, ...scheduling, ...configured, ...programs, ...lifecycles },
  strict,
  bounded,
}
