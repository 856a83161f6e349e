import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { publicUrl, repositoryIdentity, withMaskedCredentials } from '../../../src/domain/text/public-url.ts'

test('user info and query of every URL in a text are left out', () => {
  const cases = [
    ['https://me:s3cret@example.com/a.git', 'https://example.com/a.git'],
    ['https://t0ken@example.com', 'https://example.com'],
    ['https://me:p@ss@example.com/a', 'https://example.com/a'],
    ['see https://example.com/a?token=x#y, then ssh://git@b/c', 'see https://example.com/a#y, then ssh://b/c'],
    ["fatal: 'https://a:b@c/d/': 403", "fatal: 'https://c/d/': 403"],
    ['git@example.com:a/b', 'git@example.com:a/b'],
    ['tcp://10.0.0.1:1234', 'tcp://10.0.0.1:1234'],
  ]
  for (const [text = '', shown = ''] of cases) assert.is(publicUrl(text), shown)
})

test('no password of a URL is in what is shown of a text', () => {
  const word = fc.stringMatching(/^[a-z0-9%$!.-]{3,12}$/)
  const property = fc.property(word, word, fc.string(), (user, password, before) => {
    const secret = `Q${password}Q`
    const text = `${before.replaceAll('@', '')} https://${user}:${secret}@example.com/x?key=${secret} end`
    assert.not.ok(publicUrl(text).includes(secret))
    const masked = withMaskedCredentials(`a: https://${user}:${secret}@example.com/x`)
    assert.not.ok(masked.includes(secret))
    assert.is(masked.length, `a: https://${user}:${secret}@example.com/x`.length)
  })
  fc.assert(property)
})

test('credentials in a text are masked in place', () => {
  const cases = [
    ['git clone https://t0ken@example.com/a', 'git clone https://*****@example.com/a'],
    ['https://me:p@ss@example.com/a', 'https://*******@example.com/a'],
    ['x://host/a?sv=2020&sig=aB%3d&page=2#top', 'x://host/a?sv=2020&sig=*****&page=2#top'],
    ['?ACCESS_TOKEN=abc&client_secret=def', '?ACCESS_TOKEN=***&client_secret=***'],
    ['me@example.com a://host/b@c', 'me@example.com a://host/b@c'],
  ]
  for (const [text = '', shown = ''] of cases) assert.is(withMaskedCredentials(text), shown)
})

test('long texts are masked in linear time', () => {
  const count = 200_000
  for (const piece of ['//a', '?key', '?key=', '&a', '//@', 'key']) {
    const text = piece.repeat(count)
    assert.is(withMaskedCredentials(text).length, text.length)
  }
})

test('a path of this machine is the same with and without the endings of git', () => {
  const same = ['/srv/api', '/srv/api/', '/srv/api.git', '/srv/api.git/', '/srv/api/.git', 'file:///srv/api.git']
  assert.equal([...new Set(same.map(repositoryIdentity))], ['/srv/api'])
})

test('addresses of one repository are one, whichever way git reaches it', () => {
  const same = [
    'https://Example.com/shop/api.git',
    'https://me:pw@example.com/shop/api',
    'ssh://git@example.com:2222/shop/api.git/',
    'git@example.com:shop/api.git',
    'example.com:shop/api',
  ]
  assert.equal([...new Set(same.map(repositoryIdentity))], ['example.com/shop/api'])
  const others = ['https://example.com/shop/Api', 'https://example.com/api', 'https://example.org/shop/api', '/srv/api']
  assert.is(new Set([...others, same[0] ?? ''].map(repositoryIdentity)).size, 5)
  assert.is(repositoryIdentity(repositoryIdentity(same[0] ?? '')), 'example.com/shop/api')
})

test.run()
