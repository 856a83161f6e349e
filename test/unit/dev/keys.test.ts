import ssh2 from 'ssh2'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { newPair } from '../../../src/adapters/ssh/keys.ts'
import { keyData, keysIn, mountedKeys } from '../../../src/domain/dev/keys.ts'
import { realLinks } from '../../support/dev/links.ts'

const secretOf = (data: Readonly<Record<string, string>>) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'keys', uid: '1', resourceVersion: '1' },
  data,
})

test('every pair of keys can be read, including those that begin with a zero byte', () => {
  for (let left = 1500; left > 0; left -= 1) {
    const { private: secret, public: open } = newPair()
    assert.not.instance(ssh2.utils.parseKey(secret), Error)
    assert.not.instance(ssh2.utils.parseKey(open), Error)
  }
})

test('the Secret contains the private key of the client and the public key of the host', async () => {
  const keys = await realLinks.newKeys()
  assert.equal(keysIn(secretOf(keyData(keys))), { client: keys.client.private, host: keys.host.public })
})

test('a Secret without keys, or with invalid ones, has none', async () => {
  const { client_key: _none, ...without } = keyData(await realLinks.newKeys())
  assert.is(keysIn(secretOf({})), undefined)
  assert.is(keysIn(secretOf(without)), undefined)
  assert.is(keysIn(secretOf({ ...without, client_key: '?' })), undefined)
})

test('the private key of the client is not mounted into the container', async () => {
  const data = keyData(await realLinks.newKeys())
  for (const name of mountedKeys) assert.ok(name in data)
  assert.equal(mountedKeys, ['host_key', 'client_key.pub'])
})

test.run()
