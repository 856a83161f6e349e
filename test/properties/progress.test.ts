import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { displayWidth } from '../../src/domain/diagnostic/visible.ts'
import { showDurations } from '../../src/domain/progress/durations.ts'
import type { StepState } from '../../src/domain/progress/event.ts'
import { durationsJson, scrolledJson, stepJson } from '../../src/domain/progress/json.ts'
import { plainStep, scrolledText, stillLine } from '../../src/domain/progress/lines.ts'
import { showRegion } from '../../src/domain/progress/region.ts'
import { elapsedMs, type Step, type StepEvent, spansAt, stepAfter } from '../../src/domain/progress/step.ts'

const nasty = fc.constantFrom(
  '\u001b[2J',
  '\u001b]0;title\u0007',
  '\r',
  '\n',
  '\u202e',
  '\u009b',
  '数',
  '👩‍👩‍👧',
  'e\u0301',
  '\ud800',
)
const text = fc
  .array(fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 8 }), fc.string({ maxLength: 30 })), { maxLength: 4 })
  .map((parts) => parts.join(''))

const states: ReadonlyArray<StepState> = ['Waiting', 'Running', 'Done', 'Failed', 'Skipped']

const eventsOf = fc.array(
  fc.record({
    id: fc.nat({ max: 6 }),
    state: fc.constantFrom(...states),
    title: text,
    detail: text,
    ms: fc.nat(20_000),
  }),
  { maxLength: 20 },
)

const run = eventsOf.map((parts) => {
  let atMs = 0
  const steps = new Map<string, Step>()
  for (const { detail, id, ms, state, title } of parts) {
    atMs += ms
    const event: StepEvent = { _tag: 'Step', id: String(id), title, state, detail, atMs }
    steps.set(event.id, stepAfter(steps.get(event.id), event))
  }
  return { steps: [...steps.values()], nowMs: atMs }
})

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}\ufeff]/u
const SGR = /\u001b\[[\d;:]*m/g

const isHarmless = (line: string): void => assert.not.match(line.replace(SGR, ''), CONTROL)

test('no line of a region is wider than the terminal, none drives it, and there are fewer than rows', () => {
  fc.assert(
    fc.property(run, fc.nat(120), fc.nat(12), fc.boolean(), ({ nowMs, steps }, columns, rows, color) => {
      const lines = showRegion(steps, { columns, rows, color, nowMs })
      assert.ok(lines.length === 0 || lines.length < rows)
      for (const line of lines) {
        isHarmless(line)
        assert.ok(displayWidth(line.replace(SGR, '')) < columns, line)
      }
    }),
  )
})

test('no line of the durations is wider than the terminal', () => {
  fc.assert(
    fc.property(run, fc.integer({ min: 2, max: 120 }), ({ nowMs, steps }, columns) => {
      for (const line of showDurations(steps, { columns, color: false, nowMs })) {
        isHarmless(line)
        assert.ok(displayWidth(line) <= columns, line)
      }
    }),
  )
})

test('plain lines are one line each, whatever the texts', () => {
  fc.assert(
    fc.property(run, ({ nowMs, steps }) => {
      for (const step of steps) isHarmless(plainStep(step))
      isHarmless(stillLine(steps, nowMs) ?? '')
    }),
  )
})

test('what is said or written by a command never drives the terminal', () => {
  fc.assert(
    fc.property(text, text, fc.boolean(), (source, words, color) => {
      const said = scrolledText({ _tag: 'Said', text: words }, color)
      assert.is(said.indexOf('\n'), said.length - 1)
      isHarmless(said.slice(0, -1))
      const output = scrolledText({ _tag: 'Output', source, text: words }, color)
      for (const line of output.split('\n')) isHarmless(line.replaceAll('\t', ''))
    }),
  )
})

test('JSON lines are one line each, harmless, and say what was told', () => {
  fc.assert(
    fc.property(run, text, ({ nowMs, steps }, words) => {
      const lines = [
        ...steps.map((step) => stepJson(step, nowMs)),
        durationsJson(steps, nowMs),
        scrolledJson({ _tag: 'Output', source: words, text: words }),
      ]
      for (const line of lines) {
        assert.ok(line.endsWith('\n'))
        isHarmless(line.slice(0, -1))
        assert.is(JSON.parse(line).schema, 1)
      }
      assert.is(JSON.parse(lines.at(-1) ?? '').text, words)
    }),
  )
})

test('what the time of a step went into is never more than it took', () => {
  fc.assert(
    fc.property(run, ({ nowMs, steps }) => {
      for (const step of steps) {
        const spent = spansAt(step, nowMs).reduce((sum, { ms }) => sum + ms, 0)
        assert.ok(spent <= elapsedMs(step, nowMs) + 1e-6)
      }
    }),
  )
})

test.run()
