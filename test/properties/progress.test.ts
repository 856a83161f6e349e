import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { BuildEvent } from '../../src/domain/build/event.ts'
import { buildFindings, lintFindings } from '../../src/domain/build/findings.ts'
import { buildEnded, buildProgress, buildTold, failedVertex } from '../../src/domain/build/progress.ts'
import { showDiagnostic } from '../../src/domain/diagnostic/show.ts'
import { buildText } from '../../src/domain/progress/build-lines.ts'
import { showDurations } from '../../src/domain/progress/durations.ts'
import { type BuildProgressEvent, buildStep, type StepState } from '../../src/domain/progress/event.ts'
import { buildJson, durationsJson, scrolledJson, stepJson } from '../../src/domain/progress/json.ts'
import { plainStep, scrolledText, stillLine } from '../../src/domain/progress/lines.ts'
import { showRegion } from '../../src/domain/progress/region.ts'
import { elapsedMs, type ProgressStep, type StepEvent, spansAt, stepAfter } from '../../src/domain/progress/step.ts'
import { rowsAfter, type VertexRow } from '../../src/domain/progress/vertices.ts'
import { displayWidth } from '../../src/domain/text/visible.ts'

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
  const steps = new Map<string, ProgressStep>()
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

test('no line of a region is wider than the terminal or controls it, and there are fewer lines than rows', () => {
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

test('control sequences in messages and command output are not printed', () => {
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

test('JSON events are one line each, harmless, and complete', () => {
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

test('the details of a step never take longer than the step', () => {
  fc.assert(
    fc.property(run, ({ nowMs, steps }) => {
      for (const step of steps) {
        const spent = spansAt(step, nowMs).reduce((sum, { ms }) => sum + ms, 0)
        assert.ok(spent <= elapsedMs(step, nowMs) + 1e-6)
      }
    }),
  )
})

const moment = fc.integer({ min: 1000, max: 1010 })
const digest = fc.constantFrom('a', 'b', 'c', 'd')
const vertexName = fc.oneof(
  text,
  fc.constantFrom(
    '[internal] load build context',
    '[1/2] RUN make',
    'exporting to image',
    'importing cache manifest from a',
    '[auth] a:pull',
  ),
)
const amount = fc.oneof(fc.nat(3000), fc.double({ min: -1, max: 1e15, noNaN: true }))
const source = fc.record({
  file: text,
  text: fc.oneof(text, fc.constant('FROM a AS b\nRUN x \\\n y\n')),
  ranges: fc.array(fc.record({ start: fc.integer({ min: -1, max: 9 }), end: fc.integer({ min: -1, max: 9 }) }), {
    maxLength: 2,
  }),
})

const vertexEvents = fc.record(
  {
    _tag: fc.constant('Vertex' as const),
    ...{ digest, name: vertexName, isCached: fc.boolean(), startedMs: moment, endedMs: moment },
    error: fc.oneof(text, fc.constant('context canceled')),
  },
  { requiredKeys: ['_tag', 'digest', 'name', 'isCached'] },
)
const transferEvents = fc.record(
  {
    _tag: fc.constant('Transfer' as const),
    ...{ vertex: digest, id: fc.oneof(digest, text, fc.constant('pushing layers')), name: text },
    ...{ current: amount, total: amount, endedMs: moment },
  },
  { requiredKeys: ['_tag', 'vertex', 'id', 'name', 'current', 'total'] },
)
const builderEvent: fc.Arbitrary<BuildEvent> = fc.oneof(
  vertexEvents,
  transferEvents,
  fc.record({ _tag: fc.constant('Log' as const), vertex: digest, isError: fc.boolean(), text }),
  fc.record({ _tag: fc.constant('Lint' as const), text, details: fc.array(text), url: text, source }),
  fc.record({
    _tag: fc.constant('Sent' as const),
    ...{ served: fc.constantFrom('context', 'other'), files: fc.nat(), bytes: amount },
  }),
)

const builds = fc
  .array(fc.record({ ms: fc.nat(2000), events: fc.array(builderEvent, { maxLength: 6 }) }), { maxLength: 20 })
  .map((batches) => {
    let [last, nowMs] = [buildProgress('a\u001b[2Jpi'), 0]
    const told = batches.flatMap(({ events, ms }) => {
      nowMs += ms
      const next = buildTold(last, events, nowMs)
      last = next.run
      return next.told
    })
    return { last, told, nowMs }
  })

const isBuildEvent = (event: { readonly _tag: string }): event is BuildProgressEvent =>
  ['Vertex', 'Log', 'Transfer', 'Lint'].includes(event._tag)

test('whatever a builder reports, the region fits the terminal and does not control it', () => {
  fc.assert(
    fc.property(builds, fc.nat(120), fc.nat(30), fc.boolean(), fc.boolean(), (made, columns, rows, color, isOver) => {
      const { last, nowMs, told } = made
      const steps = new Map<string, ProgressStep>()
      let shown: ReadonlyArray<VertexRow> = []
      const end = isOver ? buildEnded(last, { state: 'Failed', detail: 'failed' }, nowMs) : []
      for (const event of [...told, ...end]) {
        if (event._tag === 'Step') steps.set(event.id, stepAfter(steps.get(event.id), event))
        if (isBuildEvent(event)) shown = rowsAfter(shown, event)
      }
      const id = buildStep(last.image)
      const lines = showRegion([...steps.values()], { columns, rows, color, nowMs }, new Map([[id, shown]]))
      assert.ok(lines.length === 0 || lines.length < rows)
      for (const line of lines) {
        isHarmless(line)
        assert.ok(displayWidth(line.replace(SGR, '')) < columns, line)
      }
    }),
  )
})

test('whatever a builder reports, plain lines and JSON are complete lines without control sequences', () => {
  fc.assert(
    fc.property(builds, fc.boolean(), ({ told }, color) => {
      let shown: ReadonlyArray<VertexRow> = []
      for (const event of told.filter(isBuildEvent)) {
        const before = event._tag === 'Lint' ? undefined : shown.find(({ vertex }) => vertex === event.vertex)
        const lines = buildText(before, event, color)
        assert.ok(lines === '' || lines.endsWith('\n'))
        for (const line of lines.split('\n')) isHarmless(line.replaceAll('\t', ''))
        const json = buildJson(event)
        if (json !== undefined) isHarmless(json.slice(0, -1))
        assert.ok(json === undefined || JSON.parse(json).schema === 1)
        shown = rowsAfter(shown, event)
      }
    }),
  )
})

test('the number of a vertex never changes and is never given twice', () => {
  fc.assert(
    fc.property(builds, ({ told }) => {
      const numbers = new Map<string, number | undefined>()
      for (const event of told) {
        if (event._tag !== 'Vertex') continue
        const before = numbers.get(event.vertex)
        assert.ok(before === undefined || before === event.number)
        numbers.set(event.vertex, event.number)
      }
      const given = [...numbers.values()].filter((number) => number !== undefined)
      assert.is(new Set(given).size, given.length)
    }),
  )
})

test('every failure and lint warning becomes findings without control sequences', () => {
  const failed = fc.record({
    _tag: fc.constant('Failed' as const),
    ...{ message: text, code: fc.nat(16), sources: fc.array(source, { maxLength: 2 }) },
  })
  fc.assert(
    fc.property(builds, failed, source, text, ({ last }, failure, lint, words) => {
      const { lines = [], name: step } = failedVertex(last) ?? {}
      const about = { image: last.image, dockerfile: { file: words, text: lint.text }, step, lines }
      const found = [
        ...buildFindings(failure, about),
        ...lintFindings([{ _tag: 'Lint', text: words, details: [], url: words, source: lint }], about),
      ]
      assert.is(found.length, 2)
      for (const diagnostic of found) {
        const { endLine = 1, line = 1 } = diagnostic.at ?? {}
        assert.ok(line >= 1 && endLine >= line)
        const shown = showDiagnostic(diagnostic, { color: false, line: () => lint.text.split('\n')[0] })
        for (const part of shown.split('\n')) isHarmless(part)
      }
    }),
  )
})

test.run()
