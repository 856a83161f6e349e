/** Records are compared by the clock of the cluster, whatever the clocks of machines show. */
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { askingAs } from '../../../src/app/dev/activate.ts'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { ownershipOf } from '../../../src/domain/dev/ownership.ts'
import { recordData, recordOf } from '../../../src/domain/dev/record.ts'
import { memoryClock } from '../../memory/clock.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { apiRecord } from '../../support/dev/record.ts'

const hour = 3_600_000
const cluster = '2026-11-21T10:00:00Z'
const shifted = (moment: string, ms: number): string =>
  `${new Date(Date.parse(moment) + ms).toISOString().slice(0, 19)}Z`

/** What a machine reads whose clock is wrong, and which asks the cluster. */
const asking = async (aheadMs: number, metadata: JsonObject = { creationTimestamp: cluster }) => {
  const ports = {
    clock: memoryClock(shifted(cluster, aheadMs)),
    machine: { host: 'desk', mark: '', who: 'somebody' },
    thisProcess: { pid: 5000 },
  }
  const review = { metadata, status: { userInfo: { username: 'ann' } } }
  const target = { cluster: { ...memoryCluster({ objects: [] }), create: () => TE.right(review) } }
  const asked = await askingAs(Object(ports), target, 'ann-2', new AbortController().signal)()
  if (E.isLeft(asked)) throw new Error('it never fails')
  return asked.right
}

/** A record that was written so long ago by a machine whose clock is wrong. */
const written = (agoMs: number, aheadMs: number) => {
  const time = shifted(cluster, -agoMs)
  const live = memoryCluster({ objects: [] }).put({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: apiRecord.mirror, namespace: 'default' },
    data: recordData({ ...apiRecord, beat: shifted(time, aheadMs) }),
  })
  const managedFields = [
    { manager: 'kubectl-edit', time: shifted(time, hour) },
    { manager: 'devtool-up', time: shifted(time, -hour) },
    { manager: 'devtool-up', time },
  ]
  const read = recordOf({ ...live, metadata: { ...live.metadata, managedFields } })
  if (E.isLeft(read)) throw new Error('it can be read')
  return read.right
}

for (const holderMs of [-hour, 0, hour]) {
  for (const askerMs of [-hour, 0, hour]) {
    test(`clocks that are ${holderMs} and ${askerMs} ms ahead decide nothing`, async () => {
      const { clock, me } = await asking(askerMs)
      const ownedAfter = (agoMs: number) =>
        ownershipOf(written(agoMs, holderMs), { me, isRunning: false, nowMs: clock.wallMs() })
      assert.equal(ownedAfter(20_000), { _tag: 'Away', isSilent: false })
      assert.equal(ownedAfter(120_000), { _tag: 'Away', isSilent: true })
      assert.is(clock.date(), cluster)
    })
  }
}

test('a cluster that does not tell the time leaves that of this machine', async () => {
  const { clock } = await asking(hour, {})
  assert.is(clock.date(), '2026-11-21T11:00:00Z')
})

test('a small difference is not one', async () => {
  const { clock } = await asking(3000)
  assert.is(clock.date(), '2026-11-21T10:00:03Z')
})

test.run()
