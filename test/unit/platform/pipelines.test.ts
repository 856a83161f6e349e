/** Pipelines and runs over HTTP: what is written, by whom, and what is listed. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { at, type Json, listAt, textAt } from '../../../src/domain/cluster/json.ts'
import { type KnownKind, resources } from '../../../src/domain/cluster/resources.ts'
import { eventReader } from '../../../src/domain/platform/api/events.ts'
import { accountOf } from '../../../src/domain/platform/names.ts'
import { runIn } from '../../../src/domain/platform/run/record.ts'
import { decodeBase64 } from '../../../src/domain/text/base64.ts'
import { record } from '../../support/cluster/destroy.ts'
import { linesOf, putRun, REPOSITORY, RUN, runOf } from '../../support/platform/runs.ts'
import { idOf, type Person, type TestPlatform, testPlatform } from '../../support/platform/world.ts'

const path = '/api/v1/namespaces/shop'
const wanted = { name: 'web', repository: REPOSITORY }

const json = async (answer: Response): Promise<Json> => JSON.parse(await answer.text())
const send = async (
  platform: TestPlatform,
  method: string,
  rest: string,
  more: { as?: Person; body?: object; headers?: Record<string, string> } = {},
): Promise<Json> => json(await platform.send(method, path + rest, { as: 'member', ...more }))

const found = async ({ cluster }: TestPlatform, kind: KnownKind, name: string) => {
  const read = await cluster.get({ resource: resources[kind], namespace: 'shop', name })()
  return read._tag === 'Right' ? read.right : undefined
}

test('a deploy is a suspended Job, a Secret and a record, written as the user', async () => {
  const platform = testPlatform()
  const body = { ...wanted, branch: 'v2', file: 'app/compose.yaml', variables: [{ name: 'TAG', value: 's3cret' }] }
  const { isSkipped, run } = JSON.parse(JSON.stringify(await send(platform, 'POST', '/pipelines', { body })))
  assert.is(isSkipped, false)
  const { exitStatus: _none, ...queued } = runOf({ status: 'queued', branch: 'v2', file: 'app/compose.yaml' })
  const who = { user: idOf('member'), email: 'member@example.com' }
  const waitsFor = { for: 'platform' }
  assert.equal(run, { ...queued, id: run.id, created: run.created, who, variables: ['TAG'], waitsFor })
  const name = `devtool-run-${run.id}`
  const job = await found(platform, 'Job', name)
  assert.is(at(job, 'spec', 'suspend'), true)
  assert.not.match(JSON.stringify(job), 's3cret')
  const secret = await found(platform, 'Secret', name)
  const values = new TextDecoder().decode(decodeBase64(textAt(secret, 'data', 'variables.json') ?? ''))
  assert.is(at(JSON.parse(values), 'given', 'TAG'), 's3cret')
  // Of the platform, for all namespaces.
  assert.is(at(JSON.parse(values), 'shared', 'COLOR'), 'blue')
  const kept = await found(platform, 'ConfigMap', name)
  assert.is(kept === undefined ? undefined : runIn(kept)?.status, 'queued')
  assert.not.match(JSON.stringify(kept), 's3cret')
  const asMember = { user: accountOf(idOf('member')) }
  assert.ok(platform.cluster.accounts().some((account) => account.user === asMember.user))
})

test('the same key starts one run, for this user and namespace', async () => {
  const platform = testPlatform()
  const start = async (key: string, as: Person = 'member') =>
    textAt(
      await send(platform, 'POST', '/pipelines', { as, body: wanted, headers: { 'idempotency-key': key } }),
      'run',
      'id',
    )
  const [first, again, other, owner] = [await start('a'), await start('a'), await start('b'), await start('a', 'owner')]
  assert.is(first, again)
  assert.is(new Set([first, other, owner]).size, 3)
  assert.is(listAt(await send(platform, 'GET', '/runs'), 'runs').length, 3)
})

test('a request that was interrupted at any point is completed when it is repeated', async () => {
  for (const what of ['jobs.batch', 'secrets', 'configmaps']) {
    const platform = testPlatform({ failures: [{ verb: 'create', what, status: 503, message: 'no', times: 1 }] })
    const more = { body: { ...wanted, variables: [{ name: 'A', value: 'b' }] }, headers: { 'idempotency-key': 'a' } }
    assert.is(textAt(await send(platform, 'POST', '/pipelines', more), 'code'), 'DT6009')
    const id = textAt(await send(platform, 'POST', '/pipelines', more), 'run', 'id')
    for (const kind of ['Job', 'Secret', 'ConfigMap'] as const)
      assert.ok((await found(platform, kind, `devtool-run-${id}`)) !== undefined, kind)
  }
})

test('an exhausted quota is reported without the message of the cluster', async () => {
  const message = 'exceeded quota: devtool'
  const platform = testPlatform({ failures: [{ verb: 'create', what: 'jobs.batch', status: 403, message }] })
  const refused = await platform.send('POST', `${path}/pipelines`, { as: 'member', body: wanted })
  assert.is(refused.status, 409)
  const title = textAt(await json(refused), 'title') ?? ''
  assert.match(title, 'the quota of the namespace is used up')
  assert.not.match(title, message)
})

test('URLs, branches and paths that are unsafe for the runner are refused', async () => {
  const platform = testPlatform()
  for (const wrong of [
    { repository: 'http://git.example.com/a' },
    { repository: 'https://me:pw@git.example.com/a' },
    { repository: 'file:///etc' },
    { repository: 'ext::sh -c id' },
    { branch: '--upload-pack=id' },
    { branch: 'a..b' },
    { file: '/etc/passwd' },
    { file: '../x' },
    { name: 'Web' },
    { timeoutSeconds: 0 },
    { variables: [{ name: 'A B', value: '' }] },
  ]) {
    const body = { ...wanted, ...wrong }
    const answer = await platform.send('POST', `${path}/pipelines`, { as: 'member', body })
    assert.is(answer.status, 400, JSON.stringify(wrong))
  }
  assert.equal(
    platform.cluster.asked().filter(({ verb }) => verb === 'create'),
    [],
  )
})

test('an existing pipeline is skipped on request, even if it was not deployed by a run', async () => {
  const platform = testPlatform()
  const body = { ...wanted, skipIfExists: true }
  assert.is(at(await send(platform, 'POST', '/pipelines', { body }), 'isSkipped'), false)
  assert.is(at(await send(platform, 'POST', '/pipelines', { body }), 'isSkipped'), true)
  platform.cluster.put(record({ environment: 'api', status: 'deployed' }, 'shop'))
  assert.equal(await send(platform, 'POST', '/pipelines', { body: { ...body, name: 'api' } }), {
    isSkipped: true,
    status: 'deployed',
  })
})

test('a run under way is answered instead, and a pipeline that no run has deployed is not skipped', async () => {
  const platform = testPlatform()
  const body = { ...wanted, skipIfExists: true }
  putRun(platform, runOf({ status: 'running' }))
  const skipped = await send(platform, 'POST', '/pipelines', { body })
  assert.equal(
    [at(skipped, 'isSkipped'), textAt(skipped, 'status'), textAt(skipped, 'run', 'id')],
    [true, 'progressing', RUN],
  )
  putRun(platform, runOf({ status: 'failed', exitStatus: 5 }))
  assert.is(at(await send(platform, 'POST', '/pipelines', { body }), 'isSkipped'), false)
})

test('a request that is repeated does not skip what it has started itself', async () => {
  const platform = testPlatform()
  const body = { ...wanted, skipIfExists: true }
  const start = (key: string) => send(platform, 'POST', '/pipelines', { body, headers: { 'idempotency-key': key } })
  const [first, again, other] = [await start('a'), await start('a'), await start('b')]
  assert.equal([at(again, 'isSkipped'), textAt(again, 'run', 'id')], [false, textAt(first, 'run', 'id')])
  assert.is(at(other, 'isSkipped'), true)
})

test('a pipeline that is being destroyed is not skipped, and deployed again', async () => {
  const platform = testPlatform()
  platform.cluster.put(record({ environment: 'web', status: 'deployed' }, 'shop'))
  putRun(platform, runOf({ action: 'destroy', status: 'running' }))
  const started = await send(platform, 'POST', '/pipelines', { body: { ...wanted, skipIfExists: true } })
  assert.equal([at(started, 'isSkipped'), textAt(started, 'run', 'action')], [false, 'deploy'])
})

test('pipelines are records and runs together, page by page', async () => {
  const platform = testPlatform()
  putRun(platform, runOf({ status: 'failed', branch: 'v2' }))
  platform.cluster.put(
    record(
      { environment: 'api', status: 'deployed', source: { repository: 'git.test/team/api', branch: 'main' } },
      'shop',
    ),
  )
  const first = await send(platform, 'GET', '/pipelines?limit=1', { as: 'viewer' })
  assert.equal(listAt(first, 'pipelines'), [
    { name: 'api', status: 'deployed', repository: 'https://git.test/team/api', branch: 'main' },
  ])
  const rest = await send(platform, 'GET', `/pipelines?continue=${textAt(first, 'next')}`)
  const [web, ...others] = listAt(rest, 'pipelines')
  assert.equal([textAt(web, 'name'), textAt(web, 'status'), textAt(web, 'run', 'id')], ['web', 'error', RUN])
  assert.equal(others, [])
  assert.is(textAt(await send(platform, 'GET', '/pipelines/web'), 'branch'), 'v2')
  assert.is((await platform.send('GET', `${path}/pipelines/none`, { as: 'viewer' })).status, 404)
})

test('a destroy clones what the last run cloned; a destroyed pipeline is not listed', async () => {
  const platform = testPlatform()
  putRun(platform, runOf({ branch: 'v2', file: 'a.yaml' }))
  const { run } = JSON.parse(
    JSON.stringify(await send(platform, 'DELETE', '/pipelines/web?volumes=true&timeoutSeconds=60')),
  )
  assert.equal(
    [run.action, run.volumes, run.timeoutSeconds, run.repository, run.branch, run.file],
    ['destroy', true, 60, REPOSITORY, 'v2', 'a.yaml'],
  )
  putRun(platform, { ...run, status: 'succeeded' })
  assert.is((await platform.send('DELETE', `${path}/pipelines/web`, { as: 'member' })).status, 404)
})

test('runs are listed the newest first, also of one pipeline', async () => {
  const platform = testPlatform()
  const ids = ['1', '2', '3'].map((digit) => digit.repeat(16))
  for (const [index, id] of ids.entries()) putRun(platform, runOf({ id, environment: index === 1 ? 'api' : 'web' }))
  const idsIn = (answer: Json) => listAt(answer, 'runs').map((one) => textAt(one, 'id'))
  const first = await send(platform, 'GET', '/runs?limit=2')
  const rest = await send(platform, 'GET', `/runs?continue=${textAt(first, 'next')}`)
  assert.equal([...idsIn(first), ...idsIn(rest)], ids.toReversed())
  assert.equal(idsIn(await send(platform, 'GET', '/runs?pipeline=api')), [ids[1]])
})

test('a cancelled run records by whom before its Job is deleted; an ended run is not changed', async () => {
  const platform = testPlatform()
  const id = textAt(await send(platform, 'POST', '/pipelines', { body: wanted }), 'run', 'id') ?? ''
  const cancelled = await platform.send('POST', `${path}/runs/${id}/cancel`, { as: 'owner' })
  assert.is(cancelled.status, 202)
  const kept = await found(platform, 'ConfigMap', `devtool-run-${id}`)
  assert.is(textAt(kept, 'metadata', 'annotations', 'dev.devtool/cancelled-by'), idOf('owner'))
  const { cancelledBy } = JSON.parse(JSON.stringify(await send(platform, 'GET', `/runs/${id}`)))
  assert.equal(cancelledBy, { user: idOf('owner'), email: 'owner@example.com' })
  assert.is(await found(platform, 'Job', `devtool-run-${id}`), undefined)
  putRun(platform)
  await send(platform, 'POST', `/runs/${RUN}/cancel`)
  const ended = await found(platform, 'ConfigMap', `devtool-run-${RUN}`)
  assert.is(textAt(ended, 'metadata', 'annotations', 'dev.devtool/cancelled-by'), undefined)
})

test('nothing is started in a namespace that is being deleted', async () => {
  const platform = testPlatform()
  await platform.send('DELETE', path, { as: 'owner' })
  assert.is((await platform.send('POST', `${path}/pipelines`, { as: 'member', body: wanted })).status, 409)
})

/** The events of a log, as name and number or status. */
const eventsIn = async (answer: Response): Promise<ReadonlyArray<string>> => {
  const read = eventReader()
  return (await answer.text()).split('\n').flatMap((line) => {
    const event = read(line)
    if (event === undefined) return []
    return event.event === 'log' ? [`${event.id} ${JSON.parse(event.data).text}`] : [event.event]
  })
}

