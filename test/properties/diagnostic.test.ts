import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { githubAnnotation } from '../../src/domain/diagnostic/annotations.ts'
import type { Diagnostic } from '../../src/domain/diagnostic/diagnostic.ts'
import { excerpt, WINDOW } from '../../src/domain/diagnostic/excerpt.ts'
import { codeQuality, sarif } from '../../src/domain/diagnostic/reports.ts'
import { showDiagnostic } from '../../src/domain/diagnostic/show.ts'
import { printJson } from '../../src/domain/print/json.ts'
import { lineText, placeOf, source } from '../../src/domain/text/source.ts'
import { displayWidth } from '../../src/domain/text/visible.ts'

const text: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
  fc.string({ unit: fc.constantFrom('a', ' ', '\t', '\n', '\r', '\u001b', '名', '😀', '\u0301', '\u202e', '\u009b') }),
  fc.string({ unit: fc.constantFrom('a', '\t', '名', '😀', '\u0301'), minLength: 90, maxLength: 1500 }),
)

const diagnosticOf = (
  content: string,
  from: number,
  to: number,
  words: readonly [string, string, string],
): Diagnostic => {
  const [file, message, help] = words
  const at = placeOf({ source: source(file, '.', content), start: Math.min(from, to), end: Math.max(from, to) })
  return { severity: 'error', code: 'DT1012', message, help, at, related: [{ at, message: help }] }
}

/** A finding somewhere in a text, with all words at random. */
const found = fc.tuple(text, fc.nat(1600), fc.nat(1600), text, text, text).map(([content, from, to, ...words]) => ({
  of: source(words[0], '.', content),
  d: diagnosticOf(content, Math.min(from, content.length), Math.min(to, content.length), words),
}))

test('whatever the input, a shown finding has no control characters except newlines', () => {
  fc.assert(
    fc.property(found, ({ d, of }) => {
      const shown = showDiagnostic(d, { line: (_, line) => lineText(of, line), color: false })
      assert.not.match(shown.replaceAll('\n', ''), /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/u)
    }),
  )
})

test('every line of a shown finding but the first is indented', () => {
  fc.assert(
    fc.property(found, ({ d, of }) => {
      const [, ...rest] = showDiagnostic(d, { line: (_, line) => lineText(of, line), color: false }).split('\n')
      for (const line of rest) assert.ok(line.startsWith('  '), line)
    }),
  )
})

test('an excerpt never exceeds the window, its carets stay within it, and there is at least one', () => {
  fc.assert(
    fc.property(text, fc.integer(), fc.integer(), fc.boolean(), (line, from, to, isNear) => {
      const near = (n: number): number => (isNear ? Math.abs(n % (line.length + 2)) : n)
      const cut = excerpt(line, near(from), near(to))
      assert.ok(displayWidth(cut.text) <= WINDOW)
      assert.ok(cut.width >= 1 && cut.caret >= 0 && cut.caret + cut.width <= WINDOW, JSON.stringify(cut))
      assert.ok(cut.caret <= displayWidth(cut.text))
    }),
  )
})

test('carets are below the span, however long the line', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const [left, right] = [before.replaceAll(/[\r\n…]/g, ''), after.replaceAll(/[\r\n…]/g, '')]
      const well = left.replace(/[\ud800-\udbff]$/, '')
      const cut = excerpt(`${well}HERE!${right}`, well.length, well.length + 5)
      assert.is(cut.width, 5)
      let column = 0
      let under = ''
      for (const char of cut.text) {
        const isUnder = column >= cut.caret && column < cut.caret + 5
        if (isUnder && displayWidth(char) > 0) under += char
        column += displayWidth(char)
      }
      assert.is(under, 'HERE!')
    }),
  )
})

test('an annotation is one line with one command', () => {
  fc.assert(
    fc.property(found, ({ d }) => {
      const line = githubAnnotation(d)
      assert.not.match(line, /[\p{Cc}\p{Cs}]/u)
      assert.match(line, /^::error file=[^,:]*,line=\d+,[A-Za-z0-9=,]*title=DT1012::/)
    }),
  )
})

test('reports can be made of any findings, and their regions are valid', () => {
  fc.assert(
    fc.property(fc.array(found, { maxLength: 4 }), (all) => {
      const ds = all.map(({ d }) => d)
      const { results } = JSON.parse(printJson(sarif(ds, '1', {}))).runs[0]
      for (const result of results) {
        const { artifactLocation, region } = result.locations[0].physicalLocation
        assert.match(artifactLocation.uri, /^[A-Za-z0-9\-._~!*'()%:/]*$/)
        assert.ok(region.startLine >= 1 && region.startColumn >= 1)
        const isAfter = region.endLine > region.startLine || region.endColumn > region.startColumn
        assert.ok(region.endLine === undefined || isAfter)
      }
      const prints = JSON.parse(printJson(codeQuality(ds))).map((q: { fingerprint: string }) => q.fingerprint)
      assert.is(new Set(prints).size, ds.length)
    }),
  )
})

test.run()
