import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { addressing } from '../../../src/adapters/api-server/address.ts'
import { limiter } from '../../../src/app/platform/limiter.ts'
import { readUserCode, showUserCode, userCodeFrom } from '../../../src/domain/platform/login/user-code.ts'
import { wordOf } from '../../../src/domain/platform/login/word.ts'
import { readSettings } from '../../../src/domain/platform/settings.ts'
import { clientNetwork, isNetwork } from '../../../src/domain/text/ip.ts'

const good = {
  DEVTOOL_URL: 'https://devtool.example.com',
  DEVTOOL_OIDC_ISSUER: 'https://login.example.com/realms/a',
  DEVTOOL_OIDC_CLIENT: 'devtool',
}
const own = { version: '1.0.0', server: 'https://10.0.0.1', authority: 'PEM' }

const read = (more: Readonly<Record<string, string>> = {}) => {
  const env: Readonly<Record<string, string | undefined>> = { ...good, ...more }
  return readSettings((name) => env[name], own)
}

test('settings are read as lists and addresses, with defaults from the cluster', () => {
  const found = read({
    DEVTOOL_ADMINS: 'ann@example.com, ben@example.com',
    DEVTOOL_ALLOWED_DOMAINS: 'example.com',
    DEVTOOL_TRUSTED_PROXIES: '10.0.0.0/8,fd00::/8',
  })
  assert.ok(found._tag === 'Right')
  const { admission, kubernetes, proxies } = found.right
  assert.equal(admission, { admins: ['ann@example.com', 'ben@example.com'], domains: ['example.com'], groups: [] })
  assert.equal(proxies, ['10.0.0.0/8', 'fd00::/8'])
  assert.is(kubernetes.server, 'https://10.0.0.1')
  assert.is(found.right.previewSeconds, 604_800)
})

test('invalid settings are named', () => {
  const wrong: ReadonlyArray<readonly [Readonly<Record<string, string>>, string]> = [
    [{ DEVTOOL_URL: 'devtool.example.com' }, 'DEVTOOL_URL'],
    [{ DEVTOOL_URL: 'https://devtool.example.com/path' }, 'DEVTOOL_URL'],
    [{ DEVTOOL_OIDC_ISSUER: '' }, 'DEVTOOL_OIDC_ISSUER'],
    [{ DEVTOOL_OIDC_ISSUER: 'http://login.example.com' }, 'DEVTOOL_INSECURE_ISSUER'],
    [{ DEVTOOL_OIDC_CLIENT: '' }, 'DEVTOOL_OIDC_CLIENT'],
    [{ DEVTOOL_TRUSTED_PROXIES: '10.0.0.0/33' }, 'DEVTOOL_TRUSTED_PROXIES'],
    [{ DEVTOOL_PREVIEW_TTL: '7d' }, 'DEVTOOL_PREVIEW_TTL'],
    [{ DEVTOOL_RELEASE_URL: 'http://releases.example.com' }, 'DEVTOOL_RELEASE_URL'],
    [{ DEVTOOL_RELEASE_URL: 'https://releases.example.com/$(id)' }, 'DEVTOOL_RELEASE_URL'],
  ]
  for (const [more, name] of wrong) {
    const found = read(more)
    assert.ok(found._tag === 'Left', name)
    assert.is(found.left.code, 'DT6011')
    assert.match(found.left.message, name)
  }
  const insecure = read({ DEVTOOL_OIDC_ISSUER: 'http://login.example.com', DEVTOOL_INSECURE_ISSUER: 'true' })
  assert.is(insecure._tag, 'Right')
})

