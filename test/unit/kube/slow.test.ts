/** What is said of requests that take long. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { slowRequests } from '../../../src/adapters/kube/api/slow.ts'
import type { Failure } from '../../../src/domain/cluster/failure.ts'
import { memoryClock } from '../../memory/clock.ts'

const asked = { verb: 'patch', what: 'Deployment/web', namespace: 'dev' }

const scene = () => {
  const clock = memoryClock()
  const said: Array<string> = []
  return { clock, said, begin: slowRequests(clock, (text) => said.push(text)) }
}

test('a silent request is reported after 5 seconds, then after twice as long, until it ends', async () => {
  const { begin, clock, said } = scene()
  const { end } = begin(asked)
  await clock.advance(4999)
  assert.equal(said, [])
  await clock.advance(30_001)
  const text = 'waiting for the API server: patch Deployment/web in namespace dev'
  assert.equal(
    said,
    [5, 15, 35].map((seconds) => `${text} (${seconds} s, no response)`),
  )
  end()
  await clock.advance(600_000)
  assert.equal([said.length, clock.sleeping()], [3, 0])
})

test('a repeated request is reported with the words of the server, and all requests on one line', async () => {
  const { begin, clock, said } = scene()
  const refused: Failure = { _tag: 'Refused', asked, status: 504, reason: 'Timeout', message: 'too slow', causes: [] }
  begin(asked).failed(refused)
  for (const what of ['pods', 'jobs']) begin({ verb: 'list', what })
  await clock.advance(5000)
  assert.equal(said, [
    'waiting for the API server: patch Deployment/web in namespace dev and 2 more requests (5 s, 504 too slow)',
  ])
})

test('requests with a quick response are not reported', async () => {
  const { begin, clock, said } = scene()
  for (let second = 0; second < 60; second += 1) {
    const { end } = begin(asked)
    const other = begin(asked)
    await clock.advance(1000)
    end()
    other.end()
  }
  assert.equal(said, [])
})

test.run()
