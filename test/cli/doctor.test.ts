import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { error } from '../../src/domain/diagnostic/diagnostic.ts'
import { devtool } from '../support/cli.ts'

const compose = 'services:\n  web: {image: nginx}\n'

test('doctor reports what this machine knows when the cluster cannot be reached', async () => {
  const unusable = error('DT3001', 'the API server https://10.0.0.1 cannot be reached: timeout')
  const { status, stderr, stdout } = await devtool(['doctor', '--name', 'shop'], {
    files: { 'compose.yaml': compose },
    memory: { unusable },
  })
  assert.is(status, 8)
  assert.match(stdout, /^devtool-doctor-.*\.zip\n$/)
  assert.match(stderr, 'DT3001')
  assert.match(stderr, 'warning DT3408: not in the report: everything in the cluster')
})

test('doctor writes no report for a mistake in the command line', async () => {
  const { status, stdout } = await devtool(['doctor', '--name', 'Not A Name'], { files: { 'compose.yaml': compose } })
  assert.is(status, 2)
  assert.is(stdout, '')
})

test.run()
