/** What `schema --install` makes of the settings of VS Code. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { parse } from 'jsonc-parser'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withSchemas } from '../../../src/domain/init/vscode.ts'

const schemas = new Map([
  ['./.vscode/a.json', ['a.yml', 'b.yml']],
  ['./.vscode/b.json', ['c.yml']],
])
const ours = Object.fromEntries(schemas)

const changed = (text: string): string =>
  E.getOrElseW((found: object) => assert.unreachable(JSON.stringify(found)))(withSchemas(text, schemas)) ?? ''

test('missing or empty settings become those of the schemas', () => {
  for (const text of ['', '  \n', '{}', '{\n}\n']) assert.equal(parse(changed(text)), { 'yaml.schemas': ours })
})

test('comments, trailing commas, layout and other schemas stay', () => {
  const before =
    '{\n    // mine\n    "a": [1,2], /* two */\n    "yaml.schemas": {"x.json": "*.yml", "./.vscode/b.json": "old"},\n}\n'
  const after = changed(before)
  for (const kept of ['    // mine\n    "a": [1,2], /* two */\n', '"x.json": "*.yml"']) assert.ok(after.includes(kept))
  assert.equal(parse(after, [], { allowTrailingComma: true })['yaml.schemas'], { 'x.json': '*.yml', ...ours })
})

test('comments without settings stay above them, and a byte order mark where it was', () => {
  for (const text of ['// none yet', '/* none\n   yet */\n\n', '\n// a\n/* b */ // c\r\n']) {
    const after = changed(text)
    assert.ok(after.startsWith(text.trimEnd()), after)
    assert.equal(parse(after), { 'yaml.schemas': ours })
    assert.is(changed(after), after)
  }
  for (const text of ['', '// none', '{"a": 1}']) assert.is(changed(`\uFEFF${text}`), `\uFEFF${changed(text)}`)
})

test('other settings keep their values, and a second run changes nothing', () => {
  const name = fc.string().filter((text) => text !== 'yaml.schemas' && text !== '__proto__')
  const indents = fc.constantFrom(undefined, 1, 2, 4, '\t')
  fc.assert(
    fc.property(fc.dictionary(name, fc.jsonValue()), fc.boolean(), indents, (settings, hasOthers, indent) => {
      const others = hasOthers ? { 'mine.json': ['m.yml'] } : {}
      const after = changed(
        JSON.stringify(hasOthers ? { ...settings, 'yaml.schemas': others } : settings, null, indent),
      )
      const expected = { ...settings, 'yaml.schemas': { ...others, ...ours } }
      assert.equal(JSON.parse(after), JSON.parse(JSON.stringify(expected)))
      assert.is(changed(after), after)
    }),
  )
})

test('invalid settings are reported at their place, and not changed', () => {
  const places = [
    ['{\n  "a": 1\n  "b": 2\n}', '3:3'],
    ['{"a": ', '1:7'],
    ['\uFEFF{"a": ', '1:7'],
    ['/* without end', '1:1'],
    ['[]', '1:1'],
    ['"text"', '1:1'],
    ['{"yaml.schemas": null}', '1:1'],
    ['{"yaml.schemas": ["a"]}', '1:1'],
    ['{"a": '.repeat(100_000), '1:1'],
    [`{"a": ${'['.repeat(200)}${']'.repeat(200)}}`, '1:1'],
    ['{"yaml.schemas": [], "yaml.schemas": {}}', '1:1'],
  ] as const
  for (const [text, place] of places) {
    const found = withSchemas(text, schemas)
    assert.ok(E.isLeft(found), text.slice(0, 40))
    const { at, code } = found.left
    assert.equal(
      [code, at?.file, `${at?.line}:${at?.col}`],
      ['DT2008', '.vscode/settings.json', place],
      text.slice(0, 40),
    )
  }
})

test.run()
