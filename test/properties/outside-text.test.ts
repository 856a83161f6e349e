/** What no text from outside can do, wherever it is printed: act on a terminal, hide, or pass for a command of a code host. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { githubAnnotation } from '../../src/domain/diagnostic/annotations.ts'
import { error } from '../../src/domain/diagnostic/diagnostic.ts'
import { codeQuality, sarif } from '../../src/domain/diagnostic/reports.ts'
import { showDiagnostic } from '../../src/domain/diagnostic/show.ts'
import { printJson, printJsonLine } from '../../src/domain/print/json.ts'
import { printTable } from '../../src/domain/print/table.ts'
import { printYaml } from '../../src/domain/print/yaml.ts'
import { scrolledText } from '../../src/domain/progress/lines.ts'
import { harmless } from '../../src/domain/text/harmless.ts'
import { printable, withoutCommands } from '../../src/domain/text/printable.ts'
import { runs } from '../support/arbitrary/runs.ts'

const pieces = [
  '::error::a',
  '##[',
  '##vso[task.setvariable]',
  '#',
  '##',
  '[',
  '\n',
  '\r',
  '\t',
  ' ',
  '\u00a0',
  'a',
  'é',
  ':',
]
const hidden = [
  '\u001b[31m',
  '\u001b',
  '\u009b',
  '\u007f',
  '\u2028',
  '\u202e',
  '\u2069',
  '\u200f',
  '\u061c',
  '\u{e0041}',
  '\ud800',
  '\u200b',
  '\u2060',
  '\ufeff',
  '\u00ad',
]
const hostile = fc.array(fc.constantFrom(...pieces, ...hidden), { maxLength: 12 }).map((parts) => parts.join(''))

const check = <A>(values: fc.Arbitrary<A>, holds: (value: A) => void, count = 1_000): void =>
  fc.assert(fc.property(values, holds), runs(count))

const acts = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u00ad\u200b\u2060\ufeff\u{e0000}-\u{e007f}\p{Cs}]/u

/** GitHub trims a line before it looks. */
const isCommand = (line: string): boolean => line.trim().startsWith('::') || /##\[|##vso\[/.test(line)

const assertInert = (text: string, kept = /[\n\t]/g): void => {
  assert.not.match(text.replace(kept, ''), acts)
  assert.not.ok(text.split(/[\n\r\u2028\u2029]/).some(isCommand), JSON.stringify(text))
}

test('printed text', () => {
  check(hostile, (text) => {
    assertInert(printable(text))
    assertInert(printable(printTable(['A', 'B'], [[text, text]])))
  })
})

test('findings, progress and log lines, in colour or not', () => {
  const colors = /[\n\t]|\u001b\[[\d;]*m/g
  check(fc.tuple(hostile, fc.boolean()), ([text, color]) => {
    const at = { file: text, line: 1, col: 1, endLine: 1, endCol: 3 }
    const finding = { ...error('DT1012', text, { help: text }), at }
    assertInert(withoutCommands(showDiagnostic(finding, { line: () => text, color })), colors)
    assertInert(withoutCommands(scrolledText({ _tag: 'Said', text }, color)), colors)
    assertInert(withoutCommands(scrolledText({ _tag: 'Output', source: text, text }, color)), colors)
    assertInert(withoutCommands(`web | ${harmless(text.replace(/\n/g, ''), color)}`), colors)
  })
})

test('an annotation is one line, and only its own command', () => {
  check(hostile, (text) => {
    const [line = '', ...more] = githubAnnotation(error('DT1012', text, { help: text })).split(/[\n\r]/)
    assert.equal(more, [])
    assert.ok(line.startsWith('::error '))
    assert.not.match(line, acts)
  })
})

test('JSON has the same text, with control characters and commands escaped', () => {
  check(hostile, (text) => {
    for (const printed of [printJson(new Map([[text, text]])), printJsonLine([text])]) assertInert(printed)
    const whole = text.replace(/\p{Cs}/gu, '?')
    assert.is(JSON.parse(printJson(whole)), whole)
  })
})

test('so have reports, each of which describes all codes as well', () => {
  const holds = (text: string): void => {
    const at = { file: text, line: 1, col: 1, endLine: 1, endCol: 3 }
    const finding = { ...error('DT1012', text), at, related: [{ at, message: text }] }
    for (const value of [sarif([finding], '1'), codeQuality([finding])]) {
      for (const printed of [printJson(value), printJsonLine(value)]) assertInert(printed)
    }
  }
  check(hostile, holds, 100)
})

test('YAML has the same text, with control characters and commands escaped', () => {
  check(hostile, (text) => {
    const whole = text.replace(/\p{Cs}/gu, '?')
    const printed = printYaml({ a: whole, b: [whole] })
    assertInert(printed)
    assert.equal(parse(printed), { a: whole, b: [whole] })
  })
})

test.run()
