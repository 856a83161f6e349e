import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { githubAnnotation } from '../../../src/domain/diagnostic/annotations.ts'
import { type Diagnostic, strict } from '../../../src/domain/diagnostic/diagnostic.ts'
import { codeQuality, sarif } from '../../../src/domain/diagnostic/reports.ts'
import { exitStatus } from '../../../src/domain/diagnostic/status.ts'
import { printJson } from '../../../src/domain/print/json.ts'
import type { Value } from '../../../src/domain/print/value.ts'
import { sha256 } from '../../../src/domain/text/sha256.ts'
import type { Place } from '../../../src/domain/text/source.ts'
import { error, remark, warning } from '../../support/compose/diagnostic.ts'

const TABLE = {
  DT1001: { status: 3, title: 'YAML syntax', text: 'The file is not YAML.' },
  DT1012: { status: 3, title: 'unknown condition', text: 'There are three.' },
  DT4001: { status: 8, title: 'not reachable', text: 'Nobody answers.' },
}

const place = (file: string, line: number, col: number, endLine: number, endCol: number): Place => ({
  file,
  line,
  col,
  endLine,
  endCol,
})

const wrong = (at: Place, more: Partial<Diagnostic> = {}): Diagnostic => ({
  severity: 'error',
  code: 'DT1012',
  message: 'wrong',
  at,
  ...more,
})

const json = (value: Value) => JSON.parse(printJson(value))

test('an annotation names file, lines, columns, code and message', () => {
  assert.is(
    githubAnnotation(wrong(place('compose.yaml', 14, 20, 14, 27))),
    '::error file=compose.yaml,line=14,col=20,endLine=14,endColumn=26,title=DT1012::wrong',
  )
  assert.is(githubAnnotation(warning('DT1102', 'no effect')), '::warning title=DT1102::no effect')
  assert.is(githubAnnotation(remark('DT2001', 'so it is')), '::notice title=DT2001::so it is')
})

test('an annotation over several lines has no columns', () => {
  assert.is(
    githubAnnotation(wrong(place('compose.yaml', 1, 5, 3, 2))),
    '::error file=compose.yaml,line=1,endLine=3,title=DT1012::wrong',
  )
})

test('an annotation of an empty span covers one column', () => {
  assert.match(githubAnnotation(wrong(place('c.yaml', 1, 5, 1, 5))), 'col=5,endLine=1,endColumn=5,')
})

test('no text in an annotation can end it or begin another', () => {
  const d = wrong(place('a,b:c%.yaml', 1, 1, 1, 2), { message: '100%: a,\r\n::error::b\u001b', help: 'c' })
  assert.is(
    githubAnnotation(d),
    '::error file=a%2Cb%3Ac%25.yaml,line=1,col=1,endLine=1,endColumn=1,title=DT1012::100%25: a,%0D%0A::error::b\\x1b%0Ahelp: c',
  )
})

test('a SARIF log has the published codes as rules and the findings as results', () => {
  const d = wrong(place('compose.yaml', 14, 20, 14, 27), {
    help: 'mend it',
    related: [{ at: place('base.yaml', 1, 1, 1, 3), message: 'first defined here' }],
  })
  const log = json(sarif([d], '1.2.3', TABLE))
  assert.is(log.version, '2.1.0')
  const [{ results, tool, columnKind }] = log.runs
  assert.is(columnKind, 'utf16CodeUnits')
  assert.is(tool.driver.version, '1.2.3')
  assert.equal(
    tool.driver.rules.map(({ id }: { id: string }) => id),
    ['DT1001', 'DT1012', 'DT4001'],
  )
  assert.equal(results, [
    {
      ruleId: 'DT1012',
      ruleIndex: 1,
      level: 'error',
      message: { text: 'wrong\nhelp: mend it' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'compose.yaml' },
            region: { startLine: 14, startColumn: 20, endLine: 14, endColumn: 27 },
          },
        },
      ],
      relatedLocations: [
        {
          id: 0,
          message: { text: 'first defined here' },
          physicalLocation: {
            artifactLocation: { uri: 'base.yaml' },
            region: { startLine: 1, startColumn: 1, endLine: 1, endColumn: 3 },
          },
        },
      ],
    },
  ])
})

