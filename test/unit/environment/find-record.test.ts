import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { findRecord, recordIn, recordNotes } from '../../../src/app/environment/find-record.ts'
import type { Failure } from '../../../src/domain/cluster/failure.ts'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { emptyRecord, recordBody } from '../../../src/domain/environment/record.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { devtool } from '../../support/cli/cli.ts'

const body = recordBody('default', { ...emptyRecord('shop'), status: 'deployed' })
const kept: JsonObject = E.isRight(body) ? body.right : {}
const broken: JsonObject = { ...kept, binaryData: { record: 'AAAA' } }

const clusterOf = (objects: ReadonlyArray<JsonObject>) => memoryCluster({ objects })
const find = (objects: ReadonlyArray<JsonObject>) =>
  findRecord({ cluster: clusterOf(objects), namespace: 'default' }, 'shop')()

const failing = (failure: Failure) =>
  findRecord({ cluster: { ...clusterOf([]), get: () => TE.left(failure) }, namespace: 'default' }, 'shop')()

const asked = { verb: 'get', what: 'ConfigMap/devtool-env-shop', namespace: 'default' } as const

test('a record is found if there is one', async () => {
  const known = await find([kept])
  assert.is(E.isRight(known) && recordIn(known.right)?.status, 'deployed')
  assert.equal(await find([]), E.right({ _tag: 'Absent' }))
})

test('an invalid record is a warning for read-only commands', async () => {
  const found = await find([broken])
  assert.ok(E.isRight(found))
  assert.is(recordIn(found.right), undefined)
  assert.equal(
    recordNotes(found.right).map(({ code, severity }) => [code, severity]),
    [['DT3113', 'warning']],
  )
})

test('a forbidden record is a warning for read-only commands', async () => {
  const refusal = { _tag: 'Refused', status: 403, reason: 'Forbidden', message: 'no', causes: [], asked } as const
  const found = await failing(refusal)
  assert.ok(E.isRight(found))
  assert.equal(
    recordNotes(found.right).map(({ code, severity }) => [code, severity]),
    [['DT3003', 'warning']],
  )
})

test('a cluster that cannot be reached is a failure', async () => {
  const found = await failing({
    _tag: 'Unreachable',
    server: 'https://test',
    cause: 'refused',
    mayHaveHappened: false,
    asked,
  })
  assert.is(E.isLeft(found) && found.left.code, 'DT3001')
})

for (const command of ['endpoints', 'why', 'logs']) {
  test(`${command} continues without a record that it cannot read, with a warning`, async () => {
    const { stderr, stdout } = await devtool([command, '--name', 'shop'], {
      memory: { cluster: { objects: [broken] } },
    })
    assert.match(`${stderr}${stdout}`, /warning DT3113/)
    assert.not.match(stderr, /error DT3113/)
  })
}

test.run()
