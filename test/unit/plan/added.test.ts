import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withoutAdded } from '../../../src/domain/plan/added.ts'

const defaults = { terminationMessagePath: '/dev/termination-log', imagePullPolicy: 'Always' }

test('a new container is shown as it is sent, an existing one as it is in the cluster', () => {
  const old = { name: 'web', image: 'nginx', ...defaults }
  const side = { name: 'side', image: 'busybox', ports: [{ containerPort: 80 }] }
  const added = { ...side, ...defaults, ports: [{ containerPort: 80, protocol: 'TCP' }] }
  const live = { containers: [old], replicas: 1 }
  const sent = { containers: [side, { name: 'web', image: 'nginx:2' }] }
  const applied = { containers: [added, { ...old, image: 'nginx:2' }], replicas: 1 }
  assert.equal(withoutAdded(applied, live, sent), { containers: [side, { ...old, image: 'nginx:2' }], replicas: 1 })
})

test('list items are matched by their keys, or by position if they have none', () => {
  const live = {
    volumeMounts: [{ name: 'data', mountPath: '/a', recursiveReadOnly: 'Disabled' }],
    rules: [{ host: 'a', http: { paths: [{ path: '/', pathType: 'Prefix' }] } }],
  }
  const sent = {
    volumeMounts: [
      { name: 'data', mountPath: '/b' },
      { name: 'data', mountPath: '/a' },
    ],
    rules: [{ host: 'a', http: { paths: [{ path: '/' }] } }, { host: 'b' }],
  }
  const applied = {
    volumeMounts: [{ name: 'data', mountPath: '/b', recursiveReadOnly: 'Disabled' }, live.volumeMounts[0] ?? {}],
    rules: [live.rules[0] ?? {}, { host: 'b', added: true }],
  }
  assert.equal(withoutAdded(applied, live, sent), {
    volumeMounts: [{ name: 'data', mountPath: '/b' }, live.volumeMounts[0]],
    rules: [live.rules[0], { host: 'b' }],
  })
})

test('existing fields that are not sent stay as the server has them', () => {
  const live = { spec: { clusterIP: '10.0.0.1' }, other: { a: 1 } }
  const applied = { spec: { clusterIP: '10.0.0.1', ipFamilies: ['IPv4'] }, other: { a: 2, b: 3 } }
  assert.equal(withoutAdded(applied, live, { spec: {} }), { spec: { clusterIP: '10.0.0.1' }, other: { a: 2, b: 3 } })
})

test.run()
