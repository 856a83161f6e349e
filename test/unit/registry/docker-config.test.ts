/** The Docker configuration, as it is found on machines. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  credentialKey,
  type DockerConfig,
  emptyDockerConfig,
  readDockerConfig,
  sourceOf,
} from '../../../src/domain/build/docker-config.ts'
import * as C from '../../../src/domain/checked.ts'

const PATH = '/home/dev/.docker/config.json'
const base64 = (text: string): string => Buffer.from(text).toString('base64')

const read = (json: unknown): DockerConfig => {
  const checked = readDockerConfig(PATH, JSON.stringify(json))
  assert.equal(C.findings(checked), [])
  return C.valueOf(checked) ?? emptyDockerConfig
}

test('every name of Docker Hub has the same key', () => {
  const names = ['docker.io', 'index.docker.io', 'registry-1.docker.io', 'https://index.docker.io/v1/']
  assert.equal([...new Set(names.map(credentialKey))], ['https://index.docker.io/v1/'])
  assert.is(credentialKey('https://Registry.example.com:5000/v2/'), 'registry.example.com:5000')
})

test('an entry of auths is read in every form that Docker writes', () => {
  const { credentials } = read({
    auths: {
      'a.example.com': { auth: base64('me:pass:word') },
      'https://b.example.com/v1/': { username: 'me', password: 'päss' },
      'c.example.com': { auth: base64('<token>:'), identitytoken: 'identity' },
      'd.example.com': { registrytoken: 'given' },
      'e.example.com': {},
      'f.example.com': { auth: base64('me:padded\0\0') },
      'g.example.com': { auth: base64('00000000-0000-0000-0000-000000000000:'), identitytoken: '' },
    },
    detachKeys: 'ctrl-e,e',
    HttpHeaders: { 'X-Meta': 'some' },
  })
  assert.equal(Object.fromEntries(credentials), {
    'a.example.com': { username: 'me', secret: 'pass:word' },
    'b.example.com': { username: 'me', secret: 'päss' },
    'c.example.com': { username: '', secret: 'identity' },
    'd.example.com': { username: '', secret: '', registryToken: 'given' },
    'f.example.com': { username: 'me', secret: 'padded' },
    'g.example.com': { username: '00000000-0000-0000-0000-000000000000', secret: '' },
  })
})

test('an exact name takes precedence over an address of the same host', () => {
  const entry = (who: string): object => ({ auth: base64(`${who}:x`) })
  for (const auths of [
    { 'a.example.com': entry('exact'), 'https://a.example.com/v1/': entry('address') },
    { 'https://a.example.com/v1/': entry('address'), 'a.example.com': entry('exact') },
  ]) {
    assert.is(sourceOf(read({ auths }), 'a.example.com').stored?.username, 'exact')
  }
})

test('the helper of a registry takes precedence over the general one', () => {
  const config = read({ credsStore: 'desktop', credHelpers: { 'a.example.com': 'cloud', 'docker.io': 'hub' } })
  const helper = (host: string): string | undefined => sourceOf(config, host).helper
  assert.equal(['a.example.com', 'b.example.com', 'registry-1.docker.io'].map(helper), ['cloud', 'desktop', 'hub'])
})

test('unexpected entries are skipped', () => {
  for (const json of [{ auths: [] }, { auths: 'x', credsStore: '' }, { credHelpers: { a: 1 }, credsStore: {} }, {}]) {
    assert.equal(read(json), emptyDockerConfig)
  }
})

test('a byte order mark is accepted', () => {
  assert.equal(C.valueOf(readDockerConfig(PATH, '\ufeff{}')), emptyDockerConfig)
})

const secret = 'c2VjcmV0OnNlY3JldA=='
const damaged: Readonly<Record<string, readonly [text: string, place: string | undefined]>> = {
  'cut off': [`{"auths": {\n  "a.example.com": {"auth": "${secret}"`, '2:51'],
  'no comma': [`{\n"a": "${secret}" "b": 1}`, '2:29'],
  'no value': ['', '1:1'],
  'no object': [`["${secret}"]`, undefined],
  'an entry that is no base64': [`{"auths": {"a.example.com": {"auth": "!${secret}"}}}`, undefined],
  'an entry without a colon': [`{"auths": {"a.example.com": {"auth": "${base64('no colon')}"}}}`, undefined],
  'an entry that is a text': [`{"auths": {"a.example.com": "${secret}"}}`, undefined],
}
for (const [title, [text, place]] of Object.entries(damaged)) {
  test(`${title}: a warning with the place, never with the text`, () => {
    const [found, ...more] = C.findings(readDockerConfig(PATH, text))
    assert.equal([found?.code, found?.severity, more], ['DT4030', 'warning', []])
    assert.is(found?.at === undefined ? undefined : `${found.at.line}:${found.at.col}`, place)
    assert.match(JSON.stringify(found), PATH)
    for (const hidden of [secret, 'no colon', base64('no colon')]) assert.not.match(JSON.stringify(found), hidden)
  })
}

test.run()
