import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ignoresCase } from '../../../src/adapters/sync/naming.ts'

test('the folder is as it was after its file system was asked how it treats names', () => {
  const root = mkdtempSync(join(tmpdir(), 'naming-'))
  try {
    assert.is(ignoresCase(root), false)
    assert.equal(readdirSync(root), [])
    chmodSync(root, 0o555)
    assert.is(ignoresCase(root), false)
    assert.is(ignoresCase(join(root, 'absent')), false)
  } finally {
    rmSync(root, { recursive: true })
  }
})

test.run()
