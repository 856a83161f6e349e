/** What is waited for of all that commands made. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { type ClusterObject, isLive } from '../../../src/domain/cluster/live.ts'
import { isAwaited, judgeOthers, lackOf, runsPods } from '../../../src/domain/why/made.ts'

const test = suite('made')

const made = (metadata: JsonObject, status: JsonObject = {}): ClusterObject => {
  const live = {
    apiVersion: 'example.com/v1',
    kind: 'Database',
    metadata: { name: 'db', uid: 'u', resourceVersion: '1', ...metadata },
    status,
  }
  if (!isLive(live)) throw new Error('no live object')
  return live
}

const entry = { group: 'example.com', version: 'v1', plural: 'databases', kind: 'Database', name: 'db', uid: 'u' }

const condition = (type: string, status: string, more: JsonObject = {}): JsonObject => ({
  conditions: [
    { type: 'Synced', status: 'False' },
    { type, status, ...more },
  ],
})

test('kinds that run pods are known by group and kind', () => {
  assert.ok(runsPods({ group: 'apps', kind: 'Deployment' }))
  assert.ok(runsPods({ group: '', kind: 'Pod' }))
  assert.not(runsPods({ group: 'example.com', kind: 'Deployment' }))
  assert.not(runsPods({ group: 'batch', kind: 'CronJob' }))
})

const others: ReadonlyArray<readonly [what: string, metadata: JsonObject]> = [
  ['a hook of Helm', { annotations: { 'helm.sh/hook': 'post-install' } }],
  ['what a controller made, as a Job of a CronJob', { ownerReferences: [{ controller: true, uid: 'cron' }] }],
  ['an object of a service that is no longer in the file', { labels: { 'app.kubernetes.io/managed-by': 'devtool' } }],
  ['what is being deleted', { deletionTimestamp: '2026-11-21T10:00:00Z' }],
]
for (const [what, metadata] of others) test(`${what} is not waited for`, () => assert.not(isAwaited(made(metadata))))

test('other objects created by commands are waited for', () => {
  assert.ok(isAwaited(made({ labels: { 'app.kubernetes.io/managed-by': 'Helm' } })))
})

const lacks: ReadonlyArray<readonly [what: string, live: ClusterObject, lack: string | undefined]> = [
  ['no condition', made({}), undefined],
  ['other conditions', made({}, condition('Established', 'False')), undefined],
  ['Ready', made({}, condition('Ready', 'True')), undefined],
  [
    'not Ready',
    made({}, condition('Ready', 'False', { reason: 'Issuing', message: 'soon' })),
    'not Ready: Issuing: soon',
  ],
  ['Available is not known', made({}, condition('Available', 'Unknown')), 'not Available'],
  [
    'Ready, of an older generation',
    made({ generation: 2 }, { observedGeneration: 1, ...condition('Ready', 'True') }),
    'its controller has not seen the change yet',
  ],
  [
    'Ready, of an older generation by its condition',
    made({ generation: 2 }, condition('Ready', 'True', { observedGeneration: 1 })),
    'its controller has not seen the change yet',
  ],
]
for (const [what, live, lack] of lacks)
  test(`an object with ${what} is missing ${lack}`, () => assert.is(lackOf(live), lack))

test('other objects get 30 seconds after everything else, then there is one warning', () => {
  const waiting = { entry, live: made({}, condition('Ready', 'False', { message: 'no quota' })) }
  const ready = { entry, live: made({}, condition('Ready', 'True')) }
  assert.equal(judgeOthers([ready], 0), [])
  assert.is(judgeOthers([ready, waiting], 29_999), 'Wait')
  const judged = judgeOthers([ready, waiting, waiting], 30_000)
  assert.ok(judged !== 'Wait')
  assert.equal(
    judged.map(({ code, message }) => `${code} ${message}`),
    [
      'DT3162 not ready 30 s after everything else: Database.example.com/db: not Ready: no quota\nDatabase.example.com/db: not Ready: no quota',
    ],
  )
})

test.run()
