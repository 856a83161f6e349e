/** What a run looks like, in terminals of three widths and as lines. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ttyProgress } from '../../src/adapters/tty/progress.ts'
import { showDurations } from '../../src/domain/progress/durations.ts'
import { showRegion } from '../../src/domain/progress/region.ts'
import { type ProgressStep, stepAfter } from '../../src/domain/progress/step.ts'
import { step, story } from '../support/cli/progress.ts'

const compare = (name: string, text: string): void => {
  const file = `test/golden/progress/${name}.txt`
  if (process.env['UPDATE_GOLDENS'] !== undefined) writeFileSync(file, text)
  assert.ok(existsSync(file), `${file} is missing: run npm run goldens, then read it`)
  assert.fixture(text, readFileSync(file, 'utf8'))
}

const stepsAt = (nowMs: number): ReadonlyArray<ProgressStep> => {
  const steps = new Map<string, ProgressStep>()
  for (const event of story) {
    if (event._tag === 'Step' && event.atMs <= nowMs) steps.set(event.id, stepAfter(steps.get(event.id), event))
  }
  return [...steps.values()]
}

const moments = [300, 1500, 8900, 20_000, 22_000]

for (const columns of [40, 80, 200]) {
  test(`a region in ${columns} columns`, () => {
    const frames = moments.map((nowMs) => {
      const lines = showRegion(stepsAt(nowMs), { columns, rows: 24, color: false, nowMs })
      return `--- ${nowMs} ms\n${lines.map((line) => `${line}\n`).join('')}`
    })
    const end = showDurations(stepsAt(22_000), { columns, color: false, nowMs: 22_000 })
    compare(`region-${columns}`, `${frames.join('')}--- end\n${end.map((line) => `${line}\n`).join('')}`)
  })
}

test('a region with colours', () => {
  const look = { columns: 80, rows: 24, color: true, nowMs: 22_000 }
  compare('region-colours', `${JSON.stringify(showRegion(stepsAt(22_000), look), undefined, 1)}\n`)
})

test('a region of many steps in few rows', () => {
  const many = Array.from({ length: 100 }, (_, at) => {
    const state = at === 70 ? 'Failed' : at < 60 ? 'Done' : 'Running'
    const event = step(`service-${at}`, state, 'pulling image', 0)
    return event._tag === 'Step' ? [stepAfter(undefined, event)] : []
  }).flat()
  const lines = showRegion(many, { columns: 60, rows: 10, color: false, nowMs: 5000 })
  compare('region-many', lines.map((line) => `${line}\n`).join(''))
})

for (const mode of ['plain', 'json', 'quiet'] as const) {
  test(`a run as ${mode}`, () => {
    let [nowMs, text] = [0, '']
    let look = (): void => {}
    const shown = (name: string) => ({
      screen: { write: (part: string) => (text += part.replace(/^/gm, name).slice(0, -name.length)) },
      isTerminal: false,
      color: false,
    })
    const progress = ttyProgress({
      mode,
      env: {},
      stdout: shown('stdout  '),
      stderr: shown('stderr  '),
      clock: {
        now: () => nowMs,
        every: (_ms, f) => {
          look = f
          return () => {}
        },
      },
    })
    for (const event of story) {
      const atMs = event._tag === 'Step' ? event.atMs : nowMs
      while (nowMs + 1000 <= atMs) {
        nowMs += 1000
        look()
      }
      nowMs = atMs
      progress.tell(event)
      progress.tell(event._tag === 'Step' ? event : { _tag: 'Said', text: 'twice is once for steps' })
    }
    for (; nowMs < 150_000; nowMs += 1000) look()
    progress.end()
    progress.end()
    compare(mode, text)
  })
}

test.run()
