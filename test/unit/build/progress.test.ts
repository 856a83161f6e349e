import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { BuildEvent } from '../../../src/domain/build/event.ts'
import {
  buildEnded,
  buildProgress,
  buildTold,
  failedVertex,
  missingCaches,
} from '../../../src/domain/build/progress.ts'
import type { ProgressEvent } from '../../../src/domain/progress/event.ts'
import { logEvent, moveEvent, vertexEvent } from '../../support/build/events.ts'

type Batch = readonly [atMs: number, ...events: ReadonlyArray<BuildEvent>]

const runOf = (batches: ReadonlyArray<Batch>, secrets: ReadonlyArray<string> = []) => {
  let run = buildProgress('api', secrets)
  const told = batches.flatMap(([atMs, ...events]) => {
    const next = buildTold(run, events, atMs)
    run = next.run
    return next.told
  })
  return { run, told }
}

const tagged = <Tag extends ProgressEvent['_tag']>(
  told: ReadonlyArray<ProgressEvent>,
  tag: Tag,
): ReadonlyArray<Extract<ProgressEvent, { readonly _tag: Tag }>> =>
  told.filter((event): event is Extract<ProgressEvent, { readonly _tag: Tag }> => event._tag === tag)

const states = (told: ReadonlyArray<ProgressEvent>): ReadonlyArray<string> =>
  tagged(told, 'Vertex').map(({ isCached, ms, name, number, state }) => {
    return `#${number ?? '-'} ${name} ${isCached ? 'Cached' : state} ${ms}`
  })

const details = (told: ReadonlyArray<ProgressEvent>): ReadonlyArray<string | undefined> =>
  tagged(told, 'Step').map(({ detail }) => detail)

const started = { startedMs: 1000 }
const ended = { startedMs: 1000, endedMs: 3000 }

test('the start and end of a vertex are reported, with its duration', () => {
  const { told } = runOf([
    [0, vertexEvent()],
    [10, vertexEvent(started)],
    [2500, vertexEvent(ended)],
  ])
  assert.equal(states(told), ['#1 [1/2] RUN make Running 0', '#1 [1/2] RUN make Done 2000'])
})

test('an announced vertex, and a run without duration before the real one, are not reported', () => {
  const { told } = runOf([
    [0, vertexEvent()],
    [1, vertexEvent({ startedMs: 1000, endedMs: 1000 })],
  ])
  assert.equal(told, [])
})

test('a cached vertex is reported once, even if the builder repeats it', () => {
  const cached = vertexEvent({ startedMs: 1000, endedMs: 1000, isCached: true })
  assert.equal(
    states(
      runOf([
        [0, cached, cached],
        [5, cached],
      ]).told,
    ),
    ['#1 [1/2] RUN make Cached 0'],
  )
})

test('runs of one vertex add up', () => {
  const name = 'exporting to image'
  const { told } = runOf([
    [0, vertexEvent({ ...started, name })],
    [1, vertexEvent({ ...ended, name })],
    [2, vertexEvent({ startedMs: 3100, name })],
    [3, vertexEvent({ startedMs: 3100, endedMs: 3600, name })],
  ])
  assert.equal(states(told), [
    '#1 exporting to image Running 0',
    '#1 exporting to image Done 2000',
    '#1 exporting to image Running 2000',
    '#1 exporting to image Done 2500',
  ])
})

test('a step shared with another build has two digests and is shown once', () => {
  const { told } = runOf([
    [0, vertexEvent(), vertexEvent({ digest: 'v2', ...started })],
    [5, vertexEvent({ digest: 'v2', ...ended }), vertexEvent({ ...ended, isCached: true })],
  ])
  assert.equal(states(told), ['#1 [1/2] RUN make Running 0', '#1 [1/2] RUN make Done 2000'])
})

test('steps that are not in the Dockerfile have no number', () => {
  const name = '[internal] load .dockerignore'
  assert.equal(states(runOf([[0, vertexEvent({ ...started, name })]]).told), [`#- ${name} Running 0`])
})

test('a script in the name of a step is shown as one line', () => {
  const { told } = runOf([[0, vertexEvent({ ...started, name: '[1/2] RUN <<EOF (make\n  all)' })]])
  assert.equal(details(told), ['[1/2] RUN <<EOF (make all)'])
})

test('a step cancelled because another failed is skipped, not failed', () => {
  const { run, told } = runOf([[0, vertexEvent({ ...ended, error: 'context canceled' })]])
  assert.equal(states(told), ['#1 [1/2] RUN make Skipped 2000'])
  assert.is(failedVertex(run), undefined)
})

test('the detail of a failed step is its status, not its command', () => {
  const error = 'process "/bin/sh -c make" did not complete successfully: exit code: 2'
  const { told } = runOf([[0, vertexEvent({ ...ended, error })]])
  assert.equal(
    tagged(told, 'Vertex').map(({ detail }) => detail),
    ['exit code: 2'],
  )
})

test('lines are complete however the output is split; of overwritten lines the last state is kept', () => {
  const { told } = runOf([
    [0, vertexEvent(started)],
    [1, logEvent('one\ntw')],
    [2, logEvent('o\n\rload 1%\rload 2%')],
    [3, logEvent('\u001b[2Jerr', 'v1', true)],
    [4, vertexEvent(ended)],
  ])
  assert.equal(
    tagged(told, 'Log').map(({ lines, rest }) => [lines, rest]),
    [
      [['one'], 'tw'],
      [['two'], 'load 2%'],
      [[], 'load 2%'],
      [['load 2%', 'err'], ''],
    ],
  )
})

