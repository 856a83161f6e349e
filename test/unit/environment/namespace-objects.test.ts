import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { namespaceObjects } from '../../../src/app/environment/namespace-objects.ts'
import { settle } from '../../memory/clock.ts'
import { memoryCluster } from '../../memory/cluster.ts'

test('an environment is read over the few connections that are open, each kind once', async () => {
  const cluster = memoryCluster()
  const [asked, running] = [new Array<string>(), { now: 0, most: 0 }]
  const list: typeof cluster.list = (of, options) => async () => {
    asked.push(of.resource.kind)
    running.now += 1
    running.most = Math.max(running.most, running.now)
    await settle()
    running.now -= 1
    return cluster.list(of, options)()
  }
  const target = { cluster: { ...cluster, list }, namespace: 'dev' }
  const found = await namespaceObjects(
    target,
    { environment: 'shop', contents: new Set() },
    new AbortController().signal,
  )()
  assert.ok(E.isRight(found))
  assert.is(running.most, 3)
  assert.is(new Set(asked).size, asked.length)
  assert.is(asked.length, 9)
})

const asked = { verb: 'list', what: 'jobs.batch' }
const aborted = { _tag: 'Aborted', asked } as const

test('a kind that cannot be read fails the reading', async () => {
  const cluster = memoryCluster()
  const list: typeof cluster.list = (of, options) =>
    of.resource.kind === 'Job' ? TE.left(aborted) : cluster.list(of, options)
  const target = { cluster: { ...cluster, list }, namespace: 'dev' }
  const found = await namespaceObjects(
    target,
    { environment: 'shop', contents: new Set() },
    new AbortController().signal,
  )()
  assert.equal(found, E.left(aborted))
})

test.run()
