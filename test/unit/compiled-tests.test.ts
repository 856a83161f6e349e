/** Test files that are compiled before they run behave as from their source. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileTests } from '../../scripts/compiled-tests.ts'
import { markOf, type Owner, thisProcess } from '../../src/adapters/process/owner.ts'

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

test('stack traces of a compiled file, and of its imports, have the places of the sources', async ({ root }) => {
  const fixture = join(import.meta.dirname, '../support/house/places.txt')
  for (const file of ['own.ts', 'deep/other.ts']) copyFileSync(fixture, join(root, file))
  const exported = ["export { places as own } from './own.ts'", "export { places as other } from './deep/other.ts'"]
  writeFileSync(join(root, 'all.test.ts'), exported.join('\n'))
  const { pathOf } = await compileTests(root, ['all.test.ts'])
  const { other, own } = await import(pathToFileURL(pathOf('all.test.ts') ?? '').href)
  const urlOf = (file: string): string => pathToFileURL(join(root, file)).href
  assert.equal(own, [root, urlOf('own.ts')])
  assert.equal(other, [join(root, 'deep'), urlOf('deep/other.ts')])
})

test('compiled files of a killed run are removed by the next run, those of a running one are not', async ({ root }) => {
  const own = thisProcess()
  if (own === undefined) throw new Error('there is no /proc')
  const leave = (name: string, owner: Owner): string => {
    const folder = join(root, '.cache', name)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, '.owner'), markOf(owner))
    return folder
  }
  const dead = leave('tests-dead', { ...own, start: '1' })
  const running = leave('tests-running', own)
  writeFileSync(join(root, 'good.test.ts'), 'export {}')
  const { remove } = await compileTests(root, ['good.test.ts'])
  assert.equal([existsSync(dead), existsSync(running)], [false, true])
  remove()
  assert.equal(readdirSync(join(root, '.cache')), ['tests-running'])
})

test.run()
