/** Test files that are compiled before they run behave as from their source. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileTests } from '../../scripts/compiled-tests.ts'

const test = suite('compiled tests', { root: '' })

test.before.each((world) => {
  world.root = realpathSync(mkdtempSync(join(tmpdir(), 'compiled-')))
  mkdirSync(join(world.root, 'deep'))
  writeFileSync(join(world.root, 'package.json'), '{ "type": "module" }')
})
test.after.each(({ root }) => rmSync(root, { recursive: true, force: true }))

test('when one file does not compile, all are left to the loader, which names it', async ({ root }) => {
  writeFileSync(join(root, 'good.test.ts'), 'export {}')
  writeFileSync(join(root, 'bad.test.ts'), 'const = 1')
  const { pathOf } = await compileTests(root, ['good.test.ts', 'bad.test.ts'])
  assert.equal(['good.test.ts', 'bad.test.ts'].map(pathOf), [undefined, undefined])
})

test('a file outside the tree is left to the loader', async ({ root }) => {
  const file = join(root, 'place.ts')
  const { pathOf } = await compileTests(root, [file])
  assert.is(pathOf(file), undefined)
})

test.run()
