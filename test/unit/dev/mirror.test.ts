/** The pod of a development container: what a section changes, and what stays as in the workload. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { at, isObject, type Json, type JsonObject, listAt, textAt } from '../../../src/domain/cluster/json.ts'
import { type ClusterObject, isLive } from '../../../src/domain/cluster/live.ts'
import { planUp, type UpPlan } from '../../../src/domain/dev/activate.ts'
import { beatPatch, type DevRecord } from '../../../src/domain/dev/record.ts'
import type { UpRequest } from '../../../src/domain/dev/request.ts'
import type { DevKind } from '../../../src/domain/dev/workload.ts'
import { devOf, requestOf } from '../../support/dev/request.ts'
import { templateFor } from '../../support/dev/template.ts'
import { type WorkloadParts, workload } from '../../support/dev/workloads.ts'
import { observedOf } from '../../support/kube/live.ts'

const liveWorkload = (kind: DevKind, parts: WorkloadParts = {}): ClusterObject => {
  const object = workload(kind, parts)
  const metadata = isObject(object['metadata']) ? object['metadata'] : {}
  const live = { ...object, metadata: { uid: 'u1', resourceVersion: '1', ...metadata } }
  if (!isLive(live)) throw new Error('no live object')
  return live
}

const planOf = (request: UpRequest, lives: ReadonlyArray<ClusterObject>): UpPlan => {
  const planned = planUp(request, observedOf(lives))
  if (E.isLeft(planned)) throw new Error(planned.left.map(({ message }) => message).join('\n'))
  return planned.right
}

const recordIn = ({ record }: UpPlan): DevRecord => {
  if (record === undefined) throw new Error('there is no record')
  return record
}

type Mirror = { readonly record: DevRecord; readonly metadata: Json; readonly pod: Json; readonly app: Json }

const mirrorOf = (section: string, live: ClusterObject, more: Partial<UpRequest> = {}): Mirror => {
  const dev = devOf({ 'devtool.yml': `dev:\n  api:\n${section}` })
  const request = requestOf(dev, { consents: new Set(['Nodes', 'RunningJob']), ...more })
  const record = recordIn(planOf(request, [live]))
  const template = templateFor(request, record, live)
  const pod = at(template, 'spec') ?? null
  const app = listAt(pod, 'containers').find((one) => textAt(one, 'name') === record.container) ?? null
  return { record, metadata: at(template, 'metadata') ?? null, pod, app }
}

const image = '    image: node:22\n'

test('settings that the section does not name are those of the workload', () => {
  const sidecar = { name: 'proxy', image: 'envoy:1', resources: { limits: { memory: '64Mi' } } }
  const app = {
    name: 'app',
    image: 'shop/api:1',
    env: [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }],
    envFrom: [{ configMapRef: { name: 'settings' } }],
    resources: { limits: { memory: '1Gi' } },
    securityContext: { runAsUser: 1000 },
    volumeMounts: [{ name: 'data', mountPath: '/data' }],
  }
  const pod: JsonObject = {
    containers: [app, sidecar],
    serviceAccountName: 'api',
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ key: 'gpu', operator: 'Exists' }],
    imagePullSecrets: [{ name: 'registry' }],
    securityContext: { fsGroup: 1000 },
    volumes: [{ name: 'data', emptyDir: {} }],
  }
  const mirror = mirrorOf('    persistentVolume:\n      enabled: false\n', liveWorkload('Deployment', { pod }))
  for (const name of ['serviceAccountName', 'nodeSelector', 'tolerations', 'imagePullSecrets', 'securityContext']) {
    assert.equal(at(mirror.pod, name), pod[name])
  }
  for (const name of ['image', 'env', 'envFrom', 'resources', 'securityContext'] as const) {
    assert.equal(at(mirror.app, name), app[name])
  }
  assert.equal(listAt(mirror.app, 'volumeMounts')[0], app.volumeMounts[0])
  assert.equal(
    listAt(mirror.pod, 'containers').find((one) => textAt(one, 'name') === 'proxy'),
    sidecar,
  )
})

test('every setting of a section overrides the container and its pod', () => {
  const section = `${image}    imagePullPolicy: Always
    workdir: /src
    environment:
      COLOUR: $(blue)
      SIZE: "7"
    resources:
      requests: { cpu: 100m }
      limits: { memory: 2Gi }
    nodeSelector: { zone: a }
    tolerations: [{ key: gpu, operator: Exists, tolerationSeconds: 30 }]
    affinity:
      nodeAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms: [{ matchExpressions: [{ key: disk, operator: Exists }] }]
    metadata:
      labels: { team: a }
      annotations: { note: "yes" }
    securityContext:
      runAsUser: 1000
      runAsGroup: 1000
      fsGroup: 2000
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { add: [SYS_PTRACE], drop: [ALL] }
    serviceAccount: builder
    priorityClassName: low
    probes: { readiness: true }
    lifecycle:
      postStart: { enabled: true, command: "echo hi" }
    sshServerPort: 3022
    initContainer:
      image: node:20-bookworm-slim
      resources: { limits: { memory: 300Mi } }
    sync: [".:/src"]
    volumes: [/root/.cache]
    externalVolumes: ["shared:models:/models"]
`
  const probe = { exec: { command: ['true'] } }
  const app = {
    name: 'app',
    image: 'shop/api:1',
    env: [{ name: 'COLOUR', value: 'red' }],
    readinessProbe: probe,
    livenessProbe: probe,
  }
  const secrets = [{ remote: '/root/.token', mode: 0o400, base64: 'YQ==' }]
  const live = liveWorkload('Deployment', { pod: { containers: [app], nodeSelector: { disk: 'ssd' } } })
  const { app: developed, metadata, pod, record } = mirrorOf(section, live, { secrets })
  assert.is(record.port, 3022)
  assert.ok(record.isFilling)
  assert.is(at(developed, 'image'), 'node:22')
  assert.is(at(developed, 'imagePullPolicy'), 'Always')
  assert.is(at(developed, 'workingDir'), '/src')
  assert.equal(listAt(developed, 'env').slice(0, 2), [
    { name: 'COLOUR', value: '$$(blue)' },
    { name: 'SIZE', value: '7' },
  ])
  assert.equal(at(developed, 'resources'), { requests: { cpu: '100m' }, limits: { memory: '2Gi' } })
  assert.equal(at(developed, 'securityContext'), {
    runAsUser: 1000,
    runAsGroup: 1000,
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { add: ['SYS_PTRACE'], drop: ['ALL'] },
  })
  assert.equal(at(developed, 'readinessProbe'), probe)
  assert.is(at(developed, 'livenessProbe'), undefined)
  assert.equal(at(developed, 'lifecycle'), { postStart: { exec: { command: ['sh', '-c', 'echo hi'] } } })
  assert.is(at(pod, 'securityContext', 'fsGroup'), 2000)
  assert.is(at(pod, 'serviceAccountName'), 'builder')
  assert.is(at(pod, 'priorityClassName'), 'low')
  assert.equal(at(pod, 'nodeSelector'), { disk: 'ssd', zone: 'a' })
  assert.equal(at(pod, 'tolerations'), [{ key: 'gpu', operator: 'Exists', tolerationSeconds: 30 }])
  assert.ok(at(pod, 'affinity', 'nodeAffinity') !== undefined)
  assert.is(at(metadata, 'labels', 'team'), 'a')
  assert.is(at(metadata, 'annotations', 'note'), 'yes')
  const mounts = listAt(developed, 'volumeMounts').map(
    (mount) => `${textAt(mount, 'mountPath')} ${textAt(mount, 'name')} ${textAt(mount, 'subPath')}`,
  )
  assert.equal(mounts.slice(0, 4), [
    '/src devtool-claim src/src',
    '/root/.cache devtool-claim data/root/.cache',
    '/models devtool-external-0 models',
    '/root/.token devtool-files file-0',
  ])
  const [installer, filler] = listAt(pod, 'containers')
  assert.is(at(installer, 'image'), 'node:20-bookworm-slim')
  assert.equal(at(installer, 'resources'), { limits: { memory: '300Mi' } })
  assert.is(textAt(filler, 'name'), 'devtool-agent-fill')
  assert.equal(at(filler, 'resources'), at(installer, 'resources'))
  assert.equal(
    listAt(filler, 'volumeMounts').map((mount) => `${textAt(mount, 'mountPath')} ${textAt(mount, 'subPath')}`),
    ['/var/devtool undefined', '/var/devtool-fill/0 src/src', '/var/devtool-fill/1 data/root/.cache'],
  )
})

test('the mirror of a StatefulSet has the claims, the name and the labels of its first pod', () => {
  const spec = { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: {} }], ordinals: { start: 3 } }
  const { metadata, pod } = mirrorOf(image, liveWorkload('StatefulSet', { name: 'api', spec }))
  assert.is(at(pod, 'hostname'), 'api-3')
  assert.is(at(pod, 'subdomain'), 'api')
  assert.equal(listAt(pod, 'volumes')[0], { name: 'data', persistentVolumeClaim: { claimName: 'data-api-3' } })
  assert.is(at(metadata, 'labels', 'statefulset.kubernetes.io/pod-name'), 'api-3')
})

test('the mirror of a Job always runs, and is not counted as its pod', () => {
  const template = {
    metadata: { labels: { app: 'api', 'job-name': 'api', 'batch.kubernetes.io/controller-uid': 'u' } },
    spec: { containers: [{ name: 'app', image: 'a' }], restartPolicy: 'Never', activeDeadlineSeconds: 60 },
  }
  const { metadata, pod } = mirrorOf(image, liveWorkload('Job', { spec: { template } }))
  assert.is(at(pod, 'restartPolicy'), 'Always')
  assert.is(at(pod, 'activeDeadlineSeconds'), undefined)
  assert.equal(Object.keys(Object(at(metadata, 'labels'))), ['app', 'dev.devtool/kind', 'dev.devtool/mirror'])
})

test('the mirror of a stopped DaemonSet runs on a node where the DaemonSet ran', () => {
  const pod = { nodeSelector: { disk: 'ssd', 'dev.devtool/nowhere': 'true' } }
  assert.equal(at(mirrorOf(image, liveWorkload('DaemonSet', { pod })).pod, 'nodeSelector'), { disk: 'ssd' })
})

test('in hybrid mode the container keeps its image, and has no volumes of its own', () => {
  const { app, pod, record } = mirrorOf(`${image}    mode: hybrid\n    volumes: [/cache]\n`, liveWorkload('Deployment'))
  assert.is(at(app, 'image'), 'busybox:1.37')
  assert.not(record.isFilling)
  assert.not(listAt(pod, 'volumes').some((volume) => at(volume, 'persistentVolumeClaim') !== undefined))
})

test('in hybrid mode, where nothing is synchronised, a ConfigMap at the folder stays', () => {
  const pod: JsonObject = {
    containers: [{ name: 'app', image: 'shop/api:1', volumeMounts: [{ name: 'conf', mountPath: '/etc/shop' }] }],
    volumes: [{ name: 'conf', configMap: { name: 'conf' } }],
  }
  const mountsWith = (mode: string): ReadonlyArray<Json> =>
    listAt(mirrorOf(`${mode}    sync: ["conf:/etc/shop"]\n`, liveWorkload('Deployment', { pod })).app, 'volumeMounts')
  const isConf = (mount: Json): boolean => textAt(mount, 'name') === 'conf'
  assert.ok(mountsWith('    mode: hybrid\n').some(isConf))
  assert.not.ok(mountsWith(image).some(isConf))
})

test('a pod in the network of its node has a port of its own for the agent', () => {
  const { record } = mirrorOf(image, liveWorkload('Deployment', { pod: { hostNetwork: true } }))
  assert.ok(record.port >= 20_000 && record.port < 30_000)
})

test('a service has its own command, the files of the development container, and its node', () => {
  const dev = devOf({
    'devtool.yml': `dev:
  api:
    sync: [".:/src"]
    services:
      - name: worker
        command: ["run", "worker"]
        replicas: 2
        sync: ["jobs:/jobs"]
`,
  })
  const [service] = dev.services
  if (service === undefined) throw new Error('no service')
  const live = liveWorkload('Deployment', { name: 'worker' })
  const request = requestOf(dev, { service, main: 'devtool-up-deployment-api' })
  const record = recordIn(planOf(request, [live]))
  const template = templateFor(request, record, live)
  const [app, ...others] = listAt(template, 'spec', 'containers')
  assert.is(others.length, 0)
  assert.equal(at(app, 'command'), ['run', 'worker'])
  assert.equal(listAt(app, 'volumeMounts'), [{ name: 'devtool-claim', mountPath: '/jobs', subPath: 'src/src/jobs' }])
  const near = 'requiredDuringSchedulingIgnoredDuringExecution'
  assert.is(listAt(template, 'spec', 'affinity', 'podAffinity', near).length, 1)
  assert.is(record.main, 'devtool-up-deployment-api')
})

test('a running Job and a DaemonSet with nodes need confirmation before anything is written', () => {
  const asked = (live: ClusterObject) => {
    const plan = planOf(requestOf(devOf({ 'devtool.yml': `dev:\n  api:\n${image}` })), [live])
    assert.is(plan.actions.length, 0)
    return plan.asks.map(({ text }) => text)
  }
  const status = { status: { currentNumberScheduled: 2 } }
  assert.equal(asked(liveWorkload('Job')), ['Job/api is running: suspend it, which ends its pods?'])
  assert.equal(asked({ ...liveWorkload('DaemonSet'), ...status }), [
    'DaemonSet/api runs on 2 nodes: stop it on all of them?',
  ])
})

test('autocreate makes a Deployment that runs nothing, and a Service for the forwarded ports', () => {
  const dev = devOf({ 'devtool.yml': `dev:\n  api:\n${image}    autocreate: true\n    forward: ["8080:80"]\n` })
  const { actions, record } = planOf(requestOf(dev), [])
  assert.equal(
    actions.map(({ id }) => id),
    ['create/Service/api', 'create/Deployment/api'],
  )
  assert.is(record, undefined)
})

test('a heartbeat changes only its time', () => {
  assert.equal(beatPatch('2026-11-21T10:00:00Z'), { data: { beat: '2026-11-21T10:00:00Z' } })
})

test.run()
