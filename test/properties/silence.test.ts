/**
 * Nothing is lost in silence: every scalar of a Compose file is behind a part of the plan or of an image that is to be
 * built, has a finding, or is in the table of values that mean nothing.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { project } from '../support/arbitrary/compose.ts'
import { oneFile } from '../support/arbitrary/notation.ts'
import { runs } from '../support/arbitrary/runs.ts'
import { corpus, filesBelow, textOfFile } from '../support/corpus.ts'
import { type Files, translateFiles } from '../support/project.ts'
import { silences } from '../support/silence.ts'

/** `undefined` when something is wrong with the files: then there is no plan. */
const silencesIn = (files: Files, main: string): ReadonlyArray<string> | undefined => {
  const translation = translateFiles(files, { files: [main], settings: { profiles: ['*'] } })
  return translation.plan === undefined ? undefined : silences(main, textOfFile(files[main]), translation)
}

for (const { files, main, name } of corpus) {
  test(`nothing in ${name} is silently lost`, () => {
    assert.equal(silencesIn(files, main), [])
  })
}

const folder = join(import.meta.dirname, '../golden/cases')

/** Of several documents in a file, and of files beside it, the later one replaces values of the one before. */
const isAlone = (files: Files): boolean =>
  !Object.keys(files).some((path) => /(?:override|devtool)\.ya?ml$/.test(path)) &&
  !/^---$/m.test(textOfFile(files['compose.yaml']))

for (const name of readdirSync(folder).toSorted()) {
  const files = filesBelow(join(folder, name))
  if (!('compose.yaml' in files) || !isAlone(files)) continue
  const lost = silencesIn(files, 'compose.yaml')
  if (lost === undefined) continue
  test(`nothing in the golden case ${name} is silently lost`, () => {
    assert.equal(lost, [])
  })
}

test('nothing in a generated project is silently lost', () => {
  fc.assert(
    fc.property(project, ({ document, files }) => {
      const main = 'compose.yaml'
      assert.equal(silencesIn({ ...files, [main]: oneFile(document, 0) }, main), [])
    }),
    runs(300),
  )
})

test('a value that is not mapped is reported', () => {
  const files = { 'compose.yaml': 'services:\n  web:\n    image: a\n' }
  const translation = translateFiles(files)
  const more = `${files['compose.yaml']}    working_dir: /lost\n`
  assert.equal(silences('compose.yaml', more, translation), ['services.*.working_dir: /lost (compose.yaml:4)'])
})

test.run()
