/** Which containers, and which of their instances, are read. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readLogs } from '../../../src/app/logs/logs.ts'
import type { ReadLogs } from '../../../src/app/logs/request.ts'
import { memoryLogSink } from '../../memory/log-sink.ts'
import { memoryProgress } from '../../memory/progress.ts'
import { type LogCluster, logCluster, podOf, swiftClock } from '../../support/kube/log-cluster.ts'

const at = (second: number): string => `2026-11-21T10:00:0${second}.000000001Z`

const run = (world: LogCluster, more: Partial<ReadLogs>) => {
  const sink = memoryLogSink()
  const everything = { includes: () => true, expression: '', excludes: () => false, sinceSeconds: 60 }
  const how = { isPrevious: false, isFollowing: false, signal: new AbortController().signal }
  const target = { cluster: world.cluster, namespace: 'demo' }
  const ports = { clock: swiftClock, progress: memoryProgress() }
  return {
    done: readLogs(ports)({ target, environment: 'shop', ...everything, ...how, sink, ...more }),
    messages: sink.texts,
  }
}

test('--previous reads only containers that were restarted', async () => {
  const world = logCluster()
  world.memory.put(podOf('db', 'db-0'))
  const none = run(world, { isPrevious: true })
  assert.equal(await none.done, { findings: [], value: { found: 'NoPrevious' } })
  world.memory.put(podOf('web', 'web-1', 'running', 1))
  world.write('db-0', `${at(1)} calm`)
  world.write('web-1', `${at(1)} last words`)
  world.next('web-1')
  world.write('web-1', `${at(2)} again`)
  const { done, messages } = run(world, { isPrevious: true })
  assert.equal((await done).findings, [])
  assert.equal(messages(), ['last words'])
})

test('a log that its node has removed is a warning, not a line', async () => {
  const world = logCluster()
  world.memory.put(podOf('web', 'web-1', 'running', 1))
  world.write('web-1', 'unable to retrieve container logs for containerd://7308a4')
  world.write('web-1', `${at(1)} unable to retrieve container logs for my cat`)
  const { done, messages } = run(world, {})
  const { findings } = await done
  assert.equal(messages(), ['unable to retrieve container logs for my cat'])
  assert.equal(
    findings.map(({ code, severity }) => [code, severity]),
    [['DT3403', 'warning']],
  )
  assert.match(findings[0]?.message ?? '', 'containerd://7308a4')
})

test('only containers of a given name are read; an unknown one is an error that names the others', async () => {
  const world = logCluster()
  world.memory.put(podOf('web', 'web-1'))
  world.memory.put(podOf('db', 'db-0'))
  world.write('web-1', `${at(1)} one`)
  world.write('db-0', `${at(2)} two`)
  const one = run(world, { container: 'db' })
  await one.done
  assert.equal(one.messages(), ['two'])
  const { findings } = await run(world, { container: 'proxy' }).done
  assert.equal(
    findings.map(({ code, help }) => [code, help]),
    [['DT3402', 'containers: db, web']],
  )
})

test.run()
