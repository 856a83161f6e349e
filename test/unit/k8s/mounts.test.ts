import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { WorkloadKind } from '../../../src/domain/compose/model.ts'
import type { Mount, StoredFile } from '../../../src/domain/compose/volume-model.ts'
import {
  anonymous,
  configMount,
  imageMount,
  line,
  memory,
  modelWith,
  named,
  secretMount,
  serviceWith,
  volume,
  written,
} from '../../support/compose/model.ts'
import { appliesIn, objectsIn, ofKind, planOf, templateIn } from '../../support/compose/plan.ts'

const stateful: WorkloadKind = { _tag: 'StatefulSet', at: line(1) }
const job: WorkloadKind = { _tag: 'Job', restart: 'Never', attempts: 0, at: line(1) }
const file = (name: string, more: Partial<StoredFile> = {}): StoredFile => ({
  name,
  object: name,
  content: { _tag: 'Text', text: 'x' },
  annotations: [],
  at: line(70),
  ...more,
})
const specOf = (mounts: ReadonlyArray<Mount>, kind: WorkloadKind = stateful) =>
  templateIn(
    planOf(
      modelWith([serviceWith('db', { kind, mounts })], {
        volumes: [volume('data'), volume('seed', { init: true })],
        configs: [file('app.conf')],
        secrets: [file('key')],
      }),
    ),
  )?.spec
const mountsOf = (mounts: ReadonlyArray<Mount>, kind?: WorkloadKind) =>
  specOf(mounts, kind)?.containers[0]?.volumeMounts?.map(
    ({ name, mountPath, subPath, readOnly }) => `${name} ${mountPath} ${subPath}${readOnly === true ? ' ro' : ''}`,
  )

