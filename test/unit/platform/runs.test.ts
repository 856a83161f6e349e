/** Runs as data: their records, logs and objects, which of them begin, and how each ends. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { at, type JsonObject, listAt, textAt } from '../../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import { byRunAge } from '../../../src/domain/platform/run/age.ts'
import { cloneArguments, cloneFailure, cloneRefusal, cloneVariables } from '../../../src/domain/platform/run/clone.ts'
import { linesAfter, packLog, readRunLine, showRunLine, unpackLog } from '../../../src/domain/platform/run/log.ts'
import { hasEnded, type RunRecord, recordObject } from '../../../src/domain/platform/run/record.ts'
import { gitTokenVariable, isBranch, repositoryHost } from '../../../src/domain/platform/run/repository.ts'
import {
  isRunId,
  queuedRun,
  type RunRequest,
  randomRunId,
  runIdOf,
  runJob,
  runSecret,
} from '../../../src/domain/platform/run/request.ts'
import { type RunJob, runJobIn, scheduleRuns } from '../../../src/domain/platform/run/schedule.ts'
import { replacedRun, stepRun } from '../../../src/domain/platform/run/step.ts'
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
  branch: 'main',
  variables: { given: new Map([['COLOR', 'secret-red']]), shared: new Map([['SIZE', 'secret-large']]) },
}
const programs = { image: 'image', domain: 'apps.example.com', registry: '' }
const queued = queuedRun(request)

test('values are only in the Secret of the run, which is deleted with its Job', () => {
  const [job, record] = [JSON.stringify(runJob(programs, request)), JSON.stringify(recordObject(queued))]
  assert.not.match(job + record, 'secret-')
  assert.match(record, 'COLOR')
  assert.not.match(record, 'SIZE')
  const secret = runSecret(request, { uid: 'job-uid' })
  assert.is(textAt(secret, 'metadata', 'ownerReferences', 0, 'uid'), 'job-uid')
  const values = Buffer.from(textAt(secret, 'data', 'variables.json') ?? '', 'base64').toString()
  assert.equal(JSON.parse(values), { given: { COLOR: 'secret-red' }, shared: { SIZE: 'secret-large' } })
  const { variables: _none, ...bare } = request
  assert.is(runSecret(bare, { uid: 'job-uid' }), undefined)
})

test('only the container that clones gets credentials for git, and only the other one those for the cluster', () => {
  const job = runJob(programs, request)
  const mounts = (kind: string): ReadonlyArray<string | undefined> =>
    listAt(job, 'spec', 'template', 'spec', kind, 0, 'volumeMounts').map((mount) => textAt(mount, 'name'))
  assert.equal(mounts('initContainers'), ['work', 'tmp', 'git'])
  assert.equal(mounts('containers'), ['work', 'tmp', 'values', 'account', 'builder', 'registry'])
  assert.is(at(job, 'spec', 'suspend'), true)
  const { repository: _none, ...bare } = request
  assert.equal(listAt(runJob(programs, bare), 'spec', 'template', 'spec', 'initContainers'), [])
})

test('repositories are cloned by HTTPS only, without credentials in the address', () => {
  assert.is(repositoryHost('https://Git.Example.com:8443/acme/shop.git'), 'git.example.com')
  assert.is(gitTokenVariable('git.example-x.com'), 'DEVTOOL_GIT_TOKEN_GIT_EXAMPLE_X_COM')
  for (const address of [
    'http://git.example.com/a',
    'file:///etc/passwd',
    'ext::sh -c id',
    'https://ann:token@git.example.com/a',
    'https://git.example.com/a?b',
    'https://git.example.com/a b',
    '--upload-pack=id',
    'git@github.com:acme/shop.git',
    'https:///a',
  ]) {
    assert.is(repositoryHost(address), undefined, address)
  }
  for (const name of ['main', 'feature/a.b-c', 'v1.2', 'user@x']) assert.ok(isBranch(name), name)
  for (const name of ['-x', '', 'a..b', 'a b', 'a.lock', 'a/', 'a//b', 'a@{1}', '../x', 'a\nb']) {
    assert.not(isBranch(name), name)
  }
})

test('git gets credentials for one URL, not as arguments, and runs nothing from the repository', () => {
  const cloning = { repository: 'https://git.example.com/acme/shop.git', branch: 'main', token: 'secret-token' }
  const variables = cloneVariables(cloning)
  assert.not.match(cloneArguments(cloning).join(' '), 'secret')
  // What git stores is not among the files, from which images are built.
  assert.ok(cloneArguments(cloning).includes('--separate-git-dir=/work/git'))
  const names = Object.entries(variables).filter(([, value]) => value.includes('.extraHeader'))
  assert.equal(
    names.map(([, value]) => value),
    ['http.https://git.example.com/acme/shop.git.extraHeader'],
  )
  assert.is(variables['GIT_ALLOW_PROTOCOL'], 'https')
  assert.is(variables['GIT_CONFIG_GLOBAL'], '/dev/null')
  const settingOf = (name: string): string | undefined => {
    const [key = ''] = Object.entries(variables).find(([, value]) => value === name) ?? []
    return variables[key.replace('_KEY_', '_VALUE_')]
  }
  assert.is(settingOf('core.hooksPath'), '/dev/null')
  assert.is(settingOf('http.followRedirects'), 'false')
  assert.is(settingOf('protocol.allow'), 'never')
  assert.is(cloneRefusal(cloning), undefined)
  assert.is(cloneRefusal({ repository: 'ext::sh -c id' })?.code, 'DT6403')
  assert.is(cloneRefusal({ ...cloning, branch: '--upload-pack=id' })?.code, 'DT6403')
  const refused = cloneFailure(cloning, "fatal: Authentication failed for 'https://git.example.com/acme/shop.git/'\n")
  assert.match(refused.help ?? '', 'DEVTOOL_GIT_TOKEN_GIT_EXAMPLE_COM')
  const { token: _token, ...bare } = cloning
  const ofFork = cloneFailure(
    { ...bare, isFork: true },
    "fatal: Authentication failed for 'https://git.example.com/'\n",
  )
  assert.match(ofFork.help ?? '', /fork .*--var DEVTOOL_GIT_TOKEN_GIT_EXAMPLE_COM/)
  const absent = cloneFailure(
    { ...cloning, branch: 'nope' },
    'warning: x\nfatal: Remote branch nope not found in upstream origin',
  )
  assert.match(absent.message, 'no branch or tag nope')
  assert.is(absent.help, 'name another one with --branch')
  const slow = 'error: RPC failed; curl 28 Operation too slow. Less than 1000 bytes/sec\nfatal: early EOF'
  assert.match(cloneFailure(cloning, slow).message, 'its server stopped sending for 30 s')
})

test('the id of a request with a key is always the same, and unique to its user', () => {
  assert.is(runIdOf('a', 'u', 'k'), runIdOf('a', 'u', 'k'))
  assert.is.not(runIdOf('a', 'u', 'k'), runIdOf('a', 'uk', ''))
  assert.is.not(runIdOf('a', 'u', 'k'), runIdOf('b', 'u', 'k'))
  assert.ok(isRunId(runIdOf('a', 'u', 'k')))
  assert.is(randomRunId(new Uint8Array([0, 1, 2, 3, 4, 5, 6, 255, 9])), '00010203040506ff')
})

const line = fc.record(
  { n: fc.integer({ min: 1, max: 99 }), at: fc.string(), text: fc.string() },
  { noNullPrototype: true },
)

test('lines of a log are read back, starting after any of them', () => {
  fc.assert(
    fc.property(line, (one) => {
      assert.equal(readRunLine(showRunLine(one)), one)
    }),
  )
  for (const text of ['', 'hello', '{"n":0,"at":"","text":""}', '{"n":1}']) assert.is(readRunLine(text), undefined)
  fc.assert(
    fc.property(fc.array(line), fc.integer({ min: 0, max: 99 }), (lines, last) => {
      const after = linesAfter(lines, last).map(({ n }) => n)
      assert.equal(
        after,
        [...new Set(after)].toSorted((a, b) => a - b),
      )
      assert.ok(after.every((n) => n > last))
    }),
  )
})

test('a record keeps the last lines of a log, as many as fit', () => {
  const lines = Array.from({ length: 3000 }, (_, index) => ({
    n: index + 1,
    at: queued.created,
    text: `${index} ${Math.sin(index)}`,
  }))
  const packed = packLog(lines, 4096)
  const kept = unpackLog(packed)
  assert.ok(packed.length <= 4096 && kept.length > 10)
  assert.equal(kept, lines.slice(-kept.length))
  assert.equal(unpackLog(packLog(lines)), lines)
  assert.equal(unpackLog(packLog([{ n: 1, at: '', text: 'x'.repeat(9000) }], 30)), [])
  assert.equal(unpackLog(new Uint8Array([1, 2, 3])), [])
})

const jobs = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 0, max: 999 }).map(String),
    namespace: fc.constantFrom('a', 'b'),
    environment: fc.constantFrom('x', 'y', 'z', 'w'),
    created: fc.constantFrom('1', '2', '3'),
    queuedMs: fc.integer({ min: 0, max: 3 }),
    state: fc.constantFrom<RunJob['state']>('Queued', 'Queued', 'Active', 'Ended'),
  }),
  { selector: (job) => job.id },
)

test('at most one run of an environment is running, and the limits hold', () => {
  fc.assert(
    fc.property(jobs, fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 6 }), (all, namespace, cluster) => {
      const { replace, resume } = scheduleRuns(all, { namespace, cluster })
      const active = all.filter(({ state }) => state === 'Active')
      const keyOf = (job: RunJob): string => `${job.namespace}/${job.environment}`
      for (const job of resume) {
        assert.is([...active, ...resume].filter((other) => keyOf(other) === keyOf(job)).length, 1)
        assert.ok([...active, ...resume].filter((other) => other.namespace === job.namespace).length <= namespace)
        assert.is(job.state, 'Queued')
        assert.not(replace.some((one) => one.job === job))
      }
      assert.ok(resume.length === 0 || active.length + resume.length <= cluster)
      // The newest of each environment stays.
      const queuedNow = all.filter((job) => job.state === 'Queued' && !replace.some((one) => one.job === job))
      assert.is(new Set(queuedNow.map(keyOf)).size, queuedNow.length)
      for (const { by, job } of replace) {
        assert.ok(queuedNow.some((other) => other === by) && keyOf(by) === keyOf(job) && byRunAge(job, by) <= 0)
      }
    }),
  )
})

const made = liveFrom(runJob(programs, request), { creationTimestamp: queued.created })
const resumed = (more: JsonObject = {}, status: JsonObject = {}): ClusterObject => ({
  ...made,
  metadata: { ...made.metadata, ...more },
  spec: { suspend: false },
  status: { startTime: '2026-11-21T10:00:10Z', ...status },
})
const podOf = (phase: string, status: JsonObject = {}): ClusterObject =>
  liveFrom({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'pod' }, status: { phase, ...status } })

test('the state of a run is read from its Job', () => {
  assert.is(runJobIn(made)?.state, 'Queued')
  assert.is(runJobIn(resumed())?.state, 'Active')
  assert.is(runJobIn(resumed({ deletionTimestamp: queued.created }))?.state, 'Active')
  const failed = { conditions: [{ type: 'Failed', status: 'True', reason: 'DeadlineExceeded' }] }
  assert.is(runJobIn(resumed({}, failed))?.state, 'Ended')
  assert.is(runJobIn(podOf('Running')), undefined)
})

const at1 = '2026-11-21T10:01:00Z'
const late = '2026-11-21T10:20:00Z'
const started: RunRecord = { ...queued, status: 'running', started: '2026-11-21T10:00:20Z' }
const nothing = { isCancelled: false, job: undefined, pods: [], events: [], now: at1 } as const
const tag = (seen: Parameters<typeof stepRun>[0]): string => {
  const act = stepRun(seen)
  return act._tag === 'Close' ? act.run.status : act._tag
}

test('a run that can still record its own end is left alone', () => {
  assert.is(tag({ ...nothing, run: queued, job: made }), 'Wait')
  assert.is(tag({ ...nothing, run: queued, job: resumed() }), 'Wait')
  assert.is(tag({ ...nothing, run: started, job: resumed(), pods: [podOf('Running')] }), 'Wait')
  // It was deleted, and its program is writing its end.
  assert.is(tag({ ...nothing, run: started, pods: [podOf('Running')], isCancelled: true }), 'Wait')
  assert.is(tag({ ...nothing, run: queued }), 'Wait')
})

test('a run whose pod or Job is gone ends with the reason that the cluster has', () => {
  const killed = { name: 'run', state: { terminated: { exitCode: 137, reason: 'OOMKilled' } } }
  const limited = { containers: [{ name: 'run', resources: { limits: { memory: '1Gi' } } }] }
  const act = stepRun({
    ...nothing,
    run: started,
    job: resumed({}, { conditions: [{ type: 'Failed', status: 'True', message: 'backoff' }] }),
    pods: [{ ...podOf('Failed', { containerStatuses: [killed] }), spec: limited }],
  })
  assert.ok(act._tag === 'Close' && act.run.failure?.message.includes('exceeded its memory limit of 1Gi'))
  const message = 'Usage of EmptyDir volume "work" exceeds the limit "2Gi". '
  const evicted = stepRun({ ...nothing, run: queued, pods: [podOf('Failed', { reason: 'Evicted', message })] })
  assert.ok(evicted._tag === 'Close' && evicted.run.failure?.message.endsWith('take more than 2Gi'))
  assert.is(tag({ ...nothing, run: started }), 'failed')
  assert.is(tag({ ...nothing, run: started, isCancelled: true }), 'cancelled')
  assert.is(tag({ ...nothing, run: queued, isCancelled: true }), 'cancelled')
  assert.is(tag({ ...nothing, run: queued, now: late }), 'failed')
  assert.is(tag({ ...nothing, run: queued, job: resumed(), now: late }), 'failed')
  const deadline = { conditions: [{ type: 'Failed', status: 'True', reason: 'DeadlineExceeded' }] }
  assert.is(tag({ ...nothing, run: started, job: resumed({}, deadline) }), 'timed-out')
})

test('a run that exceeds its timeout is stopped, and an ended run does not start', () => {
  assert.is(tag({ ...nothing, run: started, job: resumed(), pods: [podOf('Running')], now: late }), 'Stop')
  assert.is(tag({ ...nothing, run: replacedRun(queued, 'newer', at1), job: made }), 'Stop')
  assert.is(tag({ ...nothing, run: queued, job: made, isCancelled: true }), 'Stop')
})

test('a run ends exactly once', () => {
  const status = fc.constantFrom<RunRecord['status']>(
    'queued',
    'running',
    'succeeded',
    'failed',
    'cancelled',
    'timed-out',
  )
  const job = fc.constantFrom(undefined, made, resumed(), resumed({ deletionTimestamp: at1 }))
  const pods = fc.array(fc.constantFrom(podOf('Running'), podOf('Failed'), podOf('Succeeded')), { maxLength: 2 })
  const now = fc.constantFrom(at1, late)
  fc.assert(
    fc.property(status, job, pods, now, fc.boolean(), (its, theJob, thePods, time, isCancelled) => {
      const seen = { job: theJob, pods: thePods, events: [], now: time, isCancelled }
      const act = stepRun({ ...seen, run: { ...started, status: its } })
      if (act._tag !== 'Close') return
      assert.not(hasEnded({ status: its }))
      assert.ok(hasEnded(act.run))
      // Once it is closed nothing closes it again.
      const again = stepRun({ ...seen, run: act.run })
      assert.is.not(again._tag, 'Close')
    }),
  )
})

test.run()
