/** Our YAML against other readers, and the merge of trees. What the API server reads is compared in test/e2e. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as C from '../../src/domain/checked.ts'
import { mergeNodes } from '../../src/domain/compose/merge.ts'
import { printYamlStream } from '../../src/domain/print/yaml.ts'
import { source } from '../../src/domain/text/source.ts'
import { readEveryday } from '../../src/domain/yaml/everyday.ts'
import type { Node } from '../../src/domain/yaml/node.ts'
import { readWithParser, readYaml } from '../../src/domain/yaml/read.ts'
import { filesOf, project, writing } from '../support/arbitrary/compose.ts'
import { layouts, trees } from '../support/arbitrary/layout.ts'
import { mutate } from '../support/arbitrary/mutate.ts'
import { type Mapping, oneFile } from '../support/arbitrary/notation.ts'
import { random } from '../support/arbitrary/random.ts'
import { runs } from '../support/arbitrary/runs.ts'
import { service } from '../support/arbitrary/service.ts'
import { corpus, textOfFile } from '../support/compose/corpus.ts'
import { objectsOf, translateFiles } from '../support/compose/project.ts'
import { plain, readJsYaml, readOurs, readPackageYaml, toPlain } from '../support/compose/yaml-readers.ts'

const yamlFiles = (files: Readonly<Record<string, string | Uint8Array>>): ReadonlyArray<string> =>
  Object.entries(files).flatMap(([path, content]) => (/\.ya?ml$/.test(path) ? [textOfFile(content)] : []))

test('our reader and the package yaml agree on real files', () => {
  for (const { name, files } of corpus) {
    for (const text of yamlFiles(files)) {
      assert.ok(readOurs(text), name)
      assert.equal(readOurs(text), readPackageYaml(text), name)
    }
  }
})

test('our reader and the package yaml agree on generated files, merge keys and anchors included', () => {
  fc.assert(
    fc.property(project, writing, (made, how) => {
      for (const text of yamlFiles(filesOf(made, how))) {
        assert.ok(readOurs(text))
        assert.equal(readOurs(text), readPackageYaml(text))
      }
    }),
    runs(200),
  )
})

const sameAsParsed = (text: string): boolean => {
  const file = source('compose.yaml', '.', text)
  const read = readEveryday(file)
  if (read !== undefined) assert.equal(read, readWithParser(file), text)
  return read !== undefined
}

test('what most files consist of is read as the parser reads it, with the same places', () => {
  const all = corpus.flatMap(({ files }) => yamlFiles(files))
  assert.ok(all.filter(sameAsParsed).length > all.length / 2)
  fc.assert(
    fc.property(project, writing, (made, how) => {
      yamlFiles(filesOf(made, how)).forEach(sameAsParsed)
    }),
    runs(200),
  )
  fc.assert(
    fc.property(trees, layouts({ isWild: true, isShared: true }), (documents, write) => {
      sameAsParsed(write(documents))
    }),
    runs(200),
  )
})

/** A few lines, so that most of them are still read after the damage. */
const excerpt = (text: string, from: number, count: number): string => {
  const lines = text.split('\n').slice(from, from + count)
  const indent = /^ */.exec(lines[0] ?? '')?.[0] ?? ''
  return lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)).join('\n')
}

test('damaged lines are read as the parser reads them, or left to it', () => {
  const texts = corpus.flatMap(({ files }) => yamlFiles(files))
  fc.assert(
    fc.property(
      fc.constantFrom(...texts),
      fc.nat(200),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1 }),
      (...how) => {
        const [text, from, count, seed] = how
        sameAsParsed(textOfFile(mutate(random(seed), excerpt(text, from, count))))
      },
    ),
    runs(500),
  )
})

test('every layout of YAML 1.2 is read as the package yaml reads it', () => {
  fc.assert(
    fc.property(trees, layouts({ isWild: false, isShared: true }), (documents, write) => {
      const written = write(documents)
      assert.equal(readOurs(written), documents)
      assert.equal(readPackageYaml(written), documents)
    }),
    runs(200),
  )
})