const regionOf = (at: Place) =>
  json(sarif([wrong(at)], '1', TABLE)).runs[0].results[0].locations[0].physicalLocation.region

test('an empty span has a region without an end', () => {
  assert.equal(regionOf(place('c.yaml', 2, 5, 2, 5)), { startLine: 2, startColumn: 5 })
  assert.equal(regionOf(place('c.yaml', 2, 5, 3, 1)), { startLine: 2, startColumn: 5, endLine: 3, endColumn: 1 })
})

for (const [file, uri] of [
  ['./a b/c#1.yaml', 'a%20b/c%231.yaml'],
  ['a\\b.yaml', 'a/b.yaml'],
  ['../é%.yaml', '../%C3%A9%25.yaml'],
  ['a:b.yaml', 'a%3Ab.yaml'],
  ['/tmp/a b.yaml', 'file:///tmp/a%20b.yaml'],
  ['C:\\a b.yaml', 'file:///C:/a%20b.yaml'],
  ['\ud800.yaml', '%EF%BF%BD.yaml'],
] as const) {
  test(`the URI of ${JSON.stringify(file)} is ${uri}`, () => {
    const log = json(sarif([wrong(place(file, 1, 1, 1, 2))], '1', TABLE))
    assert.is(log.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri, uri)
  })
}

test('findings without a place are notifications of the run', () => {
  const [run] = json(sarif([error('DT4001', 'gone')], '1', TABLE)).runs
  assert.equal(run.results, [])
  assert.equal(run.invocations, [
    {
      executionSuccessful: false,
      toolExecutionNotifications: [{ descriptor: { id: 'DT4001' }, level: 'error', message: { text: 'gone' } }],
    },
  ])
})

test('a result with an unknown code has no index', () => {
  const [result] = json(sarif([wrong(place('c.yaml', 1, 1, 1, 2), { code: 'DT9999' })], '1', TABLE)).runs[0].results
  assert.is(result.ruleIndex, undefined)
  assert.is(result.ruleId, 'DT9999')
})

test('fingerprints of a Code Quality report do not change when lines move', () => {
  const at = (line: number) => wrong(place('./a\\c.yaml', line, 1, line, 2), { path: 'services.web' })
  const [first] = json(codeQuality([at(3)]))
  assert.equal(first, {
    description: 'wrong',
    check_name: 'DT1012',
    fingerprint: sha256('DT1012\0a/c.yaml\0services.web\0wrong'),
    severity: 'major',
    location: { path: 'a/c.yaml', lines: { begin: 3 } },
  })
  assert.is(json(codeQuality([at(9)]))[0].fingerprint, first.fingerprint)
})

test('no two findings of a Code Quality report share a fingerprint', () => {
  const d = wrong(place('c.yaml', 1, 1, 1, 2))
  const prints = json(codeQuality([d, d, d])).map(({ fingerprint }: { fingerprint: string }) => fingerprint)
  assert.is(new Set(prints).size, 3)
})

test('a Code Quality report has severities, and findings without a place', () => {
  const report = json(codeQuality([error('A', 'a'), warning('B', 'b'), remark('C', 'c')]))
  assert.equal(
    report.map(({ severity }: { severity: string }) => severity),
    ['major', 'minor', 'info'],
  )
  assert.equal(report[0].location, { path: '.', lines: { begin: 1 } })
})

test('the exit status is that of the first error, and 0 without one', () => {
  const [reach, syntax, warn] = [error('DT4001', 'a'), error('DT1001', 'b'), warning('DT1012', 'c')]
  assert.is(exitStatus([], TABLE), 0)
  assert.is(exitStatus([warn], TABLE), 0)
  assert.is(exitStatus([warn, reach, syntax], TABLE), 8)
  assert.is(exitStatus([warn, syntax, reach], TABLE), 3)
  assert.is(exitStatus([error('DT3203', 'a'), error('DT3120', 'timed out')]), 6)
})

test('an error never exits with 0', () => {
  assert.is(exitStatus([error('DT9999', 'a')], TABLE), 70)
  assert.is(exitStatus([error('toString', 'a')], TABLE), 70)
})

test('a warning that --strict makes an error exits with 3 if it has no status of its own', () => {
  const found = strict([warning('DT4040', 'a')])
  assert.is(exitStatus(found), 3)
})

test.run()
