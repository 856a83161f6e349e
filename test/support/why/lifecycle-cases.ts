/** Programs that start, and are then stopped, moved, or get no traffic. */
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { check, claim, deployment, environment, labelsOf, serving, shell, template } from './objects.ts'

const failing = { exec: { command: shell('echo no route to the queue; exit 7') } }

const service = (name: string, port: number): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, labels: labelsOf(name) },
  spec: {
    selector: { 'dev.devtool/environment': environment, 'dev.devtool/service': name },
    ports: [{ name: 'http', port, targetPort: port }],
  },
})

const ingress = (name: string, port: number): JsonObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name, labels: labelsOf(name) },
  spec: {
    rules: [
      {
        host: `${name}.example.com`,
        http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name, port: { number: port } } } }] },
      },
    ],
  },
})

/** Listens on 8000, but declares another port. */
const elsewhere = { ...serving, ports: [{ containerPort: 8090 }] }

export const lifecycles: Readonly<Record<string, ReadonlyArray<JsonObject>>> = {
  'port-awaited': [deployment('port-awaited', { container: elsewhere })],
  'port-awaiting': [
    deployment('port-awaiting', {
      dependsOn: { 'port-awaited': 'service_healthy' },
      container: { command: shell('echo no answer from port-awaited; exit 1') },
    }),
  ],
  'ingress-port': [
    deployment('ingress-port', { container: elsewhere }),
    service('ingress-port', 8090),
    ingress('ingress-port', 8090),
  ],
  'slow-start': [
    deployment('slow-start', {
      container: {
        command: shell('sleep 600; exec httpd -f -p 8000'),
        ports: [{ containerPort: 8000 }],
        livenessProbe: check(8000),
      },
    }),
  ],
  'post-start': [deployment('post-start', { container: { lifecycle: { postStart: failing } } })],
  'pre-stop': [
    deployment('pre-stop', {
      container: {
        ...serving,
        readinessProbe: { ...check(8000), initialDelaySeconds: 900 },
        livenessProbe: { ...check(8000), failureThreshold: 1, httpGet: { path: '/gone', port: 8000 } },
        lifecycle: { preStop: failing },
      },
    }),
  ],
  'readiness-gate': [
    deployment('readiness-gate', { pod: { readinessGates: [{ conditionType: 'example.com/in-balancer' }] } }),
  ],
  'restarts-repeat': [
    deployment('restarts-repeat', {
      container: {
        command: shell(
          'f=/seen/runs; n=$(cat $f 2>/dev/null || echo 0); echo $((n + 1)) > $f; [ $n -ge 3 ] || { echo lost the queue; exit 9; }; while :; do sleep 1; done',
        ),
        volumeMounts: [{ name: 'seen', mountPath: '/seen' }],
      },
      pod: { volumes: [{ name: 'seen', emptyDir: {} }] },
    }),
  ],
  'evicted-repeat': [
    claim('evicted-repeat'),
    deployment('evicted-repeat', {
      spec: { replicas: 3 },
      container: {
        command: shell(
          'for n in 1 2 3; do mkdir /seen/$n 2>/dev/null && dd if=/dev/zero of=/spool/full bs=1M count=8 2>/dev/null && break; done; while :; do sleep 1; done',
        ),
        volumeMounts: [
          { name: 'seen', mountPath: '/seen' },
          { name: 'spool', mountPath: '/spool' },
        ],
      },
      pod: {
        volumes: [
          { name: 'seen', persistentVolumeClaim: { claimName: 'evicted-repeat' } },
          { name: 'spool', emptyDir: { sizeLimit: '1Mi' } },
        ],
      },
    }),
  ],
  'bare-pod': [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'bare-pod', labels: labelsOf('bare-pod') },
      spec: template('bare-pod', { container: { image: 'no-such-image:1' } })['spec'] ?? null,
    },
  ],
}
