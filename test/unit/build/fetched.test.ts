/** Contexts that a builder fetches: who asks for them is known to the builder alone. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { contentHash } from '../../../src/domain/build/content-hash.ts'
import type { Solve } from '../../../src/domain/build/solve.ts'
import { solveOf } from '../../../src/domain/build/solve-of.ts'
import type { Checked } from '../../../src/domain/checked.ts'
import * as C from '../../../src/domain/checked.ts'
import { factsOf, imageOf } from '../../support/build/images.ts'
import { translateFiles } from '../../support/compose/project.ts'

const facts = factsOf({ dockerfile: undefined })

const solved = (build: string): Checked<Solve> => solveOf(imageOf(build), facts)

const header = (pair: string): string => `basic ${Buffer.from(pair).toString('base64')}`

const cases: ReadonlyArray<readonly [url: string, shown: string, id: string, pair: string]> = [
  ['https://ann:word@example.com/a.git#main', 'https://example.com/a.git#main', 'example.com', 'ann:word'],
  ['https://token@example.com:8443/a/b.git', 'https://example.com:8443/a/b.git', 'example.com:8443', 'token:'],
  ['http://ann:a%40b:c@example.com/a.git?ref=v1', 'http://example.com/a.git?ref=v1', 'example.com', 'ann:a@b:c'],
  ['https://ann:100%@example.com/a.git', 'https://example.com/a.git', 'example.com', 'ann:100%'],
]

for (const [url, shown, host, pair] of cases) {
  test(`${url}: user and password are a build secret for the host`, () => {
    for (const build of [`"${url}"`, `{context: "${shown}", additional_contexts: {lib: "${url}"}}`]) {
      const solve = C.valueOf(solved(build))
      assert.is(solve?.frontend.get(build.startsWith('{') ? 'context:lib' : 'context'), shown)
      const source = { _tag: 'Value', value: header(pair) }
      assert.equal(solve?.secrets, [{ id: `GIT_AUTH_HEADER.${host}`, source }])
    }
  })
}

test('a secret of that name in the file wins', () => {
  const url = 'https://ann:word@example.com/a.git'
  const image = imageOf(`"${url}"`)
  const flags = { ...facts.flags, secrets: ['id=GIT_AUTH_HEADER.example.com,env=MINE'] }
  const solve = C.valueOf(solveOf(image, { ...facts, flags, variables: () => 'basic bWluZQ==' }))
  assert.equal(
    solve?.secrets.map(({ source }) => source),
    [{ _tag: 'Value', value: 'basic bWluZQ==' }],
  )
})

test('another password is the same content', () => {
  const hashOf = (url: string): string =>
    contentHash(imageOf(`"${url}"`), { ...facts, contexts: new Map(), dockerfile: '' })
  assert.is(hashOf('https://ann:one@example.com/a.git'), hashOf('https://ann:two@example.com/a.git'))
})

for (const url of [
  'https://ann:hunter@example.com/a.tar.gz',
  'ssh://git:hunter@example.com/a.git',
  'git://t:w@example.com/a',
]) {
  test(`${url.split('@').pop()}: a URL whose password a builder would show is refused, without it`, () => {
    const written = translateFiles({ 'compose.yaml': `services: {web: {build: "${url}"}}\n` }).findings
    assert.equal(
      written.map(({ code, severity }) => [code, severity]),
      [['DT4031', 'error']],
    )
    assert.not.match(JSON.stringify(written), /hunter|t:w/)
  })
}

test('the user of SSH is no secret', () => {
  for (const url of ['ssh://git@example.com/a.git', 'git@example.com:a/b.git']) {
    assert.is(C.valueOf(solved(`"${url}"`))?.frontend.get('context'), url)
  }
})

test.run()
