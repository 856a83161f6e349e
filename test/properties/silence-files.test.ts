/** Nothing is lost in silence between several files: overrides, `extends`, `include`, env files and label files. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { cases } from '../golden/cases.ts'
import { project } from '../support/arbitrary/compose.ts'
import { type DividedProject, dividedFiles } from '../support/arbitrary/divided.ts'
import { isMapping } from '../support/arbitrary/notation.ts'
import { runs } from '../support/arbitrary/runs.ts'
import { corpus, textOfFile } from '../support/compose/corpus.ts'
import { type Files, translateFiles } from '../support/compose/project.ts'
import { silencesOfFiles } from '../support/compose/silence-files.ts'

const silencesIn = (files: Files, { files: made, named }: DividedProject): ReadonlyArray<string> => {
  const all = { ...files, ...made }
  const translation = translateFiles(all, { files: named, settings: { profiles: ['*'] } })
  const errors = translation.findings.filter(({ severity }) => severity === 'error')
  return [...errors.map(({ code, message }) => `${code} ${message}`), ...silencesOfFiles(all, translation)]
}

test('nothing in a generated project is silently lost when it is divided over several files', () => {
  fc.assert(
    fc.property(project, fc.nat(), ({ document, files }, seed) => {
      assert.equal(silencesIn(files, dividedFiles(document, seed)), [])
    }),
    runs(150),
  )
})

for (const { files, main, name } of corpus) {
  test(`nothing in ${name} is silently lost when it is divided over several files`, () => {
    const document: unknown = parse(textOfFile(files[main]), { mapAsMap: true, merge: true })
    if (!(document instanceof Map) || !isMapping(document)) throw new Error(`${name} is no mapping`)
    const { [main]: _whole, ...others } = files
    for (let seed = 1; seed <= 5; seed += 1) {
      assert.equal(silencesIn(others, dividedFiles(document, seed)), [], `seed ${seed}`)
    }
  })
}

/** What later files of these golden cases replace on purpose; nothing else may be lost. */
const replaced: Readonly<Record<string, ReadonlyArray<string>>> = {
  'compose-file-variable': ['services.*.image: nginx:1 (first.yaml:3)'],
  documents: ['services.*.image: nginx:1 (compose.yaml:4)'],
  'env-file': [],
  extends: [
    'services.*.command[]: run (common/services.yaml:6)',
    'services.*.environment.*: generic (common/services.yaml:12)',
    'services.*.environment.*: base (compose.yaml:7)',
    'services.*.profiles[]: never (compose.yaml:8)',
  ],
  include: [],
  labels: [],
  'merge-mounts': ['services.*.volumes[]: v:/b (compose.yaml:5)', 'services.*.tmpfs[]: /t (compose.yaml:6)'],
  override: [
    'services.*.command[]: nginx (compose.yaml:6)',
    'services.*.environment.*: base (compose.yaml:9)',
    'services.*.ports[]: 8080:80 (compose.yaml:11)',
    'services.*.volumes[]: data:/data (compose.yaml:13)',
    'services.*.healthcheck.test[]: CMD (compose.yaml:16)',
    'services.*.healthcheck.test[]: true (compose.yaml:16)',
    'services.*.image: postgres:16 (compose.yaml:21)',
  ],
  'precedence-env-files': [],
  'pre-start': [],
  'reset-and-override': [
    'services.*.command[]: nginx (compose.yaml:4)',
    'services.*.ports[]: 8080:80 (compose.yaml:6)',
    'services.*.environment.*: base (compose.yaml:8)',
    'services.*.labels.*: base (compose.yaml:11)',
    'services.*.image: nginx (compose.yaml:13)',
    'services.*.environment.*: A (second.yaml:7)',
    'services.*: gone (second.yaml:10)',
  ],
}

for (const [name, expected] of Object.entries(replaced)) {
  test(`nothing in the files of the golden case ${name} is silently lost, except what is replaced`, () => {
    const one = cases.find((each) => each.name === name)
    if (one === undefined) throw new Error(`there is no golden case ${name}`)
    assert.equal(silencesOfFiles(one.files, one.translation), expected)
  })
}

test.run()
