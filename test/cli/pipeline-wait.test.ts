/** `--wait`: commands that follow a run to its end. The API behind them is the real one, over a cluster in memory. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { resources } from '../../src/domain/cluster/resources.ts'
import { error } from '../../src/domain/diagnostic/diagnostic.ts'
import { as } from '../support/platform/person.ts'
import { startRunner } from '../support/platform/runner.ts'
import { putRun, RUN, runOf } from '../support/platform/runs.ts'
import { type Person, testPlatform } from '../support/platform/world.ts'

test('--wait prints the log and ends as the run does', async () => {
  const platform = testPlatform()
  startRunner(platform)
  const { status, stderr, stdout } = await as('member', { platform }).run('pipeline', 'deploy', '--wait')
  assert.is(status, 0, stderr)
  assert.is(stdout, 'cloned\ndeployed\n')
  assert.match(
    stderr,
    /^run [0-9a-f]{16} is queued: https?:\S+\/namespaces\/shop\/runs\/[0-9a-f]{16}\ndeployed pipeline shop in namespace shop\n$/,
  )
  const json = await as('member', { platform }).run('pipeline', 'deploy', '--wait', '-o', 'json')
  const { page, run } = JSON.parse(json.stdout)
  assert.is(run.status, 'succeeded')
  assert.match(page, new RegExp(`^https?:.*/namespaces/shop/runs/${run.id}$`))
  assert.match(json.stderr, 'cloned')
})

test('--wait on a queued run says at once what it waits for', async () => {
  const platform = testPlatform()
  const begin = async (name: string): Promise<string> => {
    const body = { name, repository: 'https://git.example.com/team/web.git' }
    const started = await platform.send('POST', '/api/v1/namespaces/shop/pipelines', { as: 'owner', body })
    const { id } = JSON.parse(await started.text()).run
    const key = { resource: resources.Job, namespace: 'shop', name: `devtool-run-${id}` }
    await platform.cluster.merge(key, { spec: { suspend: false } }, { manager: 'controller' })()
    return id
  }
  const wait = (person: Person, name: string) =>
    as(person, { platform }).run('pipeline', 'deploy', '--name', name, '--wait', '--timeout', '1s')
  const first = await begin('shop')
  assert.match((await wait('member', 'shop')).stderr, new RegExp(`^run [0-9a-f]{16} waits for run ${first}: http`))
  for (const name of ['a', 'b']) await begin(name)
  assert.match((await wait('owner', 'c')).stderr, /^run [0-9a-f]{16} waits for other runs of its namespace: http/)
})

test('the log of a queued run begins with what it waits for, and ends with who has cancelled it', async () => {
  const platform = testPlatform()
  putRun(platform, runOf({ environment: 'shop', status: 'queued' }))
  const bob = { user: 'u-2', email: 'bob@example.com' }
  setTimeout(() => putRun(platform, runOf({ environment: 'shop', status: 'cancelled', cancelledBy: bob })), 200)
  const { status, stderr, stdout } = await as('member', { platform }).run('pipeline', 'logs')
  assert.equal([status, stdout], [0, ''], stderr)
  assert.is(stderr, `run ${RUN} starts\nrun ${RUN} was cancelled by bob@example.com\n`)
})

const ends = [
  [{ status: 'failed', exitStatus: 1, failure: error('DT3150', 'cannot clone') }, 1, 'DT3150'],
  [{ status: 'failed', exitStatus: 42 }, 42, 'failed with status 42'],
  [
    { status: 'failed', exitStatus: 3, failure: { ...error('DT3150', 'of a newer devtool'), code: 'DT9999' } },
    3,
    'of a newer',
  ],
  [{ status: 'timed-out', exitStatus: 6, failure: error('DT6402', 'stopped after 300 s') }, 6, 'DT6402'],
  [{ status: 'cancelled' }, 7, 'DT6411'],
  [
    { status: 'cancelled', cancelledBy: { user: 'u-1', email: 'bob@example.com' } },
    7,
    'cancelled by bob@example.com\n',
  ],
  [{ status: 'cancelled', replacedBy: 'fedcba9876543210' }, 7, 'replaced by the newer run fedcba9876543210'],
] as const

for (const [end, status, text] of ends) {
  test(`--wait with a run that ends as ${JSON.stringify(end).slice(0, 60)} exits with ${status}`, async () => {
    const platform = testPlatform()
    startRunner(platform, end)
    const ended = await as('member', { platform }).run('pipeline', 'deploy', '--wait')
    assert.is(ended.status, status, ended.stderr)
    assert.match(ended.stderr, text)
  })
}

test('--skip-if-exists --wait waits for the run that is under way, and ends as it does', async () => {
  const platform = testPlatform()
  putRun(platform, runOf({ environment: 'shop', status: 'running' }))
  setTimeout(() => putRun(platform, runOf({ environment: 'shop', status: 'failed', exitStatus: 9 }), 'oh'), 100)
  const { status, stderr, stdout } = await as('member', { platform }).run(
    ...['pipeline', 'deploy', '--skip-if-exists', '--wait'],
  )
  assert.is(status, 9, stderr)
  assert.is(stdout, 'oh\n')
  assert.match(stderr, `run ${RUN} is under way`)
  assert.match(stderr, /already \(progressing\): nothing was started\nrun \w+ failed with status 9/)
})

test.run()
