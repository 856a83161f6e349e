/** Which proxy is between us and a server. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isExcepted } from '../../../src/adapters/http/no-proxy.ts'
import { proxyOf, showProxy } from '../../../src/adapters/http/proxy.ts'

const behind = { HTTPS_PROXY: 'http://p:1' }

for (const [server, env, expected] of [
  ['https://a.example', behind, 'http://p:1'],
  ['https://a.example', { https_proxy: 'p:1' }, 'http://p:1'],
  ['https://a.example', { HTTPS_PROXY: '', https_proxy: 'http://p:1' }, 'http://p:1'],
  ['https://a.example', { HTTPS_PROXY: 'http://p:1', https_proxy: 'http://q:1' }, 'http://p:1'],
  ['https://a.example', { HTTP_PROXY: 'http://p:1' }, undefined],
  ['http://a.example', { HTTP_PROXY: 'http://p:1' }, 'http://p:1'],
  ['http://a.example', behind, undefined],
  ['https://a.example', { ALL_PROXY: 'socks5h://p:1' }, 'socks5h://p:1'],
  ['https://a.example', { all_proxy: 'socks5://u:pw@p:1', http_proxy: 'http://q' }, 'socks5://p:1'],
  ['http://a.example', { ALL_PROXY: 'socks5://p:1', HTTP_PROXY: 'http://q:1' }, 'http://q:1'],
  ['https://a.example', { HTTPS_PROXY: 'https://p:8443' }, 'https://p:8443'],
  ['https://127.0.0.1:6443', behind, undefined],
  ['https://127.8.9.1:6443', behind, undefined],
  ['https://[::1]:6443', behind, undefined],
  ['https://localhost', behind, undefined],
  ['https://localhost.example', behind, 'http://p:1'],
  ['https://a.example', { ...behind, no_proxy: 'a.example' }, undefined],
  ['https://a.example:8443', { ...behind, NO_PROXY: 'a.example:443' }, 'http://p:1'],
  ['https://a.example', { ...behind, NO_PROXY: 'a.example:443' }, undefined],
] as const) {
  test(`${server} is reached through ${expected ?? 'no proxy'} with ${JSON.stringify(env)}`, () => {
    const proxy = proxyOf(new URL(server), env)
    assert.equal(E.map((url: URL | undefined) => url && showProxy(url))(proxy), E.right(expected))
  })
}

test('a variable that is not the URL of a proxy is named, and its password is not shown', () => {
  for (const value of ['http://me:geheim@', 'ftp://me:geheim@p:1', 'http://me:geheim@p:99999', 'me:geheim@ p']) {
    const proxy = proxyOf(new URL('https://a.example'), { HTTPS_PROXY: value })
    assert.ok(E.isLeft(proxy) && proxy.left.includes('HTTPS_PROXY') && !proxy.left.includes('geheim'), value)
  }
})

for (const [host, noProxy, expected] of [
  ['a.example', '*', true],
  ['a.example', 'example', true],
  ['example', 'example', true],
  ['A.Example', 'eXample', true],
  ['a.example.', 'a.example', true],
  ['xexample', 'example', false],
  ['a.example', '.example', true],
  ['example', '.example', false],
  ['a.example', '*.example', true],
  ['example', '*.example', false],
  ['a.example', 'b.example, a.example', true],
  ['a.example', 'b.example a.example', true],
  ['a.example', '', false],
  ['a.example', ' , ', false],
  ['a.example', ':443', false],
  ['a.example', 'a.example:443', true],
  ['a.example', 'a.example:80', false],
  ['a.example', '.example:443', true],
  ['10.1.2.3', '10.1.2.3', true],
  ['10.1.2.3', '10.1.2.3:443', true],
  ['10.1.2.3', '10.1.2.3:80', false],
  ['10.1.2.3', '.3', false],
  ['10.1.2.3', '2.3', false],
  ['10.1.2.3', '10.1.2.30', false],
  ['10.1.2.3', '10.1.2.4/30', false],
  ['10.1.2.3', '10.1.2.3/33', false],
  ['10.1.2.3', '::/0', false],
  ['a.example', '0.0.0.0/0', false],
  ['[2001:db8::1]', '2001:db8:0::1', true],
  ['[2001:db8::1]', '[2001:db8::1]', true],
  ['[2001:db8::1]', '[2001:db8::1]:443', true],
  ['[2001:db8::1]', '[2001:db8::1]:80', false],
  ['[2001:db8::1]', '2001:db8::/32', true],
  ['[2001:db9::1]', '2001:db8::/32', false],
  ['[2001:db9::1]', '2001:db8::/31', true],
] as const) {
  test(`NO_PROXY "${noProxy}" ${expected ? 'excepts' : 'does not except'} ${host}`, () => {
    assert.is(isExcepted(noProxy, { host, port: '443' }), expected)
  })
}

/** The bits of an address, the first one first. */
const bitsOf = (groups: ReadonlyArray<number>, size: number): string =>
  groups.map((group) => group.toString(2).padStart(size, '0')).join('')

const flip = (bit: string): string => (bit === '0' ? '1' : '0')

const kinds = [
  { name: 'IPv4', groups: 4, size: 8, show: (groups: ReadonlyArray<number>) => groups.join('.') },
  {
    name: 'IPv6',
    groups: 8,
    size: 16,
    show: (groups: ReadonlyArray<number>) => groups.map((group) => group.toString(16)).join(':'),
  },
] as const

for (const { groups, name, show, size } of kinds) {
  const total = groups * size
  const group = fc.nat(2 ** size - 1)
  const address = fc.array(group, { minLength: groups, maxLength: groups })
  const groupsOf = (bits: string): ReadonlyArray<number> =>
    Array.from({ length: groups }, (_, at) => Number.parseInt(bits.slice(at * size, (at + 1) * size), 2))

  test(`a network in NO_PROXY excepts exactly the ${name} addresses within it`, () =>
    fc.assert(
      fc.property(address, address, fc.nat(total), (net, other, length) => {
        const [from, rest] = [bitsOf(net, size), bitsOf(other, size)]
        const pattern = `${show(net)}/${length}`
        const excepts = (bits: string): boolean => isExcepted(pattern, { host: show(groupsOf(bits)), port: '443' })
        assert.ok(excepts(from.slice(0, length) + rest.slice(length)))
        if (length === 0) return
        const outside = from.slice(0, length - 1) + flip(from.charAt(length - 1)) + rest.slice(length)
        assert.not(excepts(outside))
      }),
    ))
}

test.run()
