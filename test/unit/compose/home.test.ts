/** `~` in the paths that a Compose file has is the home folder, as in Compose. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Files, manifestsOf, translateFiles } from '../../support/compose/project.ts'

const home = '/home/ann'

const translated = (text: string, below: Files, shell = new Map([['HOME', home]])) => {
  const there = Object.entries(below).map(([name, content]) => [`${home}/${name}`, content] as const)
  const inner = 'services: {web: {image: nginx, environment: {FOUND: "$VALUE"}}}\n'
  return translateFiles({ 'compose.yaml': text, 'in.yaml': inner, ...Object.fromEntries(there) }, { shell })
}

const serviceWith = (more: string): string => `services: {web: {image: nginx, ${more}}}\n`
const oneService = 'services: {web: {image: nginx, environment: {FOUND: "yes"}}}\n'

/** What a file below the home folder must bring into the objects. */
const places: ReadonlyArray<readonly [place: string, text: string, file: string, content: string]> = [
  ['env_file', serviceWith('env_file: "~/found.env"'), 'found.env', 'FOUND=yes\n'],
  ['env_file, long', serviceWith('env_file: [{path: "~/found.env"}]'), 'found.env', 'FOUND=yes\n'],
  ['env_file without a slash', serviceWith('env_file: "~found.env"'), 'found.env', 'FOUND=yes\n'],
  ['label_file', serviceWith('label_file: "~/found.labels"'), 'found.labels', 'FOUND=yes\n'],
  ['extends.file', 'services: {web: {extends: {file: "~/base.yaml", service: web}}}\n', 'base.yaml', oneService],
  ['include', 'include: ["~/other/compose.yaml"]\n', 'other/compose.yaml', oneService],
  [
    'include.env_file and project_directory',
    'include: [{path: in.yaml, env_file: "~/vars.env", project_directory: "~"}]\n',
    'vars.env',
    'VALUE=yes\n',
  ],
  ['configs.file', `configs: {c: {file: "~/c.txt"}}\n${serviceWith('configs: [c]')}`, 'c.txt', 'FOUND: yes'],
]

for (const [place, text, file, content] of places) {
  test(`${place} may be below the home folder`, () => {
    const translation = translated(text, { [file]: content })
    assert.equal(
      translation.findings.filter(({ severity }) => severity === 'error').map(({ message }) => message),
      [],
    )
    assert.match(manifestsOf(translation), /FOUND[^]{1,20}yes/)
  })
}

test('the content of a secret may be below the home folder', () => {
  const translation = translated(`secrets: {s: {file: "~/s.txt"}}\n${serviceWith('secrets: [s]')}`, { 's.txt': 'word' })
  assert.match(manifestsOf(translation), /word|d29yZA==/)
})

test('a build context may be the home folder', () => {
  const { images } = translated(
    'services: {web: {build: {context: "~/app", additional_contexts: {lib: "~/lib"}}}}\n',
    {},
  )
  assert.equal(
    images.map(({ additionalContexts, context }) => [context.value, additionalContexts.map(({ value }) => value)]),
    [[`${home}/app`, [`${home}/lib`]]],
  )
})

test('without a known home folder, and elsewhere in a path, ~ is a name', () => {
  const contextsOf = (context: string, shell?: Map<string, string>) =>
    translated(`services: {web: {build: "${context}"}}\n`, {}, shell).images.map((image) => image.context.value)
  assert.equal(contextsOf('~/app', new Map()), ['~/app'])
  assert.equal(contextsOf('./~/app'), ['~/app'])
  assert.equal(contextsOf('~/app', new Map([['USERPROFILE', 'C:\\Users\\ann']])), ['C:/Users/ann/app'])
})

test.run()