test('layouts that only go-yaml accepts are read as go-yaml reads them', () => {
  fc.assert(
    fc.property(trees, layouts({ isWild: true, isShared: true }), (documents, write) =>
      assert.equal(readOurs(write(documents)), documents),
    ),
    runs(300),
  )
})

/**
 * Where the package differs on purpose: a lone CR is no line break for it, a tag it does not know leaves text where
 * nothing is written, and a key that is null is not the empty text.
 */
const isComparable = (text: string): boolean => !/\r(?!\n)|!/.test(text) && !/^[ -]*[:?](?:\s|$)/m.test(text)

test('our reader and the package yaml agree on damaged files that both accept', () => {
  fc.assert(
    fc.property(fc.constantFrom(...corpus.map(({ name }) => name)), fc.integer({ min: 1 }), (name, seed) => {
      const real = corpus.find((one) => one.name === name)
      const text = textOfFile(mutate(random(seed), textOfFile(real?.files[real.main])))
      fc.pre(isComparable(text))
      const [ours, theirs] = [readOurs(text), readPackageYaml(text)]
      if (ours !== undefined && theirs !== undefined) assert.equal(ours, theirs)
    }),
    runs(300),
  )
})

test('every reader reads printed manifests back unchanged', () => {
  fc.assert(
    fc.property(project, (made) => {
      const objects = objectsOf(translateFiles(filesOf(made, { seed: 0, isSplit: false })))
      const [text, values] = [printYamlStream(objects), objects.map(toPlain)]
      assert.equal(readOurs(text), values)
      assert.equal(readPackageYaml(text), values)
      assert.equal(readJsYaml(text), values)
    }),
    runs(150),
  )
})

/** `x-` fields and GPUs may change their form from file to file, and then the later one stands alone: see below. */
const shapely: fc.Arbitrary<Node> = service
  .map((made): Mapping => new Map([...made].filter(([key]) => !key.startsWith('x-') && key !== 'gpus')))
  .map((made) => nodeOf(oneFile(new Map([['services', new Map([['web', made]])]]), 0)))

const nodeOf = (text: string): Node => {
  const [node] = C.valueOf(readYaml(source('compose.yaml', '.', text))) ?? []
  if (node === undefined) throw new Error(text)
  return node
}
const merged = (base: Node, over: Node): Node => mergeNodes('', base, over)
const asText = (node: Node): unknown => plain(node)

test('merging files is associative', () => {
  fc.assert(
    fc.property(shapely, shapely, shapely, (a, b, c) => {
      assert.equal(asText(merged(merged(a, b), c)), asText(merged(a, merged(b, c))))
    }),
    runs(300),
  )
})

test('merging with an empty file changes nothing', () => {
  fc.assert(
    fc.property(shapely, (a) => {
      const nothing = nodeOf('{}')
      assert.equal(asText(merged(a, nothing)), asText(a))
      assert.equal(asText(merged(nothing, a)), asText(a))
    }),
    runs(100),
  )
})

/**
 * Where the Specification makes the order of merging count: a tag acts on what is below it only; a value of another form
 * stands alone, so what comes after it meets less; `logging` options go with their driver.
 */
const exceptions: ReadonlyArray<readonly [string, string, string, string]> = [
  [
    '!reset',
    'services: {a: {labels: {x: "1"}}}',
    'services: {a: {labels: !reset null}}',
    'services: {a: {labels: {y: "2"}}}',
  ],
  ['!override', 'services: {a: {dns: [a]}}', 'services: {a: {dns: !override [b]}}', 'services: {a: {dns: [c]}}'],
  ['another form', 'services: {a: {x-a: {b: 1}}}', 'services: {a: {x-a: 1}}', 'services: {a: {x-a: {c: 1}}}'],
  [
    'logging with another driver',
    'services: {a: {logging: {options: {a: b}}}}',
    'services: {a: {logging: {driver: x, options: {c: d}}}}',
    'services: {a: {logging: {driver: y}}}',
  ],
]

for (const [what, ...texts] of exceptions) {
  test(`merging is not associative with ${what}`, () => {
    const [a, b, c] = texts.map(nodeOf)
    assert.ok(a && b && c)
    assert.not.equal(asText(merged(merged(a, b), c)), asText(merged(a, merged(b, c))))
  })
}

test.run()
