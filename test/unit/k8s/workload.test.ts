import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { WorkloadKind } from '../../../src/domain/compose/model.ts'
import { printYaml } from '../../../src/domain/print/yaml.ts'
import { dnsLabel } from '../../../src/domain/text/dns-name.ts'
import {
  anonymous,
  dependency,
  line,
  modelWith,
  port,
  serviceWith,
  volume,
  written,
} from '../../support/compose/model.ts'
import { appliesIn, codesOf, objectsIn, ofKind, planOf, templateIn } from '../../support/compose/plan.ts'

const stateful: WorkloadKind = { _tag: 'StatefulSet', at: line(1) }

test('a minimal Deployment has only fields that differ from the defaults', () => {
  const [deployment] = ofKind(planOf(modelWith([serviceWith('web')])), 'Deployment')
  assert.is(
    deployment === undefined ? '' : printYaml(deployment),
    `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels:
    app.kubernetes.io/managed-by: devtool
    app.kubernetes.io/part-of: shop
    dev.devtool/environment: shop
    app.kubernetes.io/name: web
    dev.devtool/service: web
spec:
  selector:
    matchLabels:
      dev.devtool/environment: shop
      dev.devtool/service: web
  template:
    metadata:
      labels:
        app.kubernetes.io/managed-by: devtool
        app.kubernetes.io/part-of: shop
        dev.devtool/environment: shop
        app.kubernetes.io/name: web
        dev.devtool/service: web
    spec:
      enableServiceLinks: false
      automountServiceAccountToken: false
      terminationGracePeriodSeconds: 10
      securityContext:
        seccompProfile:
          type: RuntimeDefault
      containers:
      - name: web
        image: nginx
`,
  )
})

test('a StatefulSet starts its pods together and keeps its claims', () => {
  const service = serviceWith('db', { kind: stateful, mounts: [anonymous('/data')] })
  const spec = ofKind(planOf(modelWith([service])), 'StatefulSet')[0]?.spec
  assert.is(spec?.serviceName, 'db')
  assert.is(spec?.podManagementPolicy, 'Parallel')
  assert.is(spec?.revisionHistoryLimit, 2)
  assert.equal(spec?.persistentVolumeClaimRetentionPolicy, { whenDeleted: 'Retain', whenScaled: 'Retain' })
  assert.equal(spec?.volumeClaimTemplates?.[0]?.spec, {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: new Map([['storage', '1Gi']]) },
  })
})

test('the name of a StatefulSet is cut to 52 characters with a warning; that of its Service is not', () => {
  const name = 'd'.repeat(60)
  const model = modelWith([serviceWith(name, { kind: stateful }, 4)])
  assert.equal(
    objectsIn(planOf(model)).map(({ metadata }) => metadata.name),
    [dnsLabel(name, 52), name],
  )
  assert.equal(codesOf(model), ['DT1103:4'])
  assert.equal(codesOf(modelWith([serviceWith(name)])), [])
})

const jobSpec = (kind: WorkloadKind, replicas?: number) => {
  const service = serviceWith('job', { kind, ...(replicas === undefined ? {} : { replicas: written(replicas) }) })
  return ofKind(planOf(modelWith([service])), 'Job')[0]
}

test('a Job runs once, a number of times, or until it succeeds', () => {
  const never: WorkloadKind = { _tag: 'Job', restart: 'Never', attempts: 0, at: line(1) }
  assert.is(jobSpec(never)?.spec.backoffLimit, 0)
  assert.is(jobSpec(never)?.spec.completions, undefined)
  assert.is(jobSpec({ _tag: 'Job', restart: 'OnFailure', attempts: 3, at: line(1) })?.spec.backoffLimit, 3)
  assert.is(jobSpec({ _tag: 'Job', restart: 'OnFailure', at: line(1) })?.spec.backoffLimit, 2147483647)
  assert.is(jobSpec({ _tag: 'Job', restart: 'OnFailure', at: line(1) })?.spec.template.spec.restartPolicy, 'OnFailure')
  assert.is(jobSpec(never, 2)?.spec.completions, 2)
  assert.is(jobSpec(never, 2)?.spec.parallelism, 2)
})

test('the template hash of a Job changes with its template only', () => {
  const kind: WorkloadKind = { _tag: 'Job', restart: 'Never', attempts: 0, at: line(1) }
  const hash = (image: string, note: string) => {
    const service = serviceWith('job', {
      kind,
      image: written(image),
      workloadAnnotations: [{ name: 'n', value: note, at: line(1) }],
    })
    return ofKind(planOf(modelWith([service])), 'Job')[0]?.metadata.annotations?.get('dev.devtool/template-hash')
  }
  assert.match(hash('a', '') ?? '', /^[0-9a-f]{64}$/)
  assert.is(hash('a', ''), hash('a', 'other'))
  assert.is.not(hash('a', ''), hash('b', ''))
})

