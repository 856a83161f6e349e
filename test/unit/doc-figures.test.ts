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

/** The medians of devtool and of Syncthing in the table of performance. */
const [, own, syncthing] =
  /^\| 1 file: save → pod, p50 \/ p95 \| (\d+) \/ \d+ \| (\d+) \/ \d+ \|/m.exec(read('docs/performance.md')) ?? []

test('the comparison with Okteto has the figures of performance, and there are no others', () => {
  const page = read('docs/coming-from.md')
  assert.match(page, `after ${own} ms (median); with a tuned Syncthing, it takes ${syncthing} ms.`)
  assert.equal(figuresIn(page), [`${own} ms`, `${syncthing} ms`])
})

test('the front page of the site and the comparison of the README promise no figures', () => {
  const [, comparison = ''] = read('README.md').split('## Beside other tools')
  assert.match(comparison, 'Skaffold')
  assert.equal([read('site/pages/index.md'), comparison].flatMap(figuresIn), [])
})

test.run()