const log = (platform: TestPlatform, after?: string): Promise<ReadonlyArray<string>> =>
  platform
    .send('GET', `${path}/runs/${RUN}/log`, {
      as: 'viewer',
      headers: after === undefined ? {} : { 'last-event-id': after },
    })
    .then(eventsIn)

test('the log of a run whose pod is gone is read from its record, from any position', async () => {
  const platform = testPlatform()
  putRun(platform, runOf(), 'one', 'two', 'three')
  assert.equal(await log(platform), ['1 one', '2 two', '3 three', 'end'])
  assert.equal(await log(platform, '2'), ['3 three', 'end'])
  assert.equal(await log(platform, '3'), ['end'])
})

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'run-pod', namespace: 'shop', labels: { 'dev.devtool/run': RUN } },
  status: { containerStatuses: [{ name: 'run', state: { running: {} } }] },
}

test('the log of a running run is read from its pod, then from its record, each line once', async () => {
  const platform = testPlatform()
  const { cluster } = platform
  putRun(platform, runOf({ status: 'running' }), 'one')
  cluster.put(pod)
  const [first, second] = linesOf('one', 'two').map((line) => JSON.stringify(line))
  cluster.say('shop/run-pod', 'run', [first ?? '', 'no line of the runner', second ?? ''])
  const answer = log(platform)
  await new Promise((resolve) => setTimeout(resolve, 50))
  // The kubelet has closed the stream before the last line.
  putRun(platform, runOf(), 'one', 'two', 'three')
  cluster.endLogs('shop/run-pod')
  assert.equal(await answer, ['1 one', '2 two', '3 three', 'end'])
})

test.run()