test('a DaemonSet has no number of replicas', () => {
  const model = modelWith([serviceWith('web', { kind: { _tag: 'DaemonSet', at: line(1) }, replicas: written(3, 5) })])
  assert.not('replicas' in (ofKind(planOf(model), 'DaemonSet')[0]?.spec ?? {}))
})

test('on the host network cluster names resolve, and ports are not bound twice', () => {
  const service = serviceWith('web', {
    ports: [port(80, { hostPort: 8080 })],
    network: { hostAliases: [], aliases: [], hostNetwork: written(true as const) },
  })
  const spec = templateIn(planOf(modelWith([service])))?.spec
  assert.is(spec?.dnsPolicy, 'ClusterFirstWithHostNet')
  assert.equal(spec?.containers[0]?.ports, [{ containerPort: 80, protocol: 'TCP' }])
})

test('labels become annotations of workload, pods, Services and Ingress; deploy labels only of the workload', () => {
  const service = serviceWith('web', {
    annotations: [{ name: 'a', value: '1', at: line(1) }],
    workloadAnnotations: [{ name: 'b', value: '2', at: line(1) }],
    ports: [port(80, { isPublic: true })],
  })
  const plan = planOf(modelWith([service]))
  const names = objectsIn(plan).map(
    ({ kind, metadata }) => `${kind} ${[...(metadata.annotations?.keys() ?? [])].join()}`,
  )
  assert.equal(names, ['Deployment a,b', 'Service a', 'Ingress a'])
  assert.equal([...(templateIn(plan)?.metadata.annotations?.keys() ?? [])], ['a'])
})

test('dependencies are annotated with the names in the cluster, in order', () => {
  const services = [
    serviceWith('2'),
    serviceWith('10'),
    serviceWith('web', { dependsOn: [dependency('2'), dependency('10', 'service_healthy')] }),
  ]
  const web = ofKind(planOf(modelWith(services)), 'Deployment')[2]
  assert.is(
    web?.metadata.annotations?.get('dev.devtool/depends-on'),
    '{"s-2":"service_started","s-10":"service_healthy"}',
  )
})

test('no-new-privileges beside privileged is a warning, and a group needs a user', () => {
  const security = {
    privileged: written(true),
    allowPrivilegeEscalation: written(false, 4),
    runAsGroup: written(1, 5),
    sysctls: [],
  }
  const model = modelWith([serviceWith('web', { security })])
  assert.equal(codesOf(model), ['DT1150:4'])
  assert.equal(templateIn(planOf(model))?.spec.containers[0]?.securityContext, { privileged: true })
})

test('two services of one name are one error, at the second', () => {
  const ports = [port(80, { isPublic: true })]
  const model = modelWith([serviceWith('my_web', { ports }, 3), serviceWith('my-web', {}, 8)])
  assert.equal(codesOf(model), ['DT1030:8 3'])
})

test('a created claim must not have the name of an external one', () => {
  const volumes = [
    volume('a', { object: 'x', at: line(5) }),
    volume('b', { object: 'x', isExternal: true, at: line(6) }),
    volume('c', { object: 'x', isExternal: true, at: line(7) }),
  ]
  assert.equal(codesOf(modelWith([], { volumes })), ['DT1030:5 7'])
})

test('every part of an object that the file sets has its place', () => {
  const service = serviceWith(
    'web',
    {
      image: written('nginx', 4),
      command: written(['x'], 5),
      environment: [
        { name: 'A', value: '', at: line(6), path: '' },
        { name: 'B', value: '', at: line(7), path: '' },
      ],
      replicas: written(2, 8),
      ports: [port(80, { isPublic: true, at: line(9) })],
      annotations: [{ name: 'a.b/c', value: 'v', at: line(10) }],
    },
    3,
  )
  const [deployment, , ingress] = appliesIn(planOf(modelWith([service])))
  assert.equal(
    deployment?.origins.map(({ path, at }) => `${path}:${at.line}`),
    [
      ':3',
      'kind:3',
      'metadata.annotations["a.b/c"]:10',
      'spec.replicas:8',
      'spec.selector:3',
      'spec.template.metadata.annotations["a.b/c"]:10',
      'spec.template.spec.containers[0].image:4',
      'spec.template.spec.containers[0].args:5',
      'spec.template.spec.containers[0].env[0]:6',
      'spec.template.spec.containers[0].env[1]:7',
      'spec.template.spec.containers[0].ports[0]:9',
    ],
  )
  assert.equal(
    ingress?.origins.map(({ path, at }) => `${path}:${at.line}`),
    [':9', 'metadata.annotations["a.b/c"]:10', 'spec.rules[0].host:9', 'spec.rules[0].http.paths[0]:9'],
  )
})

test.run()
