/** `build -f`: one Dockerfile, and what the command line says of its image. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { buildWorld, scripted } from '../../support/build/world.ts'

const name = 'registry.example.com/team/web:1.0'
const digest = `sha256:${'1'.repeat(64)}`
const configDigest = `sha256:${'2'.repeat(64)}`
const files = { Dockerfile: 'FROM scratch\nCOPY . /\n', 'a.txt': 'a' }
const direct = ['build', '-f', 'Dockerfile', '--tag', name] as const

test('image flags reach the builder like the same fields in a file', async () => {
  const world = buildWorld({ files, env: { LEVEL: '2' } })
  const { status, stderr } = await world.run(
    ...direct,
    ...['--label', 'team=web', '--build-context', 'base=docker-image://busybox', '--add-host', 'db:192.0.2.1'],
    ...['--add-host', 'six=2001:db8::1', '--network', 'host', '--pull', '--allow', 'security.insecure'],
    ...['--provenance', 'mode=max', '--sbom', 'true', '--ssh', 'default', '--ssh', 'git=/keys/a,/keys/b'],
    ...['--build-arg', 'LEVEL', '--build-arg', 'NAME=web', '--build-arg', 'UNSET'],
  )
  // The keys are not there.
  assert.is(status, 3, stderr)
  assert.match(stderr, 'DT4015: the file /keys/a of the SSH key "git" does not exist')
  const again = await world.run(
    ...direct,
    ...['--label', 'team=web', '--build-context', 'base=docker-image://busybox', '--add-host', 'db:192.0.2.1'],
    ...['--add-host', 'six=2001:db8::1', '--network', 'host', '--pull', '--allow', 'security.insecure'],
    ...['--provenance', 'mode=max', '--sbom', 'true', '--ssh', 'default'],
    ...['--build-arg', 'LEVEL', '--build-arg', 'NAME=web', '--build-arg', 'UNSET'],
  )
  assert.is(again.status, 0, again.stderr)
  assert.match(again.stderr, 'DT4042: --build-arg: UNSET is not set in the environment')
  const [solve] = world.solves()
  assert.equal(Object.fromEntries(solve?.frontend ?? []), {
    filename: 'Dockerfile',
    'context:base': 'docker-image://busybox',
    'image-resolve-mode': 'pull',
    'label:team': 'web',
    'attest:provenance': 'mode=max',
    'attest:sbom': '',
    'add-hosts': 'db=192.0.2.1,six=2001:db8::1',
    'force-network-mode': 'host',
    'build-arg:LEVEL': '2',
    'build-arg:NAME': 'web',
  })
  assert.equal(solve?.ssh, [{ id: 'default', paths: [] }])
  assert.equal(solve?.entitlements, ['network.host', 'security.insecure'])
})

for (const [flags, words] of [
  [['--add-host', 'db:nowhere'], '"nowhere" is not an IP address'],
  [['--add-host', 'db'], '--add-host: "db" has no address'],
  [['--network', 'mine'], '--network: unknown value "mine"'],
  [['--allow', 'everything'], '--allow: unknown value "everything"'],
  [['--provenance', 'mode=most'], '"mode=most" is'],
  [['--build-context', 'base=oci-layout://x'], 'base=oci-layout://x is not supported'],
] as const) {
  test(`${flags.join(' ')} is a usage error`, async () => {
    const world = buildWorld({ files })
    const { status, stderr } = await world.run(...direct, ...flags)
    assert.equal([status, world.connected()], [2, 0], stderr)
    assert.match(stderr, `error DT2001: `)
    assert.match(stderr, words)
  })
}

test('a label without a value is empty, and a host whose address only the machine knows is left out', async () => {
  const world = buildWorld({ files })
  const { status, stderr } = await world.run(...direct, '--label', 'team', '--add-host', 'here:host-gateway')
  assert.is(status, 0, stderr)
  assert.equal(world.solves()[0]?.frontend.get('label:team'), '')
  assert.is(stderr.match(/warning DT\d+: here is left out of the image build/g)?.length, 1)
})

test('-f - builds the Dockerfile on the standard input', async () => {
  const world = buildWorld({ files: { '<stdin>': 'FROM scratch\nCOPY a.txt /\n', 'a.txt': 'a' } })
  const { status, stderr } = await world.run('build', '-f', '-', '--tag', name)
  assert.is(status, 0, stderr)
  assert.equal(world.solves()[0]?.served.get('dockerfile'), {
    _tag: 'Text',
    file: 'Dockerfile',
    text: 'FROM scratch\nCOPY a.txt /\n',
  })
})

const textAt = (world: ReturnType<typeof buildWorld>, path: string): string => {
  const entry = world.disk.get(path)
  return entry?._tag === 'File' ? Buffer.from(entry.bytes).toString() : ''
}

test('--iidfile receives the id, and --metadata-file the digests and names', async () => {
  const world = buildWorld({ files, builder: { images: scripted({ [name]: { solved: { digest, configDigest } } }) } })
  const { status, stderr } = await world.run(...direct, '--iidfile', 'id', '--metadata-file', 'built.json')
  assert.is(status, 0, stderr)
  assert.is(textAt(world, 'id'), configDigest)
  assert.equal(JSON.parse(textAt(world, 'built.json')), {
    'containerimage.digest': digest,
    'containerimage.config.digest': configDigest,
    'image.name': name,
  })
})

test('without a destination there is no image id to write', async () => {
  const world = buildWorld({
    files,
    env: { BUILDKIT_HOST: 'tcp://b:1234' },
    builder: { images: scripted({ '': { solved: {} } }) },
  })
  const { status, stderr } = await world.run('build', '-f', 'Dockerfile', '--push=false', '--iidfile', 'id')
  assert.is(status, 2)
  assert.match(stderr, 'DT2001: --iidfile: an image that is only built, and kept nowhere, has no id')
})

test.run()
