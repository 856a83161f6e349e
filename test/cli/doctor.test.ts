import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { error } from '../../src/domain/diagnostic/diagnostic.ts'
import { devtool } from '../support/cli/cli.ts'

const compose = 'services:\n  web: {image: nginx}\n'

for (const [code, expected] of [
  ['DT3001', 8],
  ['DT3002', 4],
  ['DT3008', 3],
  ['DT3120', 6],
  ['DT3170', 8],
] as const) {
  test(`doctor reports what this machine knows when the cluster cannot be read (${code})`, async () => {
    const { status, stderr, stdout } = await devtool(['doctor'], {
      files: { 'compose.yaml': `name: shop\n${compose}` },
      memory: { unusable: error(code, 'the cluster cannot be read') },
    })
    assert.is(status, expected)
    assert.match(stdout, /^devtool-doctor-.*\.zip\n$/)
    assert.match(stderr, code)
    assert.match(stderr, 'a report on environment shop: 0 objects')
    assert.match(stderr, 'warning DT3408: not in the report: everything in the cluster')
  })
}

test('doctor writes no report for a mistake in the command line', async () => {
  const { status, stdout } = await devtool(['doctor', '--name', 'Not A Name'], { files: { 'compose.yaml': compose } })
  assert.is(status, 2)
  assert.is(stdout, '')
})

test.run()
