/** What builds look like: two images side by side, as a real BuildKit told them, one of which fails. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ttyProgress } from '../../../src/adapters/tty/progress.ts'
import type { ProgressEvent } from '../../../src/domain/progress/event.ts'
import { showRegion } from '../../../src/domain/progress/region.ts'
import { type ProgressStep, stepAfter } from '../../../src/domain/progress/step.ts'
import { rowsAfter, type VertexRow } from '../../../src/domain/progress/vertices.ts'
import { buildsOf } from '../../support/build/events.ts'

const compare = (name: string, text: string): void => {
  const file = `test/golden/progress/${name}.txt`
  if (process.env['UPDATE_GOLDENS'] !== undefined) writeFileSync(file, text)
  assert.ok(existsSync(file), `${file} is missing: run npm run goldens, then read it`)
  assert.fixture(text, readFileSync(file, 'utf8'))
}

const atOf = (event: ProgressEvent): number => ('atMs' in event ? event.atMs : 0)

const frame = (events: ReadonlyArray<ProgressEvent>, nowMs: number, columns: number, rows: number): string => {
  const steps = new Map<string, ProgressStep>()
  const builds = new Map<string, ReadonlyArray<VertexRow>>()
  for (const event of events) {
    if (atOf(event) > nowMs) continue
    if (event._tag === 'Step') steps.set(event.id, stepAfter(steps.get(event.id), event))
    else if ('image' in event) {
      const id = `build ${event.image}`
      builds.set(id, rowsAfter(builds.get(id) ?? [], event))
    }
  }
  const lines = showRegion([...steps.values()], { columns, rows, color: false, nowMs }, builds)
  return `--- ${nowMs} ms\n${lines.map((line) => `${line}\n`).join('')}`
}

for (const [columns, rows] of [
  [40, 12],
  [80, 24],
  [120, 40],
] as const) {
  test(`builds in a terminal of ${columns} by ${rows}`, () => {
    const events = buildsOf('api', 'web')
    const frames = [100, 300, 1500, 2800, 3500, 5700, 7000].map((nowMs) => frame(events, nowMs, columns, rows))
    compare(`build-${columns}`, frames.join(''))
  })
}

for (const mode of ['plain', 'json', 'quiet'] as const) {
  test(`builds as ${mode}`, () => {
    let [nowMs, text] = [0, '']
    const screen = { write: (part: string) => (text += part) }
    const shown = { screen, isTerminal: false, color: false }
    const every = () => () => {}
    const progress = ttyProgress({ mode, env: {}, stdout: shown, stderr: shown, clock: { now: () => nowMs, every } })
    for (const event of buildsOf('api', 'web', 'api-cached')) {
      nowMs = atOf(event)
      progress.tell(event)
    }
    progress.end()
    compare(`build-${mode}`, text)
  })
}

test.run()
