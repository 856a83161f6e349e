/** Builders and registries that go away, stand still, are full or refuse: each ends in a clear diagnostic. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withBuildkitd } from '../support/build/buildkitd.ts'
import { builtImages, direct, dockerfile, openBuildLab } from '../support/build/e2e.ts'
import { mustBeStored, storedImage } from '../support/build/image.ts'
import { untilGone, untilRunning } from '../support/build/processes.ts'
import { manyFiles } from '../support/build/trees.ts'
import { freePort } from '../support/process/ports.ts'

/** A step that runs until it is ended; the number tells it from all others. */
let steps = 0
const endless = (): string => {
  steps += 1
  return `sleep ${8000 + process.pid}.${steps}`
}
/** The shortest that there is. */
const keepalive = { DEVTOOL_KEEPALIVE_CLIENT_TIME_MS: '10000', DEVTOOL_KEEPALIVE_CLIENT_TIMEOUT_MS: '1000' }

const test = suite('faults of builders and registries')

test('a refused connection: DT4001', async () => {
  const { bench } = await openBuildLab()
  const { fails, write } = bench({ BUILDKIT_HOST: `tcp://127.0.0.1:${await freePort()}` })
  write('Dockerfile', dockerfile())
  await fails(8, /DT4001/, ['-f', 'Dockerfile'])
})

test('a missing socket: DT4001', async () => {
  const { bench } = await openBuildLab()
  const { fails, folder, write } = bench()
  write('Dockerfile', dockerfile())
  const env = { BUILDKIT_HOST: `unix://${folder}/nobody.sock` }
  await fails(8, /DT4001[^]*nobody\.sock/, ['-f', 'Dockerfile'], { env })
})

test('a server that is not BuildKit: DT4001', async () => {
  const { bench, registry } = await openBuildLab()
  const { fails, write } = bench({ BUILDKIT_HOST: `tcp://${registry.address}` })
  write('Dockerfile', dockerfile())
  await fails(8, /DT4001/, ['-f', 'Dockerfile'])
})

for (const form of ['address', 'socket', 'HOST:PORT'] as const) {
  test(`a builder is reached by ${form}`, async () => {
    const { bench, daemon, registry } = await openBuildLab()
    const host = form === 'HOST:PORT' ? daemon.address.replace('tcp://', '') : daemon[form]
    const { must, write } = bench({ BUILDKIT_HOST: host })
    write('Dockerfile', dockerfile())
    await must(direct(`${registry.address}/faults/reached:1`))
  })
}

test('a builder that does not respond before the build: DT4002', async () => {
  const { bench, registries } = await openBuildLab()
  await withBuildkitd(registries, async (daemon) => {
    const { fails, write } = bench({ BUILDKIT_HOST: daemon.address })
    write('Dockerfile', dockerfile())
    daemon.freeze()
    await fails(8, /DT4002/, ['-f', 'Dockerfile'])
  })
})

for (const [name, env, seconds] of [
  ['without settings', {}, /nothing came from it for 45\.0s/],
  ['with keepalive, sooner', keepalive, /nothing came from it for 11\.0s/],
] as const) {
  test(`a builder that stops responding during the build, ${name}: DT4002`, async () => {
    const { bench, registries } = await openBuildLab()
    await withBuildkitd(registries, async (daemon) => {
      const { start, write } = bench({ BUILDKIT_HOST: daemon.address, ...env })
      const command = endless()
      write('Dockerfile', dockerfile(`RUN ${command}`))
      const building = start(['-f', 'Dockerfile'])
      await untilRunning(command)
      daemon.freeze()
      const { status, stderr } = await building.ended
      assert.is(status, 8, stderr)
      assert.match(stderr, /DT4002/)
      assert.match(stderr, seconds)
    })
  })
}

/** Longer than it takes to give up a builder that stands still: 45 s, and 40 s. */
test('a step without output for a minute is not cancelled', async () => {
  const { bench, registry } = await openBuildLab()
  const { start, write } = bench()
  const attentive = bench({ ...keepalive, DEVTOOL_KEEPALIVE_CLIENT_TIMEOUT_MS: '30000' })
  write('Dockerfile', dockerfile('RUN sleep 61'))
  attentive.write('Dockerfile', dockerfile('RUN sleep 62'))
  const runs = [
    start(direct(`${registry.address}/faults/silent:1`)),
    attentive.start(direct(`${registry.address}/faults/silent:2`)),
  ]
  for (const { status, stderr } of await Promise.all(runs.map(({ ended }) => ended))) assert.is(status, 0, stderr)
})

for (const [name, value] of [
  ['DEVTOOL_KEEPALIVE_CLIENT_TIME_MS', 'soon'],
  ['DEVTOOL_KEEPALIVE_CLIENT_TIMEOUT_MS', '-1'],
  ['DEVTOOL_KEEPALIVE_CLIENT_PERMIT_WITHOUT_STREAM', 'perhaps'],
] as const) {
  test(`${name}=${value}: DT4021`, async () => {
    const { bench } = await openBuildLab()
    const { fails, write } = bench({ [name]: value })
    write('Dockerfile', dockerfile())
    await fails(2, new RegExp(`DT4021[^]*${name}`), ['-f', 'Dockerfile'])
  })
}

