/** Files in, manifests, findings and plan out: `cases/<name>` and `examples/<name>` hold what is expected. */
import { existsSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { caseOf, cases } from './cases.ts'
import { compareGoldens, foldersIn, goldenFolder, goldensOf } from './golden.ts'

for (const { files, folder, name, translation } of cases) {
  test(`translate: ${name}`, () => {
    compareGoldens(folder, goldensOf(translation, files))
  })
}

for (const name of foldersIn('examples')) {
  test(`translate: examples/${name}`, () => {
    const folder = `${goldenFolder}/examples/${name}`
    assert.ok(existsSync(folder), `${folder} is missing: make it, and run npm run goldens`)
    const { files, translation } = caseOf(name, folder, `examples/${name}`)
    assert.ok(translation.plan, 'an example has no errors')
    compareGoldens(folder, goldensOf(translation, files))
  })
}

test('every golden belongs to an example', () => {
  assert.equal(foldersIn(`${goldenFolder}/examples`), foldersIn('examples'))
})

test.run()
