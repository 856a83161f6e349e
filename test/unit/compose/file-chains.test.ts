/** Chains and fans of files: what many rounds of reading cost, and where they end. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openProject } from '../../../src/app/project/project.ts'
import type { Translation } from '../../../src/app/project/translation.ts'
import type { FileContent } from '../../../src/domain/compose/file-content.ts'
import { codesOf, times } from '../../support/compose/bombs.ts'
import { type Files, objectsOf } from '../../support/compose/project.ts'

/** A variable of the machine that counts how often it is looked up. */
class Counted extends Map<string, string> {
  lookups = 0
  override get(name: string): string | undefined {
    if (name === 'COUNTED') this.lookups += 1
    return name === 'COUNTED' ? 'x' : super.get(name)
  }
}

type Read = { readonly translation: Translation; readonly paths: ReadonlyArray<string>; readonly lookups: number }

/** As from a disk: a file is read only when the files before it name it. */
const translated = async (files: Files): Promise<Read> => {
  const paths: Array<string> = []
  const content = (path: string): FileContent => {
    const found = files[path]
    if (found === undefined) return { _tag: 'Missing' }
    paths.push(path)
    return { _tag: 'File', bytes: typeof found === 'string' ? new TextEncoder().encode(found) : found }
  }
  const shell = new Counted()
  const project = openProject({
    files: {
      read: (path) => async () => content(path),
      kind: (path) => async () => (files[path] === undefined ? 'Missing' : 'File'),
      look: () => async () => ({ _tag: 'Missing' }),
      isInside: () => async () => true,
    },
  })({
    cwd: '/home/dev/shop',
    files: [],
    guess: 'shop',
    given: new Map(),
    shell,
    separator: ':',
    services: [],
    settings: {},
    isConfined: false,
    isStrict: false,
  })
  return { translation: await project.translate(), paths, lookups: shell.lookups }
}

const values = (count: number): string => `x-a:\n${times(count, () => '  - "$COUNTED"\n')}`

const numbered = (count: number, text: (i: number) => string): Files =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}.yaml`, text(i)]))

const extending = (length: number): Files => ({
  'compose.yaml': `services: {web: {extends: {file: f0.yaml, service: web}}}\n${values(1_000)}`,
  ...numbered(
    length,
    (i) => `services: {web: {${i < length - 1 ? `extends: {file: f${i + 1}.yaml, service: web}` : 'image: x'}}}\n`,
  ),
})

const including = (length: number): Files => ({
  'compose.yaml': `include: [d0/compose.yaml]\n${values(1_000)}services: {web: {image: x}}\n`,
  ...Object.fromEntries(
    Array.from({ length }, (_, i) => [
      `d${i}/compose.yaml`,
      `${i < length - 1 ? `include: [../d${i + 1}/compose.yaml]\n` : ''}x-a: [${times(2_000, () => 'a, ')}]\nservices: {s${i}: {image: x}}\n`,
    ]),
  ),
})

for (const [title, files, objects] of [
  ['499 files that extend the next one', extending(499), 2],
  ['100 nested includes of 2,000 values each', including(100), 202],
] as const) {
  test(`${title}: accepted, and no value is replaced more often than in one file`, async () => {
    const { lookups, translation } = await translated(files)
    assert.equal(codesOf(translation), [])
    assert.is(objectsOf(translation).length, objects)
    assert.is(lookups, 1_000)
  })
}

for (const [title, files, mostRead] of [
  ['600 files that extend the next one', extending(600), 510],
  ['101 nested includes', including(101), 102],
  ['a fan of 10,100 files', fan(10_100, () => 'services: {web: {image: x}}'), 1],
  ['five files of 14 MiB', fan(5, () => `services: {web: {image: x}}\n# ${'x'.repeat(14 * 1024 * 1024)}`), 6],
] as const) {
  test(`${title}: one error`, async () => {
    const { paths, translation } = await translated(files)
    assert.equal(
      translation.findings.map(({ code }) => code),
      ['DT1006'],
    )
    assert.ok(paths.length <= mostRead, `${paths.length} files`)
  })
}

function fan(count: number, text: (i: number) => string): Files {
  return {
    'compose.yaml': `services:\n${times(count, (i) => `  s${i}: {extends: {file: f${i}.yaml, service: web}}\n`)}`,
    ...numbered(count, text),
  }
}

test('an env file beside an included or extended file sets its variables', async () => {
  const { translation } = await translated({
    'compose.yaml':
      'include: [a/compose.yaml]\nservices: {web: {extends: {file: "${DIR:-b}/base.yaml", service: base}}}\n',
    'a/compose.yaml': 'services: {api: {image: "a:$TAG", extends: {file: "$NEXT/base.yaml", service: base}}}\n',
    'a/.env': 'TAG=1\nNEXT=../b\n',
    'b/base.yaml': 'services: {base: {image: "b:$TAG", command: "$TAG"}}\n',
    'b/.env': 'TAG=2\n',
  })
  assert.equal(codesOf(translation), [])
  const images = objectsOf(translation).map((one) => /"image":"([^"]+)"/.exec(JSON.stringify(one))?.[1])
  assert.equal(new Set(images.filter((image) => image !== undefined)), new Set(['a:1', 'b:2']))
})

test.run()
