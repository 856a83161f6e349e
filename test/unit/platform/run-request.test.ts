/** How a run is asked for: its place among others, and the credentials of git that it gets. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { at, listAt, objectAt, textAt } from '../../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import { byRunAge, runAgeOf } from '../../../src/domain/platform/run/age.ts'
import { recordObject } from '../../../src/domain/platform/run/record.ts'
import { gitTokenFor, isOfFork } from '../../../src/domain/platform/run/repository.ts'
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

const [variable, ca] = ['DEVTOOL_GIT_TOKEN_GIT_EXAMPLE_COM', 'DEVTOOL_GIT_CA']

/** The keys of the run's Secret, and those that the container that clones gets. */
const gitKeys = (more: Partial<RunRequest>, [given, shared]: readonly [string, string]) => {
  const variables = {
    given: new Map([[variable, given]]),
    shared: new Map([
      [variable, shared],
      [ca, 'PEM'],
    ]),
  }
  const wanted = { ...request, ...more, variables }
  const data = objectAt(runSecret(wanted, { uid: 'uid' }), 'data')
  const volumes = listAt(runJob(programs, wanted), 'spec', 'template', 'spec', 'volumes')
  const sources = listAt(
    volumes.find((volume) => textAt(volume, 'name') === 'git'),
    'projected',
    'sources',
  )
  return {
    kept: Object.keys(data).filter((key) => key !== 'variables.json'),
    tokens: sources.flatMap((source) =>
      listAt(source, 'secret', 'items').flatMap((item) =>
        textAt(item, 'path')?.endsWith('/token') === true ? [textAt(item, 'key')] : [],
      ),
    ),
  }
}

test('a token for another repository of the host is not stored where the code of the run could read it', () => {
  const only = ['acme/shop given', 'acme shared'] as const
  assert.equal(gitKeys({}, only).kept, ['git.given.token', 'git.shared.token', 'git.shared.ca.crt'])
  const fork = { repository: 'https://git.example.com/mallory/shop.git' }
  assert.equal(gitKeys(fork, only).kept, ['git.shared.ca.crt'])
})

test('a fork is cloned only with a token that was entered for the run', () => {
  const { kept, tokens } = gitKeys({ isFork: true }, ['given', 'shared'])
  assert.equal(kept, ['git.given.token', 'git.shared.ca.crt'])
  assert.equal(tokens, ['git.given.token'])
  assert.equal(gitKeys({}, ['given', 'shared']).tokens, ['git.given.token', variable, 'git.shared.token'])
})

test('of the lines of a variable, the token of the longest path counts, and one without a path for all', () => {
  const lines = 'all\nacme of-acme\n/acme/shop.git of-shop\n\n'
  const of = (path: string, text = lines) => gitTokenFor(text, `https://git.example.com:8443/${path}`)
  assert.equal(
    ['acme/shop', 'acme/shop.git/', 'acme/other', 'acme-2/shop', 'x/acme/shop'].map((path) => of(path)),
    ['of-shop', 'of-shop', 'of-acme', 'all', 'all'],
  )
  const own = 'acme/shop of-shop'
  assert.equal(
    ['acme/shop', 'mallory/shop', 'acme/shopping'].map((path) => of(path, own)),
    ['of-shop', undefined, undefined],
  )
  // A server could take these for other repositories.
  for (const path of ['acme/shop/../../mallory/shop', 'acme/shop/%2e%2e/x', 'acme/shop//x', 'acme/shop/./x'])
    assert.is(of(path, own), undefined, path)
  assert.equal(
    ['', ' \n'].map((text) => of('acme/shop', text)),
    [undefined, undefined],
  )
})

test('a preview is of a fork when its pull request is in another repository of the host', () => {
  const shop = 'https://git.example.com/acme/shop'
  for (const page of ['/pull/7', '/pulls/7', '/pull-requests/7/overview', '/-/merge_requests/7#note_1']) {
    assert.ok(isOfFork('https://git.example.com/mallory/shop.git', shop + page), page)
    assert.not(isOfFork(`${shop}.git`, shop + page), page)
    assert.not(isOfFork('https://git.example.com/Acme/Shop', shop + page), 'letters')
  }
  for (const page of ['', undefined, shop, `${shop}/issues/7`, 'https://tracker.example.com/acme/shop/pull/7']) {
    assert.not(isOfFork('https://git.example.com/mallory/shop.git', page), page)
  }
  const server = 'https://git.example.com/projects/ACME/repos/shop/pull-requests/7'
  assert.not(isOfFork('https://git.example.com/scm/acme/shop.git', server))
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
