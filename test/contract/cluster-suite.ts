/** What every cluster has to do, tried on the one in memory and on a real API server. */
import * as assert from 'uvu/assert'
import { at } from '../../src/domain/cluster/json.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import { patchCases } from './cluster-patches.ts'
import {
  asking,
  type Case,
  configMap,
  done,
  failed,
  manager,
  nameIn,
  type OpenedCluster,
  statusOf,
  until,
} from './cluster-world.ts'
import { writeCases } from './cluster-writes.ts'

/** `world` is asked when a case runs, not before. */
export const clusterCases = (world: () => OpenedCluster): ReadonlyArray<Case> => {
  const ask = asking(world)
  const { apply, cluster, key, remove } = ask
  const cases: Array<Case> = [...writeCases(world, ask), ...patchCases(ask)]
  const must = (title: string, run: Case[1]): void => void cases.push([title, run])

  must('an absent object is undefined, and deleting it succeeds', async () => {
    assert.is(await done(cluster().get(key('ConfigMap', 'none'))), undefined)
    assert.is(await done(cluster().remove(key('ConfigMap', 'none'), { propagation: 'Foreground' })), 'Absent')
  })

  must('listed objects have kinds, and are selected by labels and fields', async () => {
    const { namespace } = world()
    for (const name of ['l1', 'l2']) {
      await done(apply(key('ConfigMap', name), configMap(name, { a: '1' }, { labels: { list: 'yes', name } })))
    }
    const select = { resource: resources.ConfigMap, namespace, labels: 'list=yes' }
    const all = await done(cluster().list(select))
    assert.equal(
      all.items.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`),
      ['v1 ConfigMap l1', 'v1 ConfigMap l2'],
    )
    assert.ok(Number(all.version) > 0)
    const some = await done(cluster().list({ ...select, labels: 'list=yes,name!=l1' }, { isMetadataOnly: true }))
    assert.equal(
      some.items.map((item) => [item.metadata.name, item.kind, item['data']]),
      [['l2', 'ConfigMap', undefined]],
    )
    const one = await done(cluster().list({ ...select, labels: 'list', fields: 'metadata.name=l1' }))
    assert.is(one.items.length, 1)
  })

  must('a list is read page by page', async () => {
    const { namespace } = world()
    const names = ['p1', 'p2', 'p3']
    for (const name of names)
      await done(apply(key('ConfigMap', name), configMap(name, {}, { labels: { paged: 'yes' } })))
    const select = { resource: resources.ConfigMap, namespace, labels: 'paged=yes' }
    const first = await done(cluster().page(select, { limit: 2 }))
    assert.equal(
      first.items.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
      ['ConfigMap p1', 'ConfigMap p2'],
    )
    const { next = '' } = first
    const second = await done(cluster().page(select, { limit: 2, next, isMetadataOnly: true }))
    assert.equal(
      second.items.map((item) => [item.metadata.name, item['data']]),
      [['p3', undefined]],
    )
    assert.is(second.next, undefined)
    assert.is(second.version, first.version)
  })

  must('objects of a watch of metadata have kinds and only metadata', async () => {
    const { namespace } = world()
    const select = { resource: resources.ConfigMap, namespace, labels: 'bare=yes', isMetadataOnly: true }
    const bare = { labels: { bare: 'yes' } }
    await done(apply(key('ConfigMap', 'b1'), configMap('b1', { a: '1' }, bare)))
    const stop = new AbortController()
    const seen = until(cluster().watch(select, stop.signal), stop, (event) => nameIn(event) === 'Removed b1')
    await new Promise((resolve) => setTimeout(resolve, 300))
    await done(apply(key('ConfigMap', 'b1'), configMap('b1', { a: '2' }, bare)))
    await remove(key('ConfigMap', 'b1'))
    const events = await seen
    const objects = events.flatMap((event) => ('object' in event ? [event.object] : []))
    assert.equal(events.filter(({ _tag }) => _tag !== 'Version').map(nameIn), ['Seen b1', 'Seen b1', 'Removed b1'])
    assert.equal(new Set(objects.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)), new Set(['v1 ConfigMap']))
    assert.equal(
      objects.flatMap((object) => ('data' in object ? [object.metadata.name] : [])),
      [],
    )
  })

  must('a watch continues from a version, and an object that leaves the selection is reported as removed', async () => {
    const { namespace } = world()
    const select = { resource: resources.ConfigMap, namespace, labels: 'watched=yes' }
    const { version } = await done(cluster().list(select))
    const stop = new AbortController()
    const watched = { labels: { watched: 'yes' } }
    await done(apply(key('ConfigMap', 'w1'), configMap('w1', { a: '1' }, watched)))
    const seen = until(
      cluster().watch({ ...select, version }, stop.signal),
      stop,
      (event) => nameIn(event) === 'Removed w2',
    )
    await done(apply(key('ConfigMap', 'w2'), configMap('w2', { a: '1' }, watched)))
    await done(apply(key('ConfigMap', 'w1'), configMap('w1', { a: '2' }, { labels: { watched: 'no' } })))
    await remove(key('ConfigMap', 'w2'))
    const events = await seen
    assert.equal(events.filter(({ _tag }) => _tag !== 'Version').map(nameIn), [
      'Seen w1',
      'Seen w2',
      'Removed w1',
      'Removed w2',
    ])
  })

  must('a watch without a version begins with the existing objects', async () => {
    const { namespace } = world()
    await done(apply(key('ConfigMap', 'there'), configMap('there', {}, { labels: { there: 'yes' } })))
    const stop = new AbortController()
    const select = { resource: resources.ConfigMap, namespace, labels: 'there=yes' }
    const events = await until(cluster().watch(select, stop.signal), stop, ({ _tag }) => _tag === 'Version')
    assert.equal(events.map(nameIn), ['Seen there', 'Version'])
  })

  must('with a signal that is already aborted, every call ends at once', async () => {
    const signal = AbortSignal.abort()
    assert.is((await failed(cluster().get(key('ConfigMap', 'x'), signal)))._tag, 'Aborted')
    assert.is((await failed(apply(key('ConfigMap', 'x'), configMap('x', {}), { signal })))._tag, 'Aborted')
    const stop = new AbortController()
    stop.abort()
    assert.equal(await until(cluster().watch({ resource: resources.ConfigMap }, stop.signal), stop, () => false), [])
  })

  must('the log and the ports of a missing pod are refused', async () => {
    const pod = { resource: resources.Pod, namespace: world().namespace, name: 'none' }
    const { signal } = new AbortController()
    const items: Array<string> = []
    for await (const item of cluster().logs(pod, { container: 'a', follow: false }, signal)) {
      items.push(item._tag === 'Failed' ? statusOf(item.failure) : item.text)
    }
    assert.equal(items, ['404 NotFound'])
    assert.is(statusOf(await failed(cluster().probePort(pod, 80, signal))), '404 NotFound')
  })

  must('a review is answered', async () => {
    const resource = {
      group: 'authorization.k8s.io',
      version: 'v1',
      plural: 'selfsubjectaccessreviews',
      kind: 'SelfSubjectAccessReview',
      isNamespaced: false,
    }
    const body = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: resource.kind,
      spec: { resourceAttributes: { verb: 'get', resource: 'pods', namespace: world().namespace } },
    }
    const answer = await done(cluster().create({ resource }, body, { manager }))
    assert.is(at(answer, 'status', 'allowed'), true)
  })

  must('the version and the kinds of the server are known', async () => {
    assert.match(await done(cluster().version()), /^v1\.\d+/)
    const kinds = (await done(cluster().resources())).map(({ group, kind, version }) => `${group}/${version}/${kind}`)
    for (const kind of ['/v1/ConfigMap', 'apps/v1/Deployment', 'networking.k8s.io/v1/Ingress']) {
      assert.ok(kinds.includes(kind), kind)
    }
    assert.is(new Set(kinds).size, kinds.length)
  })

  return cases
}
