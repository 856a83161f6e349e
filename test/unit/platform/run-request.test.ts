/** How a run is asked for: its place among others, and the credentials of git that it gets. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { at, listAt, objectAt, textAt } from '../../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import { byRunAge, runAgeOf } from '../../../src/domain/platform/run/age.ts'
import { recordObject } from '../../../src/domain/platform/run/record.ts'
import { queuedRun, type RunRequest, runJob, runSecret } from '../../../src/domain/platform/run/request.ts'
import { runJobIn, scheduleRuns } from '../../../src/domain/platform/run/schedule.ts'
import { liveFrom } from '../../support/kube/live.ts'

const id = '0123456789abcdef'
const request: RunRequest = {
  id,
  action: 'deploy',
  environment: 'shop',
  namespace: 'acme',
  who: { user: 'u-1', email: 'ann@example.com' },
  now: '2026-11-21T10:00:00Z',
  nowMs: 1_000,
  timeoutSeconds: 300,
  repository: 'https://git.example.com/acme/shop.git',
}
const programs = { image: 'image', domain: 'apps.example.com', registry: '' }
const queued = queuedRun(request)

test('credentials for git are in the Secret only for the host of the repository, and not among the values', () => {
  const token = 'DEVTOOL_GIT_TOKEN_GIT_EXAMPLE_COM'
  const shared = new Map([
    [token, 'for-all'],
    ['DEVTOOL_GIT_TOKEN_OTHER_COM', 'elsewhere'],
    ['DEVTOOL_GIT_CA', 'PEM'],
    ['SIZE', 'large'],
  ])
  const secret = runSecret({ ...request, variables: { given: new Map([[token, 'given']]), shared } }, { uid: 'uid' })
  const text = (key: string): string => Buffer.from(textAt(secret, 'data', key) ?? '', 'base64').toString()
  assert.equal(JSON.parse(text('variables.json')), { given: {}, shared: { SIZE: 'large' } })
  assert.equal(['git.given.token', 'git.shared.token', 'git.shared.ca.crt'].map(text), ['given', 'for-all', 'PEM'])
  assert.not.match(Object.keys(objectAt(secret, 'data')).map(text).join(), 'elsewhere')
  const volumes = listAt(runJob(programs, request), 'spec', 'template', 'spec', 'volumes')
  const named = (name: string) => volumes.find((volume) => textAt(volume, 'name') === name)
  assert.equal(at(named('values'), 'secret', 'items'), [{ key: 'variables.json', path: 'variables.json' }])
  const paths = listAt(named('git'), 'projected', 'sources').map((source) => [
    textAt(source, 'secret', 'name'),
    textAt(source, 'secret', 'items', 0, 'key'),
    textAt(source, 'secret', 'items', 0, 'path'),
  ])
  assert.equal(paths, [
    [`devtool-run-${id}`, 'git.given.token', 'given/token'],
    ['devtool-variables', token, 'namespace/token'],
    [`devtool-run-${id}`, 'git.shared.token', 'shared/token'],
  ])
})

test('of two runs in the same second, the later request is the newer run, in Jobs and in records', () => {
  const created = '2026-11-21T10:00:00Z'
  const queuedAt = (name: string, nowMs: number, creationTimestamp = created): ClusterObject =>
    liveFrom(runJob(programs, { ...request, id: name, nowMs }), { creationTimestamp })
  const [late, early] = ['0', 'f'].map((name, index) => runJobIn(queuedAt(name.repeat(16), 2_000 - index)))
  assert.ok(late !== undefined && early !== undefined)
  for (const both of [
    [late, early],
    [early, late],
  ]) {
    assert.equal(scheduleRuns(both, { namespace: 3, cluster: 3 }), {
      replace: [{ job: early, by: late }],
      resume: [late],
    })
  }
  const record = liveFrom(recordObject(queued, 2_000), { creationTimestamp: created })
  assert.equal(runAgeOf(record), { created, queuedMs: 2_000 })
  // Nobody gets ahead of others by what they write.
  const [forged, honest] = [queuedAt(id, 0, '2026-11-21T10:00:01Z'), queuedAt(id, 9_000)].map(runAgeOf)
  assert.ok(forged !== undefined && honest !== undefined && byRunAge(honest, forged) < 0)
  const odd = liveFrom(recordObject(queued), {
    creationTimestamp: created,
    annotations: { 'dev.devtool/queued-ms': 'soon' },
  })
  assert.is(runAgeOf(odd).queuedMs, 0)
})

test('cloning takes at most the time of the run, and leaves half of it to the commands that a destroy has recorded', () => {
  const secondsOf = (more: Partial<RunRequest>): string | undefined => {
    const job = runJob(programs, { ...request, ...more })
    const env = listAt(job, 'spec', 'template', 'spec', 'initContainers', 0, 'env')
    return textAt(
      env.find((one) => textAt(one, 'name') === 'DEVTOOL_CLONE_SECONDS'),
      'value',
    )
  }
  assert.is(secondsOf({}), '240')
  assert.is(secondsOf({ timeoutSeconds: 20 }), '20')
  assert.is(secondsOf({ timeoutSeconds: 20, action: 'destroy' }), '10')
})

test.run()