test('a log before the start of its vertex starts it, and one after its end is shown', () => {
  const early = runOf([[0, vertexEvent(), logEvent('a\n')]]).told
  assert.equal(
    early.map(({ _tag }) => _tag),
    ['Step', 'Vertex', 'Log'],
  )
  const late = runOf([
    [0, vertexEvent(ended)],
    [1, logEvent('late\n')],
  ]).told
  assert.equal(
    tagged(late, 'Log').map(({ lines }) => lines),
    [['late']],
  )
})

test('events of an unknown vertex are ignored', () => {
  assert.equal(runOf([[0, logEvent('x\n'), moveEvent(1)]]).told, [])
})

test('secrets are masked, also in an incomplete line', () => {
  const batches: ReadonlyArray<Batch> = [
    [0, vertexEvent(started), logEvent('token s3cr3t-value\ns3cr3t-va')],
    [1, vertexEvent({ ...ended, error: 'x' })],
  ]
  const { run, told } = runOf(batches, ['s3cr3t-value'])
  assert.not.match(JSON.stringify(told), 's3cr3t-value')
  assert.not.match(JSON.stringify(tagged(told, 'Log')[0]), 's3cr3t')
  assert.is(failedVertex(run)?.lines.length, 2)
})

test('the last twenty lines of a failed step are kept, with bounded length', () => {
  const lines = Array.from({ length: 50 }, (_, at) => `${at} ${'x'.repeat(5000)}\n`).join('')
  const { run } = runOf([
    [0, vertexEvent(started), logEvent(lines)],
    [1, vertexEvent({ ...ended, error: 'exit code: 1' })],
  ])
  const failed = failedVertex(run)
  assert.is(failed?.name, '[1/2] RUN make')
  assert.is(failed?.lines.length, 20)
  assert.match(failed?.lines[0] ?? '', /^30 x/)
  assert.ok((failed?.lines ?? []).every((line) => line.length <= 2000))
  assert.is(failedVertex(run, 'v1')?.name, '[1/2] RUN make')
})

test('a transfer reports bytes, files and the recent rate', () => {
  const name = '[internal] load build context'
  const sent = (files: number, bytes: number): BuildEvent => ({ _tag: 'Sent', served: 'context', files, bytes })
  const { told } = runOf([
    [0, vertexEvent({ ...started, name }), moveEvent(28, 0, 'transferring context:'), sent(1, 1_000_000)],
    [1000, sent(900, 9_100_000)],
    [1100, sent(901, 9_100_500)],
    [1500, sent(1204, 12_300_000)],
  ])
  assert.equal(details(told), [
    'sending 1.0 MB, 1 file',
    'sending 9.1 MB, 900 files, 8.1 MB/s',
    'sending 12.3 MB, 1,204 files, 7.5 MB/s',
  ])
})

test('a push reports the progress of all layers together', () => {
  const name = 'exporting to image'
  const { told } = runOf([
    [0, vertexEvent({ ...started, name }), moveEvent(0, 0, 'pushing layers')],
    [100, moveEvent(0, 60e6, 'a'), moveEvent(0, 60e6, 'b')],
    [2600, moveEvent(15e6, 60e6, 'a'), moveEvent(30e6, 60e6, 'b')],
  ])
  assert.equal(details(told), ['pushing layers', 'pushing layers 45 of 120 MB, 18.0 MB/s'])
})

test('counters are reported twice a second, and the last value always', () => {
  const events = Array.from({ length: 100 }, (_, at): Batch => [at * 10, moveEvent((at + 1) * 1e6, 200e6)])
  const { told } = runOf([[0, vertexEvent(started)], ...events, [1000, vertexEvent(ended)]])
  assert.equal(
    tagged(told, 'Transfer').map(({ bytes }) => bytes),
    [1e6, 51e6, 100e6],
  )
})

test('details of the same phase are grouped', () => {
  const { told } = runOf([
    [0, vertexEvent(started)],
    [600, moveEvent(1e6, 4e6)],
    [1200, moveEvent(2e6, 4e6)],
  ])
  assert.is(new Set(tagged(told, 'Step').map(({ phase }) => phase)).size, 1)
  assert.is(tagged(told, 'Step').length, 3)
})

test('of several running steps the newest is named and the others are counted', () => {
  const second = vertexEvent({ digest: 'v2', name: '[2/2] RUN test', ...started })
  assert.equal(details(runOf([[0, vertexEvent(started), second]]).told), ['[2/2] RUN test, and 1 more'])
})

test('the end reports how many steps were cached', () => {
  const cached = vertexEvent({ isCached: true })
  const other = vertexEvent({ ...ended, digest: 'v2', name: '[2/2] RUN test' })
  const endOf = (...events: ReadonlyArray<BuildEvent>) =>
    details(buildEnded(runOf([[0, ...events]]).run, { state: 'Done', detail: 'pushed' }, 9))
  assert.equal(endOf(cached, other), ['pushed, 1 of 2 steps cached'])
  assert.equal(endOf(cached), ['pushed, all cached'])
  assert.equal(endOf(other), ['pushed'])
})

test('a missing cache is not a failure', () => {
  const name = 'importing cache manifest from registry.example.com/api:cache'
  const error = 'failed to configure registry cache importer: registry.example.com/api:cache: not found'
  const { run } = runOf([[0, vertexEvent({ ...ended, name, error })]])
  assert.is(failedVertex(run), undefined)
  assert.equal(missingCaches(run), [{ reference: 'registry.example.com/api:cache', cause: error }])
})

test.run()