test('a builder that is killed during the build: DT4003, and the next build goes on', async () => {
  const { bench, registries, registry } = await openBuildLab()
  await withBuildkitd(registries, async (daemon) => {
    const { must, start, write } = bench({ BUILDKIT_HOST: daemon.address })
    const command = endless()
    write('Dockerfile', dockerfile(`RUN test -e /proc/nothing || ${command}`))
    const building = start(['-f', 'Dockerfile'])
    await untilRunning(command)
    await daemon.kill()
    const { status, stderr } = await building.ended
    assert.is(status, 8, stderr)
    assert.match(stderr, /DT4003/)
    await daemon.start()
    write('Dockerfile', dockerfile('RUN true'))
    await must(direct(`${registry.address}/faults/restarted:1`))
  })
})

test('a builder whose disk is full: DT4014', async () => {
  const { bench, registries } = await openBuildLab()
  await withBuildkitd({ ...registries, megabytes: 48 }, async (daemon) => {
    const { fails, folder, write } = bench({ BUILDKIT_HOST: daemon.address })
    write('Dockerfile', dockerfile('COPY files /files'))
    manyFiles(`${folder}/files`, { files: 80, bytes: 1_000_000, salt: folder })
    await fails(1, /DT4014/, ['-f', 'Dockerfile'])
    write('Dockerfile', dockerfile('RUN head -c 100000000 /dev/zero >/large'))
    await fails(1, /DT4006|DT4014/, ['-f', 'Dockerfile'])
  })
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} ends the command and the step`, async () => {
    const { bench } = await openBuildLab()
    const { start, write } = bench()
    const command = endless()
    write('Dockerfile', dockerfile(`RUN ${command}`))
    const building = start(['-f', 'Dockerfile'])
    await untilRunning(command)
    building.child.kill(signal)
    const { status, stderr, stdout } = await building.ended
    assert.is(status, signal === 'SIGINT' ? 130 : 143, stderr)
    assert.is(stdout, '')
    await untilGone(command)
  })
}

test('an unreachable registry: DT4013', async () => {
  const { bench, dead } = await openBuildLab()
  const { fails, write } = bench()
  write('Dockerfile', dockerfile())
  const { stderr, stdout } = await fails(8, /DT4013/, direct(`${dead}/faults/image:1`))
  assert.match(stderr, dead)
  assert.is(stdout, '')
})

for (const [what, status, code] of [
  ['denied', 4, /DT4012/],
  ['broken', 1, /DT4011/],
] as const) {
  test(`a registry that answers "${what}"`, async () => {
    const { bench, troubled } = await openBuildLab()
    const { fails, write } = bench()
    write('Dockerfile', dockerfile())
    const { stdout } = await fails(status, code, direct(`${troubled.address}/${what}/image:1`))
    assert.is(stdout, '')
  })
}

test('a slow registry delays the push, but does not fail it', async () => {
  const { bench, troubled } = await openBuildLab()
  const { must, write } = bench()
  write('Dockerfile', dockerfile('RUN echo slow >/slow'))
  const name = `${troubled.address}/slow/image:1`
  const [built] = builtImages(await must(direct(name, '-o', 'json')))
  assert.is((await mustBeStored(name)).digest, built?.digest)
})

test('a registry that never answers does not block an interrupt', async () => {
  const { bench, troubled } = await openBuildLab()
  const { start, write } = bench()
  write('Dockerfile', dockerfile('RUN echo silent >/silent'))
  const building = start(direct(`${troubled.address}/silent/image:1`, '--progress', 'plain'))
  await building.says('exporting')
  building.child.kill('SIGINT')
  const { status, stderr } = await building.ended
  assert.is(status, 130, stderr)
})

test('a builder that trusts the certificate of a registry pushes to it', async () => {
  const { bench, certificates, secured } = await openBuildLab()
  const { must, write } = bench({ NODE_EXTRA_CA_CERTS: `${certificates.authority}/ca.pem` })
  write('Dockerfile', dockerfile())
  const { stdout } = await must(direct(`${secured.address}/faults/tls:1`))
  assert.match(stdout, /@sha256:/)
})

test('images pushed before a failure stay', async () => {
  const { bench, registry, troubled } = await openBuildLab()
  const { fails, must, write } = bench()
  write('Dockerfile', dockerfile('RUN echo before >/before'))
  const name = `${registry.address}/broken/before:1`
  await must(direct(name))
  const { digest } = await mustBeStored(name)
  write('Dockerfile', dockerfile('RUN echo after >/before'))
  await fails(1, /DT4011/, direct(`${troubled.address}/broken/before:1`))
  assert.is((await storedImage(name))?.digest, digest)
})

test.run()
