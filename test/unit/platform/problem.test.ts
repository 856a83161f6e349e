/** What callers are told of a failure of the cluster: what they can do about it, and nothing of its insides. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Failure, Refusal } from '../../../src/domain/cluster/failure.ts'
import { causeOf, clusterProblem, problemOf, userProblem } from '../../../src/domain/platform/api/problem.ts'
import { testPlatform } from '../../support/platform/world.ts'

const asked = { verb: 'create', what: 'Secret/tok-1', namespace: 'devtool-users' }
const words = 'secrets "tok-1" is forbidden: User "system:serviceaccount:devtool-system:devtool-api" cannot create'

const refusal = (status: number, more: Partial<Refusal> = {}): Failure => ({
  _tag: 'Refused',
  asked,
  status,
  reason: '',
  message: words,
  causes: [],
  ...more,
})

const statusOf = (failure: Failure, problem = clusterProblem): number => problemOf(problem('token')(failure)).status

test('a refusal of the cluster has the status of its reason', () => {
  assert.is(statusOf(refusal(404)), 404)
  assert.is(statusOf(refusal(409, { reason: 'AlreadyExists' })), 409)
  assert.is(statusOf(refusal(409, { reason: 'Conflict' })), 409)
  assert.is(statusOf(refusal(422)), 400)
  assert.is(statusOf(refusal(429)), 429)
  assert.is(statusOf(refusal(403, { message: 'exceeded quota: devtool' })), 409)
  assert.is(statusOf(refusal(403, { causes: [{ reason: 'NamespaceTerminating', message: '' }] })), 409)
  // The platform lacks a right: that is not the caller's doing. A user who lacks one is told.
  assert.is(statusOf(refusal(403)), 503)
  assert.is(statusOf(refusal(403), userProblem), 403)
  assert.is(statusOf(refusal(500)), 503)
  assert.is(statusOf({ _tag: 'Unreachable', asked, server: 's', cause: 'refused', mayHaveHappened: false }), 503)
})

test('the message of the cluster is only in the log', async () => {
  for (const status of [403, 409, 422, 429, 500]) {
    const finding = clusterProblem('token')(refusal(status))
    assert.not.match(JSON.stringify(problemOf(finding)), /devtool-api|Secret/)
    assert.match(causeOf(finding) ?? '', words)
  }
  const failing = [{ verb: 'list', what: 'secrets', status: 403, message: words, times: 1 }]
  const { failures, send } = testPlatform({ failures: failing })
  const answer = await send('GET', '/api/v1/tokens', { as: 'owner' })
  assert.is(answer.status, 503)
  assert.not.match(await answer.text(), 'devtool-api')
  assert.match(String(failures), words)
})

test.run()