test('an address is that of the connection, unless a trusted proxy says otherwise', () => {
  const none = addressing([])
  assert.is(none('192.0.2.1', '198.51.100.7'), '192.0.2.1')
  // Of an Ingress controller in the cluster, only what it has seen itself.
  assert.is(none('10.1.2.3', '198.51.100.7'), '198.51.100.7')
  assert.is(none('::ffff:10.1.2.3', '203.0.113.5, 10.9.9.9'), '10.9.9.9')
  assert.is(none('10.1.2.3', 'nonsense'), '10.1.2.3')
  const one = addressing(['10.0.0.0/8', 'fd00::/8', '192.0.2.9'])
  assert.is(one('192.0.2.1', '198.51.100.7'), '192.0.2.1')
  assert.is(one('10.1.2.3', '198.51.100.7'), '198.51.100.7')
  assert.is(one('::ffff:10.1.2.3', '198.51.100.7'), '198.51.100.7')
  assert.is(one('fd00::1', '203.0.113.5, 198.51.100.7'), '198.51.100.7')
  assert.is(one('10.1.2.3', '203.0.113.5, 198.51.100.7, 192.0.2.9'), '198.51.100.7')
  assert.is(one('10.1.2.3', '10.9.9.9'), '10.9.9.9')
  assert.is(one('10.1.2.3', '203.0.113.5, 198.51.100.7:4711'), '198.51.100.7')
  assert.is(one('10.1.2.3', '"[2001:db8::7]:4711", 192.0.2.9:80'), '2001:db8::7')
  assert.is(one('10.1.2.3', '[2001:db8::7%eth0]'), '2001:db8::7')
  // Whoever sends this cannot choose an address.
  assert.is(one('10.1.2.3', '203.0.113.5, unknown'), '10.1.2.3')
  assert.is(one('10.1.2.3', '203.0.113.5, unknown, 192.0.2.9'), '192.0.2.9')
  assert.is(one('10.1.2.3', 'nonsense'), '10.1.2.3')
  assert.is(one('10.1.2.3'), '10.1.2.3')
})

test('a client has an IPv4 address, or a /64 of IPv6', () => {
  assert.is(clientNetwork('192.0.2.1'), '192.0.2.1')
  assert.is(clientNetwork('2001:db8::7'), '2001:db8:0:0::/64')
  assert.is(clientNetwork('2001:0DB8:0:0:ffff::1'), '2001:db8:0:0::/64')
  assert.is(clientNetwork('2001:db8:0:1::'), '2001:db8:0:1::/64')
  assert.is(clientNetwork('64:ff9b::192.0.2.1'), '64:ff9b:0:0::/64')
  assert.is(clientNetwork('1:2:3:4:5:6:192.0.2.1'), '1:2:3:4::/64')
  assert.is(clientNetwork('::1'), '0:0:0:0::/64')
  assert.is(clientNetwork(''), '')
})

test('a client that has used up its requests gets no more, however many other clients there are', () => {
  let nowMs = 0
  const may = limiter({ perSecond: 1, burst: 3 }, { now: () => nowMs }, 100)
  const passed = (key: string, times: number): number =>
    Array.from({ length: times }, () => may(key)).filter(Boolean).length
  assert.is(passed('ann', 5), 3)
  // These have a bucket each, as long as there is room, and one together afterwards.
  const others = Array.from({ length: 10_000 }, (_, at) => passed(`other ${at}`, 1)).reduce((sum, one) => sum + one)
  assert.is(others, 99 + 3)
  assert.is(passed('ann', 5), 0)
  nowMs = 10_000
  assert.is(passed('new', 5), 3)
  assert.is(passed('ann', 5), 3)
})

test('networks are addresses with a valid prefix length', () => {
  for (const text of ['10.0.0.0/8', '192.0.2.1', '::/0', 'fd00::/8']) assert.ok(isNetwork(text), text)
  for (const text of ['10.0.0.0/33', '10.0.0/8', 'fd00::/129', '', 'all', '10.0.0.0/'])
    assert.not(isNetwork(text), text)
})

test('a user code is read in any notation, and a wrong letter is noticed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), fc.nat(7), fc.nat(18), (bytes, at, shift) => {
      const code = userCodeFrom(bytes)
      assert.is(readUserCode(showUserCode(code)), code)
      assert.is(readUserCode(` ${code.toLowerCase()} `), code)
      const letters = 'BCDFGHJKLMNPQRSTVWXZ'
      const other = letters.charAt((letters.indexOf(code.charAt(at)) + 1 + shift) % letters.length)
      const typo = code.slice(0, at) + other + code.slice(at + 1)
      const isNoticed = readUserCode(typo) === undefined
      // Two letters have the same remainder.
      if (!['B', 'Z'].includes(other) || !['B', 'Z'].includes(code.charAt(at))) assert.ok(isNoticed, `${code} ${typo}`)
    }),
  )
})

test('the confirmation word consists of two words, the same on both sides', () => {
  assert.match(wordOf('a'), /^[a-z]+-[a-z]+$/)
  assert.is(wordOf('a'), wordOf('a'))
  assert.is.not(wordOf('a'), wordOf('b'))
})

test.run()
