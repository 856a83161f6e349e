import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Look, logView } from '../../src/cli/view/logs.ts'
import { inOrder } from '../../src/domain/logs/merge.ts'
import { reading } from '../../src/domain/logs/resume.ts'
import { compareMoments, readMoment, showMoment } from '../../src/domain/text/moment.ts'

const ESC = '\u001b'
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.json(),
  fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value)),
  fc
    .array(
      fc.oneof(fc.string(), fc.constantFrom(`${ESC}[31m`, `${ESC}[0m`, `${ESC}[2J`, `${ESC}]0;x\u0007`, '\r', '\t')),
    )
    .map((parts) => parts.join('')),
)
const look: fc.Arbitrary<Look> = fc.record({
  form: fc.constantFrom('text' as const, 'json' as const),
  isRaw: fc.boolean(),
  isColored: fc.boolean(),
  hasTimes: fc.boolean(),
})

const source = { service: 'web', pod: 'web-1', container: 'web' }
const show = (how: Look, time: string, text: string): string =>
  logView(how).show([{ of: source, line: { time, text } }])
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

test('logs: only colours and tabs of a program reach the terminal, and colours end with the line', () => {
  fc.assert(
    fc.property(hostile, look, (text, how) => {
      const printed = show(how, '', text.replaceAll('\n', ' '))
      assert.ok(printed.endsWith('\n'))
      for (const line of printed.slice(0, -1).split('\n')) {
        const bare = line.replace(/\u001b\[[0-9;:]*m/g, '')
        assert.not.match(bare, CONTROLS)
        const last = [...line.matchAll(/\u001b\[([0-9;:]*)m/g)].at(-1)?.[1]
        assert.ok(last === undefined || (how.isColored && last === '0'))
      }
    }),
  )
})

test('logs: with -o json every line is one JSON object with the text', () => {
  fc.assert(
    fc.property(hostile, fc.boolean(), (text, isRaw) => {
      const how: Look = { form: 'json', isRaw, isColored: false, hasTimes: false }
      const written = text.replaceAll('\n', ' ')
      const printed = show(how, 't', written)
      assert.is(printed.indexOf('\n'), printed.length - 1)
      const data: { readonly message?: string; readonly fields?: unknown } = JSON.parse(printed)
      if (data.message === undefined) assert.equal(data.fields, JSON.parse(written))
      else assert.is(data.message, written)
    }),
  )
})

test('logs: a JSON line is shown on as many lines as its message has', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), (value) => {
      const how: Look = { form: 'text', isRaw: false, isColored: true, hasTimes: true }
      assert.ok(show(how, 't', JSON.stringify(value)).endsWith('\n'))
    }),
  )
})

const stamp = (micros: number): string => {
  const whole = showMoment({ seconds: 1_700_000_000 + Math.floor(micros / 1e6), nanos: 0 })
  return `${whole.slice(0, -1)}.${String(micros % 1e6).padStart(6, '0')}Z`
}

test('logs: however often a stream breaks, every line is printed once and in order', () => {
  const gaps = fc.array(fc.oneof(fc.constantFrom(0, 0, 1), fc.nat(900_000)), { maxLength: 60 })
  fc.assert(
    fc.property(gaps, fc.array(fc.nat(60)), fc.nat(10), (steps, breaks, tail) => {
      let now = 0
      const log = steps.map((gap, index) => {
        now += gap
        // Two writers of one container may swap neighbours that are microseconds apart.
        return { time: stamp(index % 7 === 0 ? now + 2 : now), id: index }
      })
      const read = reading(tail === 0)
      const seen: Array<number> = []
      const open = (until: number, lines: ReadonlyArray<(typeof log)[number]>): void => {
        for (const { id, time } of lines) if (id < until && read.isNew(time)) seen.push(id)
      }
      const first = log.slice(Math.max(0, log.length - tail))
      const kept = tail === 0 ? log : first
      open(breaks[0] ?? log.length, kept)
      for (const until of [...breaks.slice(1), log.length]) {
        const since = readMoment(read.since() ?? '')
        read.reopen()
        if (since === undefined) open(until, kept)
        else
          open(
            until,
            log.filter(({ time }) => compareMoments(readMoment(time) ?? since, since) >= 0),
          )
      }
      const distinct = new Set(log.map(({ time }) => time)).size === log.length
      if (tail === 0 || distinct) assert.equal(seen, [...new Set(seen)])
      if (tail === 0)
        assert.equal(
          seen.toSorted((a, b) => a - b),
          log.map(({ id }) => id),
        )
    }),
  )
})

test('logs: a server that sends earlier lines than requested causes no duplicates', () => {
  const old = [0, 500_000, 2_000_000, 2_000_001].map(stamp)
  const read = reading(true)
  assert.equal(old.map(read.isNew), [true, true, true, true])
  read.reopen()
  assert.equal([...old, stamp(2_000_002), stamp(3_000_000)].map(read.isNew), [false, false, false, false, true, true])
})

test('logs: merging keeps the order of each log and of the timestamps', () => {
  const times = fc.array(fc.nat(50_000_000), { maxLength: 30 }).map((list) => list.toSorted((a, b) => a - b))
  fc.assert(
    fc.property(fc.array(times, { maxLength: 5 }), (logs) => {
      const lines = logs.flatMap((list, of) =>
        list.map((micros, index) => ({ of, line: { time: stamp(micros), text: `${index}` } })),
      )
      const merged = inOrder(lines)
      assert.is(merged.length, lines.length)
      for (const of of logs.keys()) {
        assert.equal(
          merged.filter((timed) => timed.of === of),
          lines.filter((timed) => timed.of === of),
        )
      }
      const moments = merged.map(({ line }) => line.time)
      assert.equal(moments, moments.toSorted())
    }),
  )
})

test('moments: a shown time reads back as the same, and agrees with Date', () => {
  fc.assert(
    fc.property(fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }), fc.nat(999), (seconds, millis) => {
      const moment = { seconds, nanos: millis * 1_000_000 }
      const shown = showMoment(moment)
      assert.equal(readMoment(shown), moment)
      assert.is(Date.parse(shown), seconds * 1000 + millis)
    }),
  )
})

test.run()
