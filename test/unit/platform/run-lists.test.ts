/** Lists of runs, which do not read the logs of these runs. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Json, listAt, textAt } from '../../../src/domain/cluster/json.ts'
import { error } from '../../../src/domain/diagnostic/diagnostic.ts'
import { listedRunIn, recordChange, recordObject, runIn } from '../../../src/domain/platform/run/record.ts'
import { liveFrom } from '../../support/kube/live.ts'
import { putRun, recordOf, runOf } from '../../support/platform/runs.ts'
import { type TestPlatform, testPlatform } from '../../support/platform/world.ts'

const idOf = (digit: number): string => String(digit).repeat(16)

const read = async (platform: TestPlatform, rest: string): Promise<Json> => {
  const answer = await platform.send('GET', `/api/v1/namespaces/shop${rest}`, { as: 'viewer' })
  return JSON.parse(await answer.text())
}

/** The records that were read with their logs. */
const readIn = ({ cluster }: TestPlatform): ReadonlyArray<string> =>
  cluster.asked().flatMap(({ verb, what }) => (verb === 'get' && what.includes('devtool-run-') ? [what] : []))

test('runs and pipelines are listed without their logs', async () => {
  const platform = testPlatform()
  const runs = [1, 2, 3].map((digit) => runOf({ id: idOf(digit), status: digit === 3 ? 'running' : 'succeeded' }))
  for (const run of runs) putRun(platform, run, 'a', 'long', 'log')
  assert.equal(listAt(await read(platform, '/runs'), 'runs'), JSON.parse(JSON.stringify(runs.toReversed())))
  assert.is(textAt(await read(platform, '/pipelines'), 'pipelines', 0, 'run', 'status'), 'running')
  assert.is(textAt(await read(platform, '/pipelines/web'), 'run', 'id'), idOf(3))
  assert.equal(readIn(platform), [])
})

test('a run that another version has written or changed is read from its record', async () => {
  const platform = testPlatform()
  const [old, changed] = [recordOf(runOf({ id: idOf(1) })), recordOf(runOf({ id: idOf(2), status: 'running' }))]
  const { metadata: known } = liveFrom(old)
  platform.cluster.put({ ...old, metadata: { ...known, annotations: {} } })
  const ended = recordObject(runOf({ id: idOf(2), status: 'failed' }))
  const { metadata: before } = liveFrom(changed)
  platform.cluster.put({
    ...ended,
    metadata: { ...before, labels: { ...before.labels, 'dev.devtool/run-status': 'failed' } },
  })
  const statuses = listAt(await read(platform, '/runs'), 'runs').map((run) => textAt(run, 'status'))
  assert.equal(statuses, ['failed', 'succeeded'])
  assert.is(readIn(platform).length, 2)
})

test('a long failure is in the record alone', () => {
  const long = runOf({ status: 'failed', failure: error('DT6401', 'x'.repeat(100_000)) })
  const live = liveFrom(recordObject(long))
  assert.is(listedRunIn(live), undefined)
  assert.equal(runIn(live), long)
  assert.is(textAt(recordChange(long, '1'), 'metadata', 'annotations', 'dev.devtool/run-record'), undefined)
  assert.equal(listedRunIn(liveFrom(recordObject(runOf()))), runOf())
})

test.run()
