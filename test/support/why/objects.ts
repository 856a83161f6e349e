/** Workloads for tests on a cluster: each is valid except for what a case overrides. */

import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { defined } from '../../../src/domain/object/defined.ts'

export const environment = 'broken'

export const labelsOf = (service: string): JsonObject => ({
  'app.kubernetes.io/managed-by': 'devtool',
  'dev.devtool/environment': environment,
  'dev.devtool/service': service,
})

export type Workload = {
  readonly container?: JsonObject
  readonly pod?: JsonObject
  readonly spec?: JsonObject
  readonly dependsOn?: JsonObject
}

const metadata = (service: string, dependsOn?: JsonObject): JsonObject => ({
  name: service,
  labels: labelsOf(service),
  ...(dependsOn === undefined ? {} : { annotations: { 'dev.devtool/depends-on': JSON.stringify(dependsOn) } }),
})

/** Runs long enough for every test, and ends at once when it is stopped. */
const forever: ReadonlyArray<string> = ['sh', '-c', 'trap exit TERM; while :; do sleep 1; done']
export const shell = (script: string): ReadonlyArray<string> => ['sh', '-c', script]

export const template = (service: string, { container, pod }: Workload): JsonObject => ({
  metadata: { labels: labelsOf(service) },
  spec: {
    terminationGracePeriodSeconds: 1,
    automountServiceAccountToken: false,
    containers: [
      { name: service, image: 'busybox:latest', imagePullPolicy: 'IfNotPresent', command: forever, ...container },
    ],
    ...pod,
  },
})

export const deployment = (service: string, workload: Workload = {}): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: metadata(service, workload.dependsOn),
  spec: {
    selector: { matchLabels: { 'dev.devtool/environment': environment, 'dev.devtool/service': service } },
    template: template(service, workload),
    ...workload.spec,
  },
})

export const job = (service: string, { pod, ...workload }: Workload): JsonObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: metadata(service),
  spec: {
    backoffLimit: 0,
    template: template(service, { ...workload, pod: { restartPolicy: 'Never', ...pod } }),
    ...workload.spec,
  },
})

/** Of the default class, if none is named. */
export const claim = (service: string, storageClassName?: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: metadata(service),
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Mi' } },
    ...defined({ storageClassName }),
  },
})

export const mounted = (claimName: string): Workload => ({
  container: { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
  pod: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }] },
})

export const check = (port: number): JsonObject => ({
  httpGet: { path: '/', port },
  periodSeconds: 1,
  failureThreshold: 2,
})
export const serving = { command: ['httpd', '-f', '-p', '8000'], ports: [{ containerPort: 8000 }] }
