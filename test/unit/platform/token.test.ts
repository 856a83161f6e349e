import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { allows, readScope, roleWithin, type Scope, showScope } from '../../../src/domain/platform/scope.ts'
import { hashOf, isSameHash, readToken, showToken, TOKEN_BYTES, tokenFrom } from '../../../src/domain/platform/token.ts'

const bytes = fc.uint8Array({ minLength: TOKEN_BYTES, maxLength: TOKEN_BYTES })
const shown = 'dvt_1tvq6ktn8q2p_'

test('a token that is shown is read again', () => {
  fc.assert(
    fc.property(bytes, (random) => {
      const token = tokenFrom(random)
      assert.equal(readToken(showToken(token)), token)
      assert.match(showToken(token), /^dvt_[0-9a-z]{12}_[0-9A-Za-z]{38}$/)
    }),
  )
})

test('a token with one changed character is invalid', () => {
  fc.assert(
    fc.property(bytes, fc.nat(), fc.constantFrom('0', 'a', 'Z', '_', '-', 'é'), (random, place, character) => {
      const text = showToken(tokenFrom(random))
      const at = place % text.length
      fc.pre(text[at] !== character)
      assert.is(readToken(text.slice(0, at) + character + text.slice(at + 1)), undefined)
    }),
  )
})

test('different bytes give different tokens, with different hashes', () => {
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      fc.pre(a.subarray(16).join() !== b.subarray(16).join())
      assert.is.not(hashOf(tokenFrom(a)), hashOf(tokenFrom(b)))
    }),
  )
})

// The checksum is that of `zlib.crc32`; it is published with the tokens, so it must not change.
test('the text of a token is the same in every release', () => {
  const text = showToken(tokenFrom(new Uint8Array(TOKEN_BYTES).fill(1)))
  assert.ok(text.startsWith(shown), text)
  assert.is(text, 'dvt_1tvq6ktn8q2p_d8j2VgXSABOw7RzyNqrbp5D9ERWrWD290djX3m')
})

test('hashes are compared whole', () => {
  assert.ok(isSameHash('abc', 'abc'))
  assert.not.ok(isSameHash('abc', 'abd'))
  assert.not.ok(isSameHash('abc', 'ab'))
  assert.not.ok(isSameHash('ab', 'abc'))
  assert.not.ok(isSameHash('', 'a'))
})

test('scopes are read as they are printed, and nothing else is a scope', () => {
  const scopes: ReadonlyArray<Scope> = [{ _tag: 'All' }, { _tag: 'Read' }, { _tag: 'Namespace', namespace: 'shop' }]
  for (const scope of scopes) assert.equal(readScope(showScope(scope)), scope)
  for (const text of ['', 'ALL', 'namespace:', 'namespace:A', 'namespace:a/b', 'write']) {
    assert.is(readScope(text), undefined, text)
  }
})

test('a scope allows what it names', () => {
  const shop: Scope = { _tag: 'Namespace', namespace: 'shop' }
  assert.ok(allows({ _tag: 'All' }, { isRead: false }))
  assert.ok(allows({ _tag: 'Read' }, { isRead: true, namespace: 'shop' }))
  assert.not.ok(allows({ _tag: 'Read' }, { isRead: false, namespace: 'shop' }))
  assert.ok(allows(shop, { isRead: false, namespace: 'shop' }))
  assert.not.ok(allows(shop, { isRead: true, namespace: 'shop2' }))
  assert.not.ok(allows(shop, { isRead: true }))
})

test('a scope never leaves more than the role of the user, and nothing outside of its namespace', () => {
  const of = (namespace: string): Scope => ({ _tag: 'Namespace', namespace })
  for (const role of ['viewer', 'member', 'owner'] as const) {
    assert.is(roleWithin({ _tag: 'All' }, 'shop', role), role)
    assert.is(roleWithin({ _tag: 'Read' }, 'shop', role), 'viewer')
    assert.is(roleWithin(of('shop'), 'shop', role), role)
    assert.is(roleWithin(of('other'), 'shop', role), undefined)
  }
})

test.run()
