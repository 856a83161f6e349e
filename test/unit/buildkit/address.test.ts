import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type BuilderAddress, readBuilder } from '../../../src/domain/build/address.ts'
import * as C from '../../../src/domain/checked.ts'

const good: ReadonlyArray<readonly [text: string, address: BuilderAddress]> = [
  ['tcp://buildkit:1234', { _tag: 'Tcp', host: 'buildkit', port: 1234 }],
  ['TCP://buildkit:1234/', { _tag: 'Tcp', host: 'buildkit', port: 1234 }],
  ['buildkit.example.com:443', { _tag: 'Tcp', host: 'buildkit.example.com', port: 443 }],
  ['127.0.0.1:8372', { _tag: 'Tcp', host: '127.0.0.1', port: 8372 }],
  ['tcp://[::1]:1234', { _tag: 'Tcp', host: '::1', port: 1234 }],
  ['[fe80::1]:1234', { _tag: 'Tcp', host: 'fe80::1', port: 1234 }],
  [' localhost:1234\n', { _tag: 'Tcp', host: 'localhost', port: 1234 }],
  ['unix:///run/buildkit/buildkitd.sock', { _tag: 'Unix', path: '/run/buildkit/buildkitd.sock' }],
  ['unix:///with space/ü?x', { _tag: 'Unix', path: '/with space/ü?x' }],
  ['kube-pod://buildkitd-0', { _tag: 'KubePod', pod: 'buildkitd-0', port: 1234 }],
  ['kube-pod://buildkitd?container=a&namespace=', { _tag: 'KubePod', pod: 'buildkitd', port: 1234 }],
  [
    'kube-pod://buildkitd/?namespace=ci&context=admin%40dev&port=8372',
    { _tag: 'KubePod', pod: 'buildkitd', port: 8372, namespace: 'ci', context: 'admin@dev' },
  ],
  ['docker', { _tag: 'Docker' }],
]

for (const [text, address] of good) {
  test(`${JSON.stringify(text)} is an address`, () => {
    assert.equal(readBuilder(text, 'BUILDKIT_HOST'), C.ok(address))
  })
}

const bad: ReadonlyArray<readonly [text: string, message: RegExp, help: RegExp]> = [
  ['buildkit', /^BUILDKIT_HOST: "buildkit" has no port$/, /tcp:\/\/buildkit:1234/],
  ['', /has no host/, /tcp:\/\/HOST:PORT, HOST:PORT, unix:\/\/\/PATH, kube-pod:\/\/POD, or docker/],
  ['tcp://', /has no host/, /HOST:PORT/],
  ['tcp://:1234', /has no host/, /HOST:PORT/],
  ['tcp://host:0', /no port from 1 to 65535/, /HOST:PORT/],
  ['tcp://host:65536', /no port from 1 to 65535/, /HOST:PORT/],
  ['tcp://host:12x', /no port from 1 to 65535/, /HOST:PORT/],
  ['tcp://host/path:1', /has no host/, /HOST:PORT/],
  ['-host:1234', /has no host/, /HOST:PORT/],
  ['::1:1234', /is not a valid address/, /in brackets/],
  ['tcp://[zz]:1234', /has no host/, /HOST:PORT/],
  ['unix://run/sock', /no absolute path/, /three slashes/],
  ['unix:///', /no absolute path/, /three slashes/],
  ['kube-pod://', /has no pod name/, /kube-pod:\/\/POD/],
  ['kube-pod://Pod_1', /has no pod name/, /kube-pod:\/\/POD/],
  ['kube-pod://a?namespace=A_b', /namespace/, /HOST:PORT/],
  ['kube-pod://a?node=b', /"node"/, /namespace, context, container, port/],
  ['kube-pod://a?context=%zz', /cannot be decoded/, /HOST:PORT/],
  ['kube-pod://a?port=0', /no port/, /HOST:PORT/],
  ['docker-container://buildkitd', /is a container/, /docker run -p .*tcp:\/\/127\.0\.0\.1:1234/],
  ['podman-container://buildkitd', /is a container/, /podman run -p .*tcp:\/\/127\.0\.0\.1:1234/],
  ['https://me:secret@buildkit.example.com:443/x', /is a URL/, /^write tcp:\/\/buildkit\.example\.com:443$/],
  ['ssh://host', /is an address for ssh/, /DOCKER_HOST/],
  ['npipe:////./pipe/x', /unknown scheme/, /unix:\/\/\/PATH/],
]

for (const [text, message, help] of bad) {
  test(`${JSON.stringify(text)} is not an address`, () => {
    const checked = readBuilder(text, 'BUILDKIT_HOST')
    assert.is(C.valueOf(checked), undefined)
    const [found] = C.findings(checked)
    assert.is(found?.code, 'DT4020')
    assert.match(found?.message ?? '', message)
    assert.match(found?.help ?? '', help)
  })
}

test('a mistake in an address is reported at its place, without the password', () => {
  const [found] = C.findings(readBuilder('tcp://me:s3cret@host:1234', '--builder'))
  assert.match(found?.message ?? '', /^--builder: "tcp:\/\/[*…]@host:1234" contains a user or password/)
  const [query] = C.findings(readBuilder('tcp://host?token=s3cret', '--builder'))
  assert.not.match(query?.message ?? 's3cret', 's3cret')
  const [bare] = C.findings(readBuilder('me:s3cret@host:1234', '--builder'))
  assert.not.match(bare?.message ?? '', /s3cret/)
})

test.run()
