/** Every setting of a `dev` section has its effect in the pod of a development container, and of a service beside it. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { at, isObject, type Json, listAt, textAt } from '../../src/domain/cluster/json.ts'
import type { Lab, Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { sleeping } from '../support/e2e/sleeping.ts'
import { until } from '../support/process/until.ts'

const options = { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim', OF_HERE: 'from here' } }

const section = `dev:
  backend:
    selector: { part: backend }
    container: app
    image: busybox:latest
    imagePullPolicy: IfNotPresent
    workdir: /srv
    sync: ["code:/srv"]
    environment: [LEVEL=debug, OF_HERE]
    envFiles: vars.env
    secrets: ["key.pem:/run/keys/key:400"]
    volumes: [/cache]
    externalVolumes: ["shared:models:/models"]
    persistentVolume:
      size: 10Mi
      accessMode: ReadWriteOnce
      storageClass: STORAGE_CLASS
      volumeMode: Filesystem
      labels: { of: claim }
      annotations: { at: claim }
    sshServerPort: 3022
    serviceAccount: builder
    priorityClassName: system-cluster-critical
    securityContext:
      runAsUser: 1234
      runAsGroup: 1235
      fsGroup: 1236
      runAsNonRoot: true
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { add: [NET_BIND_SERVICE], drop: [ALL] }
    resources:
      requests: { memory: 32Mi }
      limits: { memory: 300Mi }
    nodeSelector: { kubernetes.io/os: linux }
    affinity:
      nodeAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms: [{ matchExpressions: [{ key: kubernetes.io/os, operator: In, values: [linux] }] }]
    tolerations: [{ key: development, operator: Exists }]
    metadata:
      labels: { team: a }
      annotations: { note: mine }
    probes: { liveness: true, readiness: true, startup: true }
    lifecycle:
      postStart: { command: [touch, /cache/started] }
      preStop: { command: [touch, /cache/stopped] }
    initContainer:
      image: node:22.23-bookworm-slim
      resources: { requests: { cpu: 7m }, limits: { memory: 200Mi } }
    timeout: { resources: 3m }
    services:
      - name: worker
        container: worker
        image: busybox:latest
        command: [sh, -c, "until cat job; do sleep 0.2; done 2>/dev/null; echo $LEVEL $0; sleep 3600"]
        args: [argument]
        workdir: /jobs
        environment: { LEVEL: low }
        sync: ["code/jobs:/jobs"]
        replicas: 2
        resources: { requests: { cpu: 8m } }
        metadata: { labels: { team: b } }
`

/** Runs in the development container. */
const look = `echo "$LEVEL $OF_HERE $OF_FILE $COLOR"
pwd
echo "$(id -u) $(id -g) $(id -G)"
cat /run/keys/key
stat -Lc %a /run/keys/key
cat code.txt
touch /cache/own /models/own /srv/own && echo written
touch /own || echo read-only
grep -E '^(NoNewPrivs|CapEff|CapBnd):' /proc/self/status | tr -s '\\t' ' '
ls /cache
cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null
netstat -ltn | grep -c :3022
cut -d. -f2 /var/run/secrets/kubernetes.io/serviceaccount/token | base64 -d 2>/dev/null | grep -c :builder
`

const seen = [
  'debug from here from-file blue',
  '/srv',
  '1234 1235 1235 1236',
  'private',
  // `fsGroup` adds the right of its group.
  '440',
  'mine',
  'written',
  'read-only',
  'CapBnd: 0000000000000400',
  'own',
  'started',
  String(300 * 1024 * 1024),
  '1',
  '1',
]

const probe = { exec: { command: ['true'] }, timeoutSeconds: 30 }

