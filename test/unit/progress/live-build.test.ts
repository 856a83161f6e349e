import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ttyProgress } from '../../../src/adapters/tty/progress.ts'
import type { BuildEvent } from '../../../src/domain/build/event.ts'
import { buildEnded, buildProgress, buildTold } from '../../../src/domain/build/progress.ts'
import { logEvent, moveEvent, vertexEvent } from '../../support/build/events.ts'
import { screenOf } from '../../support/cli/progress.ts'

const watched = (mode: 'tty' | 'plain' | 'quiet' | 'json') => {
  let [nowMs, text, run] = [0, '', buildProgress('api')]
  let tick = (): void => {}
  const screen = { columns: 60, rows: 12, write: (part: string) => (text += part) }
  const shown = { screen, isTerminal: mode === 'tty', color: false }
  const every = (_ms: number, f: () => void) => {
    tick = f
    return () => {}
  }
  const clock = { now: () => nowMs, every }
  const progress = ttyProgress({ mode, env: {}, stdout: shown, stderr: shown, clock, onExit: () => {} })
  return {
    told: (atMs: number, ...events: ReadonlyArray<BuildEvent>) => {
      nowMs = atMs
      const next = buildTold(run, events, atMs)
      run = next.run
      next.told.forEach(progress.tell)
      tick()
    },
    ended: (state: 'Done' | 'Failed', atMs: number) => {
      nowMs = atMs
      buildEnded(run, { state, detail: state === 'Done' ? 'pushed' : 'failed' }, atMs).forEach(progress.tell)
      tick()
    },
    screen: () => screenOf(text),
    text: () => text,
    end: progress.end,
  }
}

const started = vertexEvent({ startedMs: 1000 })
const done = vertexEvent({ startedMs: 1000, endedMs: 3000 })

test('the last six lines of a running step are shown below it until it is done', () => {
  const { screen, told } = watched('tty')
  told(0, started, logEvent('1\n2\n3\n4\n5\n6\n7\n'))
  assert.equal(screen(), [
    '▸ api',
    '  ▸         [1/2] RUN make',
    ...['2', '3', '4', '5', '6', '7'].map((line) => `            ${line}`),
    '0 of 1 done, 0s',
  ])
  told(2000, done)
  assert.equal(screen(), ['▸ api     2s  [1/2] RUN make', '  ✓   2.0s  [1/2] RUN make', '0 of 1 done, 2s'])
})

test('a progress bar that is redrawn with carriage returns is shown as one line', () => {
  const { screen, told } = watched('tty')
  told(0, started, logEvent('\r10%'), logEvent('\r20%\u001b[K'))
  assert.equal(screen().slice(2), ['            20%', '0 of 1 done, 0s'])
})

test('lines of a failed step stay, those of an image that is done do not', () => {
  const failed = watched('tty')
  failed.told(0, started, logEvent('why\n'))
  failed.told(2000, vertexEvent({ startedMs: 1000, endedMs: 3000, error: 'exit code: 1' }))
  failed.ended('Failed', 2100)
  assert.equal(failed.screen(), [
    '✗ api   2.1s  failed',
    '  ✗  ERROR  [1/2] RUN make: exit code: 1',
    '            why',
    '0 of 1 done, 1 failed, 2s',
  ])
  const well = watched('tty')
  well.told(0, started, logEvent('fine\n'))
  well.told(50, done)
  well.ended('Done', 100)
  assert.equal(well.screen(), ['✓ api   0.1s  pushed', '1 of 1 done, 0s'])
})

test('work that belongs to no step is shown on the line of the image', () => {
  const { screen, told } = watched('tty')
  const name = '[internal] load build context'
  told(0, vertexEvent({ startedMs: 1000, name }))
  told(3000, { _tag: 'Sent', served: 'context', files: 1, bytes: 1e6 })
  told(4000, { _tag: 'Sent', served: 'context', files: 1204, bytes: 9e6 })
  assert.equal(screen(), ['▸ api     4s  sending 9.0 MB, 1,204 files, 8.0 MB/s', '0 of 1 done, 4s'])
})

test('a step that downloads shows how much is done', () => {
  const { screen, told } = watched('tty')
  told(0, vertexEvent({ startedMs: 1000, name: '[1/2] FROM node:20' }))
  told(500, moveEvent(12.3e6, 45e6))
  assert.equal(screen()[1], '  ▸         [1/2] FROM node:20  12.3 of 45.0 MB')
})

test('in plain progress every line begins with its image and step', () => {
  const { end, ended, text, told } = watched('plain')
  told(0, started, logEvent('a\nb'))
  told(2000, logEvent('c\n'), done, vertexEvent({ digest: 'v2', name: '[2/2] RUN test', isCached: true }))
  ended('Done', 2500)
  end()
  assert.equal(text().trimEnd().split('\n'), [
    'running api: [1/2] RUN make',
    'api #1 [1/2] RUN make',
    'api #1 a',
    'api #1 bc',
    'api #1 DONE 2.0s',
    'api #2 [2/2] RUN test CACHED',
    'done    api: pushed, 1 of 2 steps cached (2.5s)',
  ])
})

test('quiet progress prints nothing', () => {
  const { end, ended, text, told } = watched('quiet')
  told(0, started, logEvent('a\n'), done)
  ended('Failed', 1)
  end()
  assert.is(text(), '')
})

test('in JSON progress, counters are events of transfers and not of steps', () => {
  const { text, told } = watched('json')
  told(0, vertexEvent({ startedMs: 1000, name: '[1/2] FROM node:20' }))
  for (const at of [1, 2, 3]) told(at * 1000, moveEvent(at * 1e6, 45e6))
  const types = text()
    .trimEnd()
    .split('\n')
    .map((line): { readonly type: string } => JSON.parse(line))
    .map(({ type }) => type)
  assert.equal(types, ['step', 'build', 'transfer', 'transfer', 'transfer'])
})

test.run()