test('a claim is mounted with a subPath, also in two places', () => {
  const inside: Mount = {
    _tag: 'Named',
    volume: 'data',
    subPath: 'in/side',
    target: '/b',
    readOnly: true,
    at: line(2),
    path: '',
  }
  assert.equal(mountsOf([named('data', '/a'), inside]), ['data /a data', 'data /b data/in/side ro'])
  assert.equal(specOf([named('data', '/a'), inside])?.volumes, [
    { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
  ])
})

test('each anonymous volume is a claim template named after its path', () => {
  const mounts = [anonymous('/var/lib'), anonymous('/var-lib'), named('data', '/data')]
  const [first, second, third] = mountsOf(mounts) ?? []
  assert.is(first, 'var-lib /var/lib data')
  assert.match(second ?? '', /^var-lib-[0-9a-f]{8} \/var-lib data$/)
  assert.is(third, 'data /data data')
  assert.is(specOf(mounts)?.volumes?.length, 1)
})

test('the name of a claim template does not depend on other mounts', () => {
  const mounts = [named('data', '/a'), anonymous('/data')]
  assert.match(mountsOf(mounts)?.[0] ?? '', /^data-[0-9a-f]{8} \/a data$/)
  assert.is(mountsOf(mounts)?.[1], 'data /data data')
})

test('an anonymous volume of a Job is its own claim, created before the Job', () => {
  const plan = planOf(modelWith([serviceWith('seed', { kind: job, mounts: [anonymous('/data')] })]))
  assert.equal(
    appliesIn(plan).map(({ id, after }) => [id, ...after]),
    [
      ['apply/PersistentVolumeClaim/seed-data'],
      ['apply/Job/seed', 'apply/PersistentVolumeClaim/seed-data'],
      ['apply/Service/seed'],
    ],
  )
  assert.equal(templateIn(plan)?.spec.volumes, [{ name: 'data', persistentVolumeClaim: { claimName: 'seed-data' } }])
})

test('files of configs and secrets are mounted one by one, also several in one folder', () => {
  const mounts = [
    configMount('app.conf', '/etc/a'),
    configMount('app.conf', '/etc/b'),
    secretMount('key', '/etc/c', 0o400),
  ]
  assert.equal(mountsOf(mounts), [
    'config-app-conf /etc/a app.conf',
    'config-app-conf /etc/b app.conf',
    'secret-key /etc/c key',
  ])
  assert.equal(specOf(mounts)?.volumes, [
    { name: 'config-app-conf', configMap: { name: 'app.conf' } },
    { name: 'secret-key', secret: { secretName: 'key', items: [{ key: 'key', path: 'key', mode: 0o400 }] } },
  ])
})

test('one file with two modes is two volumes', () => {
  const mounts = [secretMount('key', '/a', 0o400), secretMount('key', '/b', 0o444)]
  assert.is(specOf(mounts)?.volumes?.length, 2)
})

test('tmpfs and images are volumes of the pod', () => {
  assert.equal(specOf([memory('/tmp', '64Mi'), imageMount('busybox', '/bb')])?.volumes, [
    { name: 'tmp-tmp', emptyDir: { medium: 'Memory', sizeLimit: '64Mi' } },
    { name: 'image-bb', image: { reference: 'busybox' } },
  ])
})

test('a volume with init is filled from the image before the container starts', () => {
  const init = specOf([named('seed', '/srv'), named('data', '/data')])?.initContainers
  assert.is(init?.length, 1)
  assert.is(init?.[0]?.name, 'init-seed')
  assert.equal(init?.[0]?.command?.slice(3), ['sh', '/srv', '/devtool-volume'])
  assert.match(init?.[0]?.command?.[2] ?? '', '$$(ls -A')
  assert.equal(init?.[0]?.volumeMounts, [{ name: 'seed', mountPath: '/devtool-volume', subPath: 'seed' }])
})

test('a numeric user gets the group of its volumes, root does not', () => {
  const groupOf = (user: number, group?: number) => {
    const security = {
      runAsUser: written(user),
      ...(group === undefined ? {} : { runAsGroup: written(group) }),
      sysctls: [],
    }
    const service = serviceWith('db', { kind: stateful, mounts: [anonymous('/data')], security })
    return templateIn(planOf(modelWith([service])))?.spec.securityContext
  }
  assert.is(groupOf(1000)?.fsGroup, 1000)
  assert.is(groupOf(1000, 2000)?.fsGroup, 2000)
  assert.is(groupOf(1000)?.fsGroupChangePolicy, 'OnRootMismatch')
  assert.equal(groupOf(0), { seccompProfile: { type: 'RuntimeDefault' } })
})

test('text becomes data, bytes become binaryData, secrets are base64, and external ones are not created', () => {
  const bytes = { _tag: 'Bytes', base64: 'AAEC' } as const
  const { content: _, ...outside } = file('outside')
  const plan = planOf(
    modelWith([], {
      configs: [file('text', { content: { _tag: 'Text', text: 'é' } }), file('bytes', { content: bytes }), outside],
      secrets: [file('text', { content: { _tag: 'Text', text: 'é' } }), file('a b', { object: 'a-b', content: bytes })],
    }),
  )
  assert.equal(
    ofKind(plan, 'ConfigMap').map(({ data, binaryData }) => [data?.get('text'), binaryData?.get('bytes')]),
    [
      ['é', undefined],
      [undefined, 'AAEC'],
    ],
  )
  assert.equal(
    ofKind(plan, 'Secret').flatMap(({ data }) => [...data]),
    [
      ['text', 'w6k='],
      ['a-b', 'AAEC'],
    ],
  )
})

test('a pod that reads a config carries the hash of its content', () => {
  const hashFor = (text: string) => {
    const configs = [file('c', { content: { _tag: 'Text', text } })]
    const model = modelWith([serviceWith('web', { mounts: [configMount('c', '/c')] })], { configs })
    return templateIn(planOf(model))?.metadata.annotations?.get('dev.devtool/config')
  }
  assert.match(hashFor('a') ?? '', /^[0-9a-f]{64}$/)
  assert.is(hashFor('a'), hashFor('a'))
  assert.is.not(hashFor('a'), hashFor('b'))
})

test('an external claim is mounted and not created', () => {
  const volumes = [volume('data', { isExternal: true, object: 'old.claim' })]
  const plan = planOf(modelWith([serviceWith('db', { kind: stateful, mounts: [named('data', '/d')] })], { volumes }))
  assert.equal(
    objectsIn(plan).map(({ kind }) => kind),
    ['StatefulSet', 'Service'],
  )
  assert.equal(templateIn(plan)?.spec.volumes, [
    { name: 'old-claim', persistentVolumeClaim: { claimName: 'old.claim' } },
  ])
})

test.run()
