/** A platform is brought to another cluster from a file, and nothing that is there is changed. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { backup } from '../../../src/app/install/backup.ts'
import { platformObjects } from '../../../src/app/install/platform-objects.ts'
import { restore } from '../../../src/app/install/restore.ts'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { userObject } from '../../../src/domain/platform/account.ts'
import { usersNamespace } from '../../../src/domain/platform/manifests/namespaces.ts'
import { userIdOf } from '../../../src/domain/platform/names.ts'
import { namespaceObject, templateOf } from '../../../src/domain/platform/namespace/objects.ts'
import { done } from '../../contract/cluster-world.ts'
import { type MemoryCluster, memoryCluster } from '../../memory/cluster.ts'
import { type Entry, text } from '../../memory/files.ts'
import { memoryPorts } from '../../support/cluster/memory-ports.ts'
import { platformObjects as installation } from '../../support/flags/installed.ts'
import { bound, changed, clusterAdmin, complete, ISSUER, member, moved } from '../../support/platform/kept-objects.ts'
import { idOf, objects } from '../../support/platform/world.ts'

const signal = new AbortController().signal

const withInstallation = (more: ReadonlyArray<JsonObject>): MemoryCluster =>
  memoryCluster({ objects: [...installation, { ...usersNamespace }, ...more] })

const disk = new Map<string, Entry>()

const onCluster = (cluster: MemoryCluster) => {
  const { clock, files, machine, progress, writer } = memoryPorts({ disk, write: () => {} })
  const target = { cluster }
  const kept = async (): Promise<string> => {
    const { findings, value } = await backup({ writer })({ target, file: 'kept.yaml', signal })
    assert.equal(findings, [])
    return value?.text ?? ''
  }
  return {
    kept,
    restored: (file = 'kept.yaml') => restore({ clock, files, machine, progress })({ target, file, signal }),
  }
}

test('a platform is restored in another cluster with the rights of its account, and a second run changes nothing', async () => {
  const quota = { ...templateOf('shop')[0]?.object, spec: { hard: { pods: '7' } } }
  const one = withInstallation([...objects(), quota])
  const file = await onCluster(one).kept()
  assert.match(file, /pods: "7"/)
  assert.not.match(file, /resourceVersion|uid:|managedFields|devtool-session/)
  const other = withInstallation([])
  const { kept, restored } = onCluster(other)
  const first = await restored()
  assert.equal(
    first.findings.filter(({ severity }) => severity === 'error'),
    [],
  )
  assert.ok((first.value?.created.length ?? 0) > 20)
  assert.ok(other.accounts().every(({ user: name }) => name === 'system:serviceaccount:devtool-system:devtool-api'))
  assert.is(await kept(), file)
  const again = await restored()
  assert.equal([again.value?.created.length, again.value?.there], [0, first.value?.created.length])
  // Nobody works in a namespace without its limits.
  const { items } = await done(other.list({ resource: resources.NetworkPolicy, namespace: 'shop' }))
  assert.equal(
    items.map(({ metadata: { name } }) => name),
    ['devtool'],
  )
})

test('the backup of an unused platform is restored, and an empty file is refused', async () => {
  const { kept, restored } = onCluster(withInstallation([]))
  assert.match(await kept(), /^# [^\n]+\n# [^\n]+\n$/)
  const { findings, value } = await restored()
  assert.equal(findings, [])
  assert.equal(value, { created: [], there: 0 })
  disk.set('empty.yaml', text(''))
  const refused = await restored('empty.yaml')
  assert.is(refused.value, undefined)
  assert.match(refused.findings.map(({ code, message }) => `${code} ${message}`).join(), /DT6308 .*nothing in it/)
})

/** The lock is kept in the platform's own namespace. */
const tenantsOf = async (cluster: MemoryCluster): Promise<ReadonlyArray<ClusterObject>> => {
  const all = await platformObjects(cluster, 'all', signal)()
  if (all._tag === 'Left') throw new Error(all.left.message)
  return all.right.filter(({ metadata: { name } }) => !name.startsWith('devtool-'))
}

test('nothing is changed if an object exists with other content, or does not belong to the platform', async () => {
  const file = await onCluster(withInstallation(objects())).kept()
  const refusals: ReadonlyArray<readonly [JsonObject, RegExp]> = [
    [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }, /Namespace\/shop is in the cluster/],
    [
      complete(namespaceObject('shop', 'namespace', idOf('owner')), { 'dev.devtool/status': 'Deleting' }),
      /Namespace\/shop is in the cluster/,
    ],
    [complete(namespaceObject('shop', 'namespace', idOf('stranger'))), /Namespace\/shop is in the cluster/],
    [complete(namespaceObject('web-shop', 'namespace', idOf('stranger'))), /shop of the backup and web-shop/],
    [
      userObject({ ...member, isAdmin: true, isDisabled: false }, { issuer: ISSUER, subject: 'member' }),
      new RegExp(`ServiceAccount/${member.id} in namespace devtool-users is in the cluster`),
    ],
  ]
  for (const [object, message] of refusals) {
    const cluster = withInstallation([object])
    const before = await tenantsOf(cluster)
    disk.set('kept.yaml', text(file))
    const { findings, value } = await onCluster(cluster).restored()
    assert.is(value, undefined)
    const errors = findings.filter(({ severity }) => severity === 'error')
    assert.ok(errors.length > 0 && errors.every(({ code }) => code === 'DT6309'))
    assert.match(errors.map((found) => found.message).join('\n'), message)
    assert.equal(await tenantsOf(cluster), before)
  }
})

test('users of another issuer are counted, and objects unlike those of the platform are named', async () => {
  const other = userObject(
    { id: userIdOf('https://other.test', 'x'), email: 'x@other.test', isAdmin: false, isDisabled: false },
    { issuer: 'https://other.test', subject: 'x' },
  )
  await onCluster(withInstallation([...objects(), other])).kept()
  const { findings } = await onCluster(withInstallation([])).restored()
  assert.match(findings.map(({ code, message }) => `${code} ${message}`).join(), /DT6310 1 of 11 users/)
  const odd = moved(bound, { name: 'odd' })
  const made = await backup({ writer: memoryPorts({ disk, write: () => {} }).writer })({
    ...{
      target: { cluster: withInstallation([...objects(), changed(odd, { roleRef: clusterAdmin })]) },
      file: undefined,
      signal,
    },
  })
  assert.match(made.findings.map(({ message }) => message).join(), /RoleBinding\/odd in namespace shop/)
})

test.run()
