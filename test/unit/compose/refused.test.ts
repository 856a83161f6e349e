/** What docs/compose.md lists as refused, although Compose accepts it: the list is true, and short. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { refusals } from '../../../scripts/refusals.ts'
import { translateFiles } from '../../support/compose/project.ts'
import { fieldRow, rowsOf } from '../../support/compose/vectors.ts'

/** Files that the examples name. */
const others = {
  Dockerfile: 'FROM scratch\n',
  'key.txt': 'secret',
  'quoted.env': 'A="b" c\n',
  'named.env': '=b\n',
  'other.yaml': 'services: {web: {image: httpd}}\n',
}

test('the table has at most twelve rows, each with an example', () => {
  assert.ok(refusals.length <= 12)
  assert.ok(refusals.every(({ examples }) => examples.length > 0))
})

test('the table has the code of every recorded value that Compose accepts and devtool refuses', () => {
  const listed = new Set<string>(refusals.flatMap(({ codes }) => codes))
  const refused = rowsOf('fields.jsonl', fieldRow).filter(
    ([, , compose, ours]) => compose === 'accepted' && ours !== 'accepted',
  )
  assert.ok(refused.length > 50)
  const missing = refused.filter(([, , , code]) => !listed.has(code))
  assert.equal(
    missing.map((row) => JSON.stringify(row)),
    [],
  )
})

for (const { codes, examples } of refusals) {
  for (const [index, example] of examples.entries()) {
    const code = codes[index]
    test(`${code} refuses ${example.replaceAll('\n', '; ')}`, () => {
      const { findings } = translateFiles({ ...others, 'compose.yaml': `${example}\n` })
      assert.equal(
        findings.filter(({ severity }) => severity === 'error').map((found) => found.code),
        [code],
      )
    })
  }
}

test.run()
