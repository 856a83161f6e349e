/** Builders with TLS that want to know their clients. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Buildkitd, withBuildkitd } from '../support/build/buildkitd.ts'
import { makeCertificates } from '../support/build/certificates.ts'
import { type Bench, direct, dockerfile, openBuildLab } from '../support/build/e2e.ts'

const test = suite('TLS of builders')

const secured = async (use: (own: Bench, daemon: Buildkitd) => Promise<void>): Promise<void> => {
  const { bench, certificates, registries } = await openBuildLab()
  await withBuildkitd({ ...registries, tls: certificates }, async (daemon) => {
    const own = bench({ BUILDKIT_HOST: daemon.address })
    own.write('Dockerfile', dockerfile())
    await use(own, daemon)
  })
}
const flags = ['-f', 'Dockerfile'] as const

test('mutual TLS works', () =>
  secured(async ({ must }, daemon) => {
    const { certificates, registry } = await openBuildLab()
    const name = `${registry.address}/tls/known:1`
    await must(direct(name), { env: { DEVTOOL_BUILDKIT_TLS_DIR: certificates.client } })
    const named = { DEVTOOL_BUILDKIT_TLS_SERVER_NAME: 'builder.example.com' }
    await must(direct(name), { env: { DEVTOOL_BUILDKIT_TLS_DIR: certificates.client, ...named } })
    assert.match(daemon.address, /^tcp:/)
  }))

test('another authority, no certificate, another name, no TLS: DT4001', () =>
  secured(async ({ fails, folder }) => {
    const { certificates } = await openBuildLab()
    const other = makeCertificates(join(folder, 'other'))
    const wrong: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
      ['another authority', { DEVTOOL_BUILDKIT_TLS_DIR: other.client }],
      ['no certificate', { DEVTOOL_BUILDKIT_TLS_DIR: certificates.authority }],
      [
        'another name',
        {
          DEVTOOL_BUILDKIT_TLS_DIR: certificates.client,
          DEVTOOL_BUILDKIT_TLS_SERVER_NAME: 'other.example.com',
        },
      ],
      ['no TLS', {}],
    ]
    for (const [what, env] of wrong) {
      const { stderr } = await fails(8, /DT4001/, flags, { env })
      if (what === 'no certificate') assert.match(stderr, /certificate/i)
    }
  }))

test('a client with TLS, a builder without: DT4001', async () => {
  const { bench, certificates } = await openBuildLab()
  const { fails, write } = bench({ DEVTOOL_BUILDKIT_TLS_DIR: certificates.client })
  write('Dockerfile', dockerfile())
  await fails(8, /DT4001/, flags)
})

test('a folder without certificates: DT4023', async () => {
  const { bench } = await openBuildLab()
  const { fails, folder, write } = bench()
  write('Dockerfile', dockerfile())
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  await fails(3, /DT4023/, flags, { env: { DEVTOOL_BUILDKIT_TLS_DIR: empty } })
  await fails(3, /DT4023/, flags, { env: { DEVTOOL_BUILDKIT_TLS_DIR: join(folder, 'nowhere') } })
})

test.run()
