/** Lists of many pages, and in whose name they are asked for, against a server of a few lines. */
import type { ServerResponse } from 'node:http'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ApiTransport } from '../../../src/adapters/kube/api/transport.ts'
import { kubeCluster } from '../../../src/adapters/kube/cluster.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'
import { type FakeHandler, fakeApi } from '../../support/kube/api-fake.ts'
import { closedAfterEach } from '../../support/process/opened.ts'

const opened = closedAfterEach(test)

const selection = { resource: resources.ConfigMap, namespace: 'n' }

const clusterOf = (upstream: ApiTransport): Cluster =>
  kubeCluster(
    upstream,
    { clock: systemClock, random: () => 0 },
    {
      warnings: [],
      say: () => {},
      labellingOf: () => () => () => Promise.resolve(E.left({ _tag: 'Gone', asked: { verb: '', what: '' } })),
    },
  )

const object = (name: string) => ({ metadata: { name, uid: name, resourceVersion: '1' } })

const send = (response: ServerResponse, status: number, json: object): true => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(json))
  return true
}

/** The pages of a list; one that is a number is the status of a refusal. */
const paged =
  (pages: ReadonlyArray<ReadonlyArray<string> | 410>): FakeHandler =>
  ({ path }, response) => {
    const asked = new URL(path, 'http://x').searchParams.get('continue')
    const index = asked === null ? begun : Number(asked)
    const page = pages[index] ?? []
    if (asked === null) begun = restart(pages, index)
    if (page === 410) return send(response, 410, { kind: 'Status', code: 410, reason: 'Expired' })
    const isLast = index === pages.length - 1
    const metadata = { resourceVersion: String(index), ...(isLast ? {} : { continue: String(index + 1) }) }
    return send(response, 200, { metadata, items: page.map(object) })
  }

let begun = 0
const restart = (pages: ReadonlyArray<unknown>, index: number): number => {
  const gone = pages.indexOf(410, index)
  return gone === -1 ? index : gone + 1
}

test('a list that expires between pages is started again from the first page', async () => {
  begun = 0
  const api = opened(await fakeApi(paged([['a', 'b'], 410, ['a', 'c'], ['d']])))
  const listed = await clusterOf(api.upstream).list(selection)()
  assert.equal(E.isRight(listed) ? listed.right.items.map(({ metadata }) => metadata.name) : listed, ['a', 'c', 'd'])
  assert.is(E.isRight(listed) ? listed.right.version : '', '3')
})

test('a list that keeps expiring fails', async () => {
  const api = opened(await fakeApi((_asked, response) => send(response, 410, { kind: 'Status', code: 410 })))
  const listed = await clusterOf(api.upstream).list(selection)()
  assert.is(E.isLeft(listed) ? listed.left._tag : '', 'Gone')
  assert.is(api.asked.length, 4)
})

test('an expired page is reported to the caller', async () => {
  const api = opened(await fakeApi((_asked, response) => send(response, 410, { kind: 'Status', code: 410 })))
  const page = await clusterOf(api.upstream).page(selection, { limit: 3, next: 'old' })()
  assert.is(E.isLeft(page) ? page.left._tag : '', 'Gone')
  assert.match(api.asked[0]?.path ?? '', /limit=3&continue=old/)
})

test('a watch that is aborted while it lists ends without a failure', async () => {
  const stop = new AbortController()
  const api = await fakeApi(() => {
    stop.abort()
    return true
  })
  const events: Array<unknown> = []
  for await (const event of clusterOf(api.upstream).watch(selection, stop.signal)) events.push(event)
  await api.close()
  assert.equal(events, [])
  assert.is(api.asked.length, 1)
})

test('with impersonation, every request, watch and connection names only the given account', async () => {
  const api = opened(
    await fakeApi((_asked, response) => send(response, 403, { kind: 'Status', code: 403, reason: 'Forbidden' })),
  )
  const account = { user: 'system:serviceaccount:n:u', groups: ['one', 'two'] }
  const cluster = clusterOf(api.upstream).as(account)
  const { signal } = new AbortController()
  await cluster.get({ ...selection, name: 'a' })()
  for await (const event of cluster.watch({ ...selection, version: '1' }, signal)) assert.is(event._tag, 'Failed')
  await cluster.pods.dial({ namespace: 'n', name: 'p' }, 80, signal)()
  await cluster.pods.exec({ namespace: 'n', name: 'p' }, { command: ['true'] }, signal)()
  for (const { headers } of api.asked) {
    assert.equal(headers['impersonate-user'], [account.user])
    assert.equal((headers['impersonate-group'] ?? []).join(','), 'one,two')
    assert.equal(headers['authorization'], ['Bearer of-the-user'])
  }
  assert.is(api.asked.length, 4)
  cluster.close()
})

test('closing an impersonating client keeps the original one open', async () => {
  const api = opened(await fakeApi())
  const cluster = clusterOf(api.upstream)
  cluster.as({ user: 'u' }).close()
  assert.ok(E.isRight(await cluster.get({ ...selection, name: 'none' })()))
  assert.is(api.asked[0]?.headers['impersonate-user'], undefined)
})

test.run()
