/** Workloads of every kind that `up` supports. */
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import type { DevKind } from '../../../src/domain/dev/workload.ts'

const apiVersions: Readonly<Record<DevKind, string>> = {
  Deployment: 'apps/v1',
  StatefulSet: 'apps/v1',
  DaemonSet: 'apps/v1',
  Job: 'batch/v1',
  CronJob: 'batch/v1',
}

/** `spec` overrides members of the default spec, `pod` those of its pod. */
export type WorkloadParts = {
  readonly name?: string
  readonly spec?: JsonObject
  readonly pod?: JsonObject
  readonly annotations?: JsonObject
  readonly labels?: JsonObject
}

const container: JsonObject = {
  name: 'app',
  image: 'busybox:1.37',
  command: ['sh', '-c', 'trap exit TERM; while :; do sleep 1; done'],
  env: [{ name: 'COLOUR', value: 'red' }],
  resources: { requests: { cpu: '10m', memory: '16Mi' } },
}

export const workload = (
  kind: DevKind,
  { annotations, labels = {}, name = 'api', pod = {}, spec = {} }: WorkloadParts = {},
): JsonObject => {
  const isJob = kind === 'Job' || kind === 'CronJob'
  const template = {
    metadata: { labels: { app: name } },
    spec: {
      containers: [container],
      terminationGracePeriodSeconds: 1,
      ...(isJob ? { restartPolicy: 'Never' } : {}),
      ...pod,
    },
  }
  const selector = { matchLabels: { app: name } }
  const specs: Readonly<Record<DevKind, JsonObject>> = {
    Deployment: { replicas: 2, selector, template },
    StatefulSet: { replicas: 2, serviceName: name, selector, template },
    DaemonSet: { selector, template },
    Job: { template, backoffLimit: 0 },
    CronJob: { schedule: '0 0 1 1 *', jobTemplate: { spec: { template } } },
  }
  return {
    apiVersion: apiVersions[kind],
    kind,
    metadata: { name, labels: { app: name, ...labels }, ...(annotations === undefined ? {} : { annotations }) },
    spec: { ...specs[kind], ...spec },
  }
}
