/** What has to be distributed with bundled packages. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { noticesOf } from '../../scripts/notices.ts'

/** Packages below `node_modules`, by name, each with its files besides `package.json`. */
const packages = <A>(
  all: Readonly<Record<string, Readonly<Record<string, string>>>>,
  use: (inputOf: (name: string) => string) => A,
): A => {
  const root = mkdtempSync(join(tmpdir(), 'notices-'))
  const inputOf = (name: string): string => join(root, 'node_modules', name, 'index.js')
  try {
    for (const [name, files] of Object.entries(all)) {
      const folder = join(root, 'node_modules', name)
      mkdirSync(folder, { recursive: true })
      const manifest = JSON.stringify({ name: name.replace(/^.*node_modules\//, ''), version: '1.0.0', license: 'MIT' })
      for (const [file, text] of Object.entries({ 'package.json': manifest, 'index.js': '', ...files }))
        writeFileSync(join(folder, file), text)
    }
    return use(inputOf)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const licence = { LICENSE: 'Copyright Somebody' }

test('a bundled package without a licence fails the build', () => {
  packages({ good: licence, bare: { 'README.md': '# bare\n' } }, (inputOf) => {
    assert.match(noticesOf([inputOf('good')]), 'good 1.0.0 (MIT)\n\nCopyright Somebody')
    assert.throws(() => noticesOf([inputOf('good'), inputOf('bare')]), /bare is bundled and has no licence to pass on/)
  })
})

test('two copies of one version are one notice, and further notices are kept', () => {
  packages({ one: licence, 'other/node_modules/one': licence, other: licence }, (inputOf) => {
    const text = noticesOf(
      [inputOf('one'), inputOf('other/node_modules/one'), inputOf('other')],
      ['native 2.0.0 (MIT)'],
    )
    assert.equal(text.match(/^\S+ \d\S* \(MIT\)$/gm), ['native 2.0.0 (MIT)', 'one 1.0.0 (MIT)', 'other 1.0.0 (MIT)'])
  })
})

test.run()
