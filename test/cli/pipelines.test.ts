/** Pipelines and previews as their users meet them. The API behind the commands is the real one, over a cluster in memory. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { resources } from '../../src/domain/cluster/resources.ts'
import type { GitTip } from '../../src/ports/git.ts'
import { record } from '../support/cluster/destroy.ts'
import { as } from '../support/platform/person.ts'
import { startRunner } from '../support/platform/runner.ts'
import { putPreview, putRun, RUN, runOf } from '../support/platform/runs.ts'
import { sleepRecord, type TestPlatform, testPlatform } from '../support/platform/world.ts'

test('a pipeline is started for the repository in this folder, and the command that follows it is printed', async () => {
  const { platform, run } = as('member')
  const { status, stderr, stdout } = await run('pipeline', 'deploy')
  assert.is(status, 0, stderr)
  assert.is(stdout, '')
  assert.match(
    stderr,
    /^run [0-9a-f]{16} deploys pipeline shop in namespace shop\n`devtool pipeline logs --run [0-9a-f]{16} .* follows it, as does http\S+\/runs\/[0-9a-f]{16}\n/,
  )
  const { pipelines } = JSON.parse((await run('pipeline', 'list', '-o', 'json')).stdout)
  assert.equal(
    pipelines.map((one: Record<string, unknown>) => [one['name'], one['status'], one['repository'], one['branch']]),
    [['shop', 'progressing', 'https://git.example.com/team/web.git', undefined]],
  )
  assert.equal(platform.failures, [])
})

test('what is deployed is compared with what is checked out here', async () => {
  const said = async (tip: GitTip, ...argv: ReadonlyArray<string>): Promise<string> => {
    const asked: Array<string | undefined> = []
    const story = {
      tip: (branch?: string) => {
        asked.push(branch)
        return tip
      },
    }
    const { status, stderr } = await as('member', story).run(...argv)
    assert.is(status, 0, stderr)
    const [first = ''] = stderr.split('\n')
    return `${asked.map((branch = 'main') => `asked for ${branch}; `).join('')}${first.startsWith('run ') ? '' : first}`
  }
  const feature = { branch: 'feature', commit: 'bbbb' }
  const pushed = 'was not pushed: the platform deploys what its git server has'
  const other = 'is deployed as its git server has it, at bbbb: aaaa is checked out here'
  assert.is(await said(feature, 'preview', 'deploy'), `asked for feature; branch feature ${other}`)
  assert.is(await said({ ...feature, commit: 'aaaa' }, 'preview', 'deploy'), 'asked for feature; ')
  assert.is(await said({}, 'preview', 'deploy', '--branch', 'feature'), `asked for feature; branch feature ${pushed}`)
  assert.is(await said(feature, 'pipeline', 'deploy'), `asked for main; branch feature ${other}`)
  assert.is(
    await said({ branch: 'main', commit: 'bbbb' }, 'pipeline', 'deploy'),
    'asked for main; branch main is deployed, not feature: --branch names another',
  )
  assert.is(await said({}, 'pipeline', 'deploy'), 'asked for main; ')
  assert.is(await said(feature, 'pipeline', 'deploy', '--branch', 'v2'), '')
  assert.is(await said(feature, 'pipeline', 'deploy', '--repository', 'https://git.test/api'), '')
})

test('every flag of the reference is sent to the platform', async () => {
  const { platform, run } = as('member')
  const flags = ['--branch', 'v2', '--file', 'a/b.yaml', '--name', 'api', '--repository', 'https://git.test/api']
  const { status, stdout } = await run(
    'pipeline',
    'deploy',
    ...flags,
    '--timeout',
    '90s',
    '--var',
    'A=b=c',
    '-o',
    'json',
  )
  assert.is(status, 0)
  const { pipeline, run: started } = JSON.parse(stdout)
  assert.is(pipeline, 'api')
  const { branch, file, repository, timeoutSeconds, variables } = started
  assert.equal(
    [branch, file, repository, timeoutSeconds, variables],
    ['v2', 'a/b.yaml', 'https://git.test/api', 90, ['A']],
  )
  assert.equal(platform.failures, [])
})

test('--timeout ends the command, not the run, and prints how to cancel the run', async () => {
  const { platform, run } = as('member')
  const { status, stderr } = await run('pipeline', 'deploy', '--wait', '--timeout', '1s')
  assert.is(status, 6, stderr)
  assert.match(stderr, /DT3120: timed out: run [0-9a-f]{16} goes on/)
  assert.match(stderr, 'devtool pipeline cancel --run')
  const { items } = await listed(platform)
  assert.is(items.length, 1)
})

const listed = async ({ cluster }: TestPlatform) => {
  const jobs = await cluster.list({ resource: resources.Job, namespace: 'shop' })()
  return jobs._tag === 'Right' ? jobs.right : { items: [] }
}

test('--skip-if-exists does not start a run of an existing pipeline', async () => {
  const { platform, run } = as('member')
  platform.cluster.put(record({ environment: 'shop', status: 'deployed' }, 'shop'))
  const { status, stderr } = await run('pipeline', 'deploy', '--skip-if-exists')
  assert.is(status, 0)
  assert.is(stderr, 'there is a pipeline shop in namespace shop already (deployed): nothing was started\n')
  assert.is((await listed(platform)).items.length, 0)
})

test('destroy, logs and cancel use the last run of the pipeline, or a run given by its id', async () => {
  const platform = testPlatform()
  putRun(platform, runOf({ environment: 'shop' }), 'one', 'two')
  const { run } = as('member', { platform })
  assert.is((await run('pipeline', 'logs')).stdout, 'one\ntwo\n')
  const lines = (await run('pipeline', 'logs', '--run', RUN, '-o', 'json')).stdout.trim().split('\n')
  assert.equal(
    lines.map((line) => JSON.parse(line).n),
    [1, 2],
  )
  assert.match((await run('pipeline', 'cancel')).stderr, `run ${RUN} has ended already: succeeded`)
  assert.is((await run('pipeline', 'destroy', '--volumes')).status, 0)
  assert.match(
    (await run('pipeline', 'cancel')).stderr,
    /^cancelling run [0-9a-f]{16} of pipeline shop in namespace shop/,
  )
  assert.is((await run('pipeline', 'logs', '--name', 'other')).status, 5)
  assert.is((await run('pipeline', 'destroy', '--name', 'other')).status, 5)
})

test('a repository that the platform cannot clone is refused with status 5', async () => {
  for (const [head, text] of [
    [{}, 'this folder is in no git repository'],
    [{ gitFolder: '/x/.git' }, 'has no remote'],
    [{ gitFolder: '/x/.git', repository: '/srv/git/web.git' }, 'clones by HTTPS only'],
    [{ gitFolder: '/x/.git', refused: 'detected dubious ownership' }, 'detected dubious ownership'],
  ] as const) {
    const { status, stderr } = await as('member', { head }).run('preview', 'deploy')
    assert.is(status, 5)
    assert.match(stderr, 'DT2112')
    assert.match(stderr, text)
  }
})

test('a preview of the current branch is deployed, listed, and found again without its name', async () => {
  const platform = testPlatform()
  startRunner(platform)
  const { run } = as('member', { platform })
  const source = ['--sourceUrl', 'https://git.example.com/team/web/pulls/1']
  const { status, stderr, stdout } = await run('preview', 'deploy', '--wait', ...source)
  assert.is(status, 0, stderr)
  assert.is(stdout, 'cloned\ndeployed\n')
  assert.match(stderr, /^run [0-9a-f]{16} is queued: \S+\ndeployed preview web-feature-[0-9a-f]{6}\n/)
  const preview = { resource: resources.Namespace, name: /preview (\S+)\n/.exec(stderr)?.[1] ?? '' }
  const noted = { annotations: { 'dev.devtool/last-run': `${RUN} failed` } }
  await platform.cluster.merge(preview, { metadata: noted }, { manager: 'controller' })()
  const list = (await run('preview', 'list')).stdout
  assert.match(list, /Name +Scope +Status +Last run +Repository +Branch +Source\n/)
  assert.match(
    list,
    /web-feature-[0-9a-f]{6} +personal +Active +failed +https:\/\/git.example.com\/team\/web.git +feature +https:/,
  )
  const name = (await run('preview', 'list', '-o', 'name')).stdout.trim()
  platform.cluster.put(sleepRecord(name))
  assert.match((await run('preview', 'list')).stdout, /personal +Asleep +failed/)
  platform.cluster.put({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'web', namespace: name },
    spec: {
      rules: [{ host: 'web.example.com', http: { paths: [{ path: '/', backend: { service: { name: 'web' } } }] } }],
    },
  })
  const md = await run('preview', 'endpoints', '-o', 'md')
  assert.is(md.status, 0, md.stderr)
  assert.match(md.stdout, '### Endpoints of web')
  assert.match(md.stdout, '(http://web.example.com/)')
  assert.is(JSON.parse((await run('preview', 'endpoints', name, '-o', 'json')).stdout).namespace, name)
  assert.is((await run('preview', 'endpoints', name, '-o', 'name')).stdout, 'http://web.example.com/\n')
})

test('preview destroy waits until the preview is destroyed', async () => {
  const platform = testPlatform()
  putPreview(platform, { branch: 'feature' })
  // As the controller does.
  platform.cluster.onChange(({ object }) => {
    const isDeleting = object.metadata.annotations?.['dev.devtool/status'] === 'Deleting'
    if (object.kind === 'Namespace' && isDeleting) setImmediate(() => platform.cluster.take('Namespace', 'look'))
  })
  const { status, stderr } = await as('owner', { platform }).run('preview', 'destroy')
  assert.is(stderr, 'destroyed preview look\n')
  assert.is(status, 0)
  assert.is((await as('owner', { platform }).run('preview', 'destroy')).status, 5)
})

test('if destroy commands fail, the preview is kept and the status is 1', async () => {
  const platform = testPlatform()
  putPreview(platform)
  platform.cluster.onChange(({ object }) => {
    const { annotations } = object.metadata
    if (annotations?.['dev.devtool/status'] !== 'Deleting') return
    const failed = { ...annotations, 'dev.devtool/status': 'DeleteFailed' }
    setImmediate(() => platform.cluster.put({ ...object, metadata: { ...object.metadata, annotations: failed } }))
  })
  const { status, stderr } = await as('owner', { platform }).run('preview', 'destroy', 'look')
  assert.is(status, 1, stderr)
  assert.match(stderr, 'DT6412')
})

test('only administrators deploy global previews', async () => {
  const refused = await as('member').run('preview', 'deploy', 'demo', '--scope', 'global')
  assert.is(refused.status, 4)
  assert.match(refused.stderr, 'only administrators')
  assert.is((await as('admin').run('preview', 'deploy', 'demo', '--scope', 'global')).status, 0)
})

test('several previews of a branch and none at all have different errors', async () => {
  const platform = testPlatform()
  putPreview(platform, { branch: 'feature' })
  putPreview(platform, { branch: 'feature' }, 'look-2')
  const several = await as('owner', { platform }).run('preview', 'endpoints')
  assert.is(several.status, 2)
  assert.match(several.stderr, 'look, look-2')
  assert.is((await as('owner').run('preview', 'endpoints')).status, 5)
})

const all = [
  ['pipeline', 'deploy'],
  ['pipeline', 'destroy'],
  ['pipeline', 'list'],
  ['pipeline', 'logs'],
  ['pipeline', 'cancel'],
  ['preview', 'deploy'],
  ['preview', 'destroy', 'x'],
  ['preview', 'endpoints', 'x'],
  ['preview', 'list'],
]

test('without a login, pipeline and preview commands end with status 4, and on a plain cluster with status 5', async () => {
  for (const argv of all) {
    const out = await as('member', { env: { DEVTOOL_TOKEN: '' } }).run(...argv)
    assert.is(out.status, 4, argv.join(' '))
    assert.match(out.stderr, 'DT6001')
    const plain = await as('member', { env: { DEVTOOL_CONTEXT: 'plain' } }).run(...argv)
    assert.is(plain.status, 5, argv.join(' '))
    assert.match(plain.stderr, 'DT2107')
  }
})

test.run()