/** Returns the storage class of its claims. */
const prepared = async (space: Space): Promise<string> => {
  space.write('vars.env', 'OF_FILE=from-file\n')
  space.write('key.pem', 'private\n')
  space.write('code/code.txt', 'mine\n')
  space.write('code/jobs/job', 'a job\n')
  await space.create('PersistentVolumeClaim', {
    metadata: { name: 'shared' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Mi' } } },
  })
  const storageClass =
    textAt((await space.get('PersistentVolumeClaim', 'shared')) ?? null, 'spec', 'storageClassName') ?? ''
  space.write('devtool.yml', section.replace('STORAGE_CLASS', storageClass))
  await space.create('ServiceAccount', { metadata: { name: 'builder' } })
  const probes = { livenessProbe: probe, readinessProbe: probe, startupProbe: probe }
  const side = { name: 'side', image: 'busybox:1.37', command: ['sleep', '3600'] }
  const app = {
    name: 'app',
    image: 'busybox:1.37',
    command: ['sleep', '3600'],
    env: [{ name: 'COLOR', value: 'blue' }],
  }
  const api = sleeping({ replicas: 1, pod: { containers: [side, { ...app, ...probes }] } })
  await space.create('Deployment', { ...api, metadata: { name: 'api', labels: { part: 'backend' } } })
  await space.create('Deployment', named('worker'))
  return storageClass
}

/** A Deployment that sleeps, with another name. */
const named = (name: string) =>
  JSON.parse(JSON.stringify(sleeping({ replicas: 1 })).replaceAll(/"(api|app)"(?!:)/g, `"${name}"`))

const podsOf = async (space: Space, name: string) =>
  (await space.list('Pod', `dev.devtool/mirror=devtool-up-deployment-${name}`)).filter(
    ({ metadata }) => metadata.deletionTimestamp === undefined,
  )

const containerIn = (pod: Json | undefined, name: string): Json | undefined =>
  listAt(pod, 'spec', 'containers').find((one) => textAt(one, 'name') === name)

const includes = (actual: Json | undefined, wanted: Json): void => {
  if (!isObject(wanted)) return assert.equal(actual, wanted)
  for (const [name, value = null] of Object.entries(wanted)) includes(at(actual ?? null, name), value)
}

const fields = async (space: Space, { api }: Lab): Promise<void> => {
  const storageClassName = await prepared(space)
  const up = await space.run('up', '--yes', '--command', look)
  assert.is(up.status, 0, up.stderr)
  const lines = up.stdout.split('\n')
  assert.equal(
    seen.filter((line) => !lines.includes(line)),
    [],
    up.stdout,
  )
  assert.match(up.stdout, /^NoNewPrivs: 1$/m)

  const [pod] = await podsOf(space, 'api')
  assert.equal([pod?.metadata.labels?.['team'], pod?.metadata.annotations?.['note']], ['a', 'mine'])
  includes(at(pod ?? null, 'spec'), {
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    priority: 2_000_000_000,
    serviceAccountName: 'builder',
  })
  assert.ok(listAt(pod, 'spec', 'tolerations').some((one) => textAt(one, 'key') === 'development'))
  assert.ok(at(pod ?? null, 'spec', 'affinity', 'nodeAffinity') !== undefined)
  const app = containerIn(pod, 'app')
  includes(app, {
    image: 'busybox:latest',
    imagePullPolicy: 'IfNotPresent',
    resources: { requests: { memory: '32Mi' } },
  })
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) includes(at(app ?? null, name), probe)
  includes(containerIn(pod, 'devtool-agent'), { resources: { requests: { cpu: '7m' }, limits: { memory: '200Mi' } } })
  const original = await space.get('Deployment', 'api')
  assert.is(original?.metadata.annotations?.['note'], 'mine')
  const claim = await space.get('PersistentVolumeClaim', 'devtool-up-deployment-api')
  assert.equal([claim?.metadata.labels?.['of'], claim?.metadata.annotations?.['at']], ['claim', 'claim'])
  includes(at(claim ?? null, 'spec'), { accessModes: ['ReadWriteOnce'], storageClassName, volumeMode: 'Filesystem' })

  await until('both pods of the service', async () => (await podsOf(space, 'worker')).length === 2)
  const [worker] = await podsOf(space, 'worker')
  assert.is(worker?.metadata.labels?.['team'], 'b')
  includes(containerIn(worker, 'worker'), { image: 'busybox:latest', resources: { requests: { cpu: '8m' } } })
  await until('the service has the files and its command', async () => {
    const path = `/api/v1/namespaces/${space.namespace}/pods/${worker?.metadata.name}/log?container=worker`
    return (await api.send({ method: 'GET', path })).body === 'a job\nlow argument\n'
  })

  const before = new Set((await podsOf(space, 'worker')).map(({ metadata: { uid } }) => uid))
  before.add(pod?.metadata.uid ?? '')
  await space.must('restart')
  await until('all pods are others', async () => {
    const now = [...(await podsOf(space, 'api')), ...(await podsOf(space, 'worker'))]
    return now.length === 3 && now.every(({ metadata: { uid } }) => !before.has(uid))
  })
  await until('the hook of the first pod has run before its end', async () =>
    (await space.run('exec', '--', 'ls', '/cache')).stdout.includes('stopped\n'),
  )
  await space.must('down', '--volumes')
  assert.is((await space.get('Deployment', 'api'))?.metadata.annotations?.['note'], undefined)
  assert.is(at((await space.get('Deployment', 'worker')) ?? null, 'spec', 'replicas'), 1)
}

const all: ReadonlyArray<Scenario> = [
  {
    title: 'every setting of a section has its effect, and restart replaces all of its pods',
    space: 'dev-fields',
    options,
    run: fields,
  },
]

const test = suite('dev-fields')
await scenarios(test, all)
test.run()
