/** The records of runs: how they are written and read back, also after another version. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { textAt } from '../../../src/domain/cluster/json.ts'
import { error } from '../../../src/domain/diagnostic/diagnostic.ts'
import { packLog, unpackLog } from '../../../src/domain/platform/run/log.ts'
import {
  cancelledBy,
  logIn,
  RunRecord,
  recordChange,
  recordObject,
  runIn,
} from '../../../src/domain/platform/run/record.ts'
import { liveFrom } from '../../support/kube/live.ts'

const id = '0123456789abcdef'
const queued: RunRecord = {
  id,
  action: 'deploy',
  environment: 'shop',
  namespace: 'acme',
  status: 'queued',
  who: { user: 'u-1', email: 'ann@example.com' },
  created: '2026-11-21T10:00:00Z',
  timeoutSeconds: 300,
  volumes: false,
  variables: [],
  repository: 'https://git.example.com/acme/shop.git',
  branch: 'main',
}

test('a record is read back as it was written, and nothing else is read as one', () => {
  const done: RunRecord = {
    ...queued,
    status: 'failed',
    started: queued.created,
    ended: queued.created,
    exitStatus: 8,
    failure: error('DT6401', 'broken'),
  }
  const log = packLog([{ n: 1, at: queued.created, text: 'hello' }])
  const written = liveFrom(
    { ...recordObject(done), ...recordChange(done, '1', log) },
    { name: `devtool-run-${id}`, namespace: 'acme' },
  )
  assert.equal(runIn(written), done)
  assert.equal(unpackLog(logIn(written) ?? new Uint8Array()), [{ n: 1, at: queued.created, text: 'hello' }])
  assert.is(cancelledBy(written), undefined)
  const elsewhere = liveFrom(recordObject(done), { name: `devtool-run-${id}`, namespace: 'other' })
  assert.is(runIn(elsewhere), undefined)
  for (const record of ['', '{}', '[', JSON.stringify({ ...done, schema: 2 })]) {
    assert.is(runIn({ ...written, data: { record } }), undefined)
  }
})

test('what a later version has added to a record is still there after a change by this one', () => {
  const record = textAt(recordObject(queued), 'data', 'record') ?? ''
  const later = { ...JSON.parse(record), priority: { of: 'a later version' } }
  const written = liveFrom({ ...recordObject(queued), data: { record: JSON.stringify(later) } })
  const run = runIn(written)
  assert.ok(run)
  const changed = textAt(recordChange({ ...run, status: 'cancelled' }, '1'), 'data', 'record')
  assert.equal(JSON.parse(changed ?? ''), { ...later, status: 'cancelled' })
  assert.not.ok('priority' in RunRecord.encode(run), 'the API does not show what it does not know')
})

test.run()
