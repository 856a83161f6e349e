import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { closest, suggestion } from '../../../src/domain/text/suggest.ts'

const KEYS = ['depends_on', 'environment', 'env_file', 'image', 'ports', 'volumes', 'cpus', 'x']

const CASES: ReadonlyArray<readonly [string, string | undefined]> = [
  ['image', 'image'],
  ['imgae', 'image'],
  ['iamge', 'image'],
  ['img', undefined],
  ['port', 'ports'],
  ['enviroment', 'environment'],
  ['ENVIRONMENT', 'environment'],
  ['depends-on', 'depends_on'],
  ['dependsOn', 'depends_on'],
  ['DEPENDS-ON', 'depends_on'],
  ['env-files', 'env_file'],
  ['cpu', 'cpus'],
  ['X', 'x'],
  ['y', undefined],
  ['', undefined],
  ['something', undefined],
]

for (const [word, expected] of CASES) {
  test(`the closest to "${word}" is ${expected ?? 'nothing'}`, () => {
    assert.is(closest(word, KEYS), expected)
  })
}

test('of equally close candidates the first wins', () => {
  assert.is(closest('bat', ['cat', 'hat', 'rat']), 'cat')
  assert.is(closest('bat', ['hat', 'cat']), 'hat')
})

test('a difference of case is closer than another letter', () => {
  assert.is(closest('Web', ['wed', 'web']), 'web')
  assert.is(closest('my-web', ['my_wed', 'my_web']), 'my_web')
})

test('a transposition counts one', () => {
  assert.is(closest('abc', ['bac']), 'bac')
})

test('long words are not compared', () => {
  const long = 'a'.repeat(10_000)
  assert.is(closest(long, [long]), undefined)
  assert.is(closest('image', [long, 'image']), 'image')
})

test('the help for an unknown name is the closest one, else all that there are', () => {
  assert.is(suggestion('wbe', ['web', 'db'], 'none'), 'did you mean "web"?')
  assert.is(suggestion('cache', ['web', 'db'], 'none'), 'there are web and db')
  assert.is(suggestion('cache', ['web'], 'none'), 'there is only web')
  assert.is(suggestion('cache', [], 'none'), 'none')
})

test.run()
