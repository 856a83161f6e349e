import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { started } from '../../../src/app/dev/started.ts'
import { memoryCluster } from '../../memory/cluster.ts'

const ports = { clock: systemClock, progress: { tell: () => {}, end: () => {} } }

test('an interruption is not reported as a development container that does not start', async () => {
  const interruption = new AbortController()
  const starting = started(ports)({
    target: { cluster: memoryCluster({ objects: [] }), namespace: 'default' },
    record: { dev: 'api', mirror: 'devtool-up-deployment-api', container: 'app' },
    agentImage: 'node:22',
    session: { link: () => () => new Promise(() => {}) },
    timeoutMs: 60_000,
    signal: interruption.signal,
  })()
  interruption.abort('SIGINT')
  const result = await starting
  assert.is(E.isLeft(result) && result.left.code, 'DT3121')
})

test.run()
