import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { builtImage } from '../../src/domain/build/image-variables.ts'
import { manifestRows } from '../../src/domain/manifest/field-rows.ts'
import { faults } from '../support/compose/oracle.ts'
import { translateFiles } from '../support/compose/project.ts'

const keys = [...new Set(manifestRows().flatMap(({ path }) => path.split(/[.[\]*]+/).filter((key) => key !== '')))]

type Json = string | number | boolean | null | ReadonlyArray<Json> | { readonly [key: string]: Json }

const word = fc.oneof(
  fc.constantFrom('a:b', '80:80', '8080:web:80', '.:/app', '/x', '${A:-b}', '$$', '1m', 'Always', 'https://h/a/b.git'),
  fc.string({ maxLength: 12, unit: 'grapheme' }),
)

/** Values of any form under keys that manifests know, and others. */
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...keys) }, word), tie('value'), { maxKeys: 5 }),
  ),
}))

const sections = keys.filter((key) => manifestRows().some(({ path }) => path === key))
const manifest = fc.dictionary(fc.constantFrom(...sections), value, { minKeys: 1, maxKeys: 6 })

test('every tree is a plan or an error with a place', () => {
  fc.assert(
    fc.property(manifest, (tree) => {
      const files = { 'devtool.yml': JSON.stringify({ deploy: [], ...tree }) }
      assert.equal(faults(files, translateFiles(files)), [])
    }),
  )
})

test('reading a manifest does not depend on the order of its sections', () => {
  fc.assert(
    fc.property(manifest, (tree) => {
      const codes = (entries: ReadonlyArray<readonly [string, Json]>): ReadonlyArray<string> =>
        translateFiles({ 'devtool.yml': JSON.stringify({ deploy: [], ...Object.fromEntries(entries) }) })
          .findings.map(({ code, path }) => `${code} ${path}`)
          .toSorted()
      const entries = Object.entries(tree)
      assert.equal(codes(entries), codes(entries.toReversed()))
    }),
  )
})

test('the text of a command is run unchanged', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }).filter((text) => text.trim() !== '' && !/[\p{Cc}\p{Cs}]/u.test(text)),
      (text) => {
        const { manifest: read } = translateFiles({ 'devtool.yml': JSON.stringify({ deploy: [text] }) })
        assert.is(read?.deploy.commands[0]?.command, text)
      },
    ),
  )
})

test('an image name is split into the parts it was made of', () => {
  const label = fc.stringMatching(/^[a-z][a-z0-9]{0,6}$/)
  const reference = fc.record({
    registry: fc.option(label.map((name) => `${name}.example.com:5000`)),
    repository: fc.array(label, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
    tag: fc.option(label),
  })
  fc.assert(
    fc.property(reference, ({ registry, repository, tag }) => {
      const text = `${registry === null ? '' : `${registry}/`}${repository}${tag === null ? '' : `:${tag}`}`
      assert.equal(builtImage('my-api', text), {
        name: 'my-api',
        registry: registry ?? '',
        repository,
        tag: tag ?? 'latest',
      })
    }),
  )
})

test.run()
