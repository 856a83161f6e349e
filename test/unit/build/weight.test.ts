import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { heavyContext } from '../../../src/domain/build/weight.ts'

const about = { image: 'api', folder: 'api' }

const of = (bytes: number, largest: ReadonlyArray<{ readonly path: string; readonly bytes: number }> = []) => ({
  ...{ files: 1204, bytes, largest },
})

test('there is no warning about a context of 200 MB', () => {
  assert.equal(heavyContext(of(200_000_000), about), [])
})

test('a larger context is reported with its largest entries, largest first', () => {
  const largest = [
    { path: 'dist', bytes: 20_000_000 },
    { path: 'node_modules', bytes: 412_300_000 },
    { path: '.git', bytes: 8_000 },
  ]
  const [found, ...others] = heavyContext(of(432_308_000, largest), about)
  assert.is(others.length, 0)
  assert.is(found?.severity, 'warning')
  assert.is(found?.code, 'DT4041')
  assert.equal(found?.message.split('\n'), [
    'image api: the build context api holds 432 MB in 1,204 files; the largest are',
    ' 412 MB  node_modules',
    '20.0 MB  dist',
    ' 8.0 kB  .git',
  ])
  assert.match(found?.help ?? '', /in a \.dockerignore/)
})

test('at most ten entries are listed', () => {
  const largest = Array.from({ length: 30 }, (_, at) => ({ path: `d${at}`, bytes: 10_000_000 + at }))
  const [found] = heavyContext(of(300_000_005, largest), about)
  assert.is(found?.message.split('\n').length, 11)
  assert.match(found?.message ?? '', 'd29')
  assert.not.match(found?.message ?? '', /d19$/m)
})

test('with a .dockerignore the advice is to extend it, at the place of the build', () => {
  const at = { file: 'compose.yaml', line: 4, col: 5, endLine: 4, endCol: 9 }
  const [found] = heavyContext(of(300_000_000), { ...about, at, hasIgnore: true })
  assert.equal(found?.at, at)
  assert.match(found?.help ?? '', /^add what no step copies to \.dockerignore/)
})

test.run()
