/** References of images as registries take them. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseReference, showReference, splitReference } from '../../../src/domain/build/reference.ts'

const digest = `sha256:${'0a'.repeat(32)}`

const full: Readonly<Record<string, string>> = {
  web: 'docker.io/library/web:latest',
  'web:1.0': 'docker.io/library/web:1.0',
  'team/web': 'docker.io/team/web:latest',
  'docker.io/web': 'docker.io/library/web:latest',
  'index.docker.io/web': 'docker.io/library/web:latest',
  'registry-1.docker.io/team/web:2': 'docker.io/team/web:2',
  'localhost/web': 'localhost/web:latest',
  'localhost:5000/web': 'localhost:5000/web:latest',
  'registry.example.com/a/b/c:d': 'registry.example.com/a/b/c:d',
  '[::1]:5000/web:1': '[::1]:5000/web:1',
  [`web@${digest}`]: `docker.io/library/web@${digest}`,
  [`registry.example.com:5000/web:1@${digest}`]: `registry.example.com:5000/web:1@${digest}`,
}
for (const [written, meant] of Object.entries(full)) {
  test(`${written} is ${meant}`, () => {
    const read = parseReference(written)
    assert.equal(E.map(showReference)(read), E.right(meant))
    assert.equal(E.chain(parseReference)(E.map(showReference)(read)), read)
  })
}

test('an invalid reference is an error', () => {
  for (const text of ['', 'UPPER', 'web:', 'web@sha256:1', 'a//b', 'http://registry.example.com/web']) {
    assert.ok(E.isLeft(parseReference(text)), text)
  }
})

test('a reference keeps the host, repository, tag and digest as written', () => {
  assert.equal(splitReference('web'), { registry: '', repository: 'web' })
  assert.equal(splitReference(`localhost:5000/a/b:1@${digest}`), {
    registry: 'localhost:5000',
    repository: 'a/b',
    tag: '1',
    digest,
  })
})

test.run()
