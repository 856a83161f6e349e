/** Figures in the pages that compare devtool with other tools: those that were measured. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/command.ts'

const read = (page: string): string => readFileSync(join(root, page), 'utf8')
const withoutCode = (text: string): string => text.replaceAll(/^```[^]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '')
const figuresIn = (text: string): ReadonlyArray<string> =>
  [...withoutCode(text).matchAll(/\b\d[\d.,]* ?(?:ms|s|seconds|KB|MB|GB|%)(?!\w)/g)].map(([figure]) => figure)

/** Of devtool and of Syncthing in the table of performance: the median, and the limit of 95 of 100. */
const [, own, most, other, otherMost] =
  /^\| 1 file: save → pod, p50 \/ p95 \| (\d+) \/ (\d+) \| (\d+) \/ (\d+) \|/m.exec(read('docs/performance.md')) ?? []

/** Of the kompose that was measured. */
const [, release] = /^\| kompose ([\d.]+), 1000 services \|/m.exec(read('docs/performance.md')) ?? []

/** Milliseconds for a file with 1,000 services. */
const medianOf = (what: string): string | undefined =>
  new RegExp(`^\\| ${what} \\| [\\d.]+ \\| [^|]* \\| (\\d+) \\|`, 'm').exec(read('docs/performance.md'))?.[1]

test('the comparisons with Okteto and kompose have the figures of performance, and there are no others', () => {
  const page = read('docs/coming-from.md')
  const [translated, converted] = [medianOf('dry run, 1,000 services'), medianOf(`kompose ${release}, 1000 services`)]
  assert.match(page, `takes\n${translated} ms (median), and with kompose ${release} it takes ${converted} ms`)
  assert.match(page, `after ${own} ms (median), and 95 of 100 after ${most} ms`)
  assert.match(page, `with a tuned Syncthing, that takes ${other} ms and ${otherMost} ms.`)
  const figures = [own, most, other, otherMost, translated, converted]
  assert.equal(
    figuresIn(page),
    figures.map((figure) => `${figure} ms`),
  )
})

test('the front page of the site and the comparison of the README promise no figures', () => {
  const [, comparison = ''] = read('README.md').split('## Beside other tools')
  assert.match(comparison, 'Skaffold')
  assert.equal([read('site/pages/index.md'), comparison].flatMap(figuresIn), [])
})

test.run()
