/** Caches that outlive a builder: in a registry of their own, and within an image. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withBuildkitd } from '../support/build/buildkitd.ts'
import { direct, dockerfile, openBuildLab } from '../support/build/e2e.ts'
import { mustBeStored } from '../support/build/image.ts'

/** Another build of it gives another layer. */
const random = dockerfile('COPY page.html /', 'RUN head -c 16 /dev/urandom | od -An -tx1 >/random')

const test = suite('build caches')

for (const [what, exported, imported] of [
  ['in a registry', (name: string) => name, (name: string) => name],
  ['within the image', () => 'type=inline', (_cache: string, image: string) => image],
  [
    'as BuildKit writes them',
    (name: string) => `type=registry,ref=${name},mode=max`,
    (name: string) => `type=registry,ref=${name}`,
  ],
] as const) {
  test(`a cache ${what} is used by a builder without its own`, async () => {
    const { bench, registries, registry } = await openBuildLab()
    const folder = what.replaceAll(' ', '-').toLowerCase()
    // This registry does not take the same layer twice at a time for one repository.
    const [cache, image] = [`${registry.address}/cache/of-${folder}:1`, `${registry.address}/cache/${folder}:1`]
    await withBuildkitd(registries, async (daemon) => {
      const { must, write } = bench({ BUILDKIT_HOST: daemon.address })
      write('Dockerfile', random)
      write('page.html', what)
      await must(direct(image, '--export-cache', exported(cache)))
      const first = await mustBeStored(image)
      const pruned = await daemon.buildctl('prune', '--all')
      assert.is(pruned.status, 0, pruned.stderr)
      await must(direct(`${registry.address}/cache/${folder}:again`, '--cache-from', imported(cache, image)))
      const again = await mustBeStored(`${registry.address}/cache/${folder}:again`)
      assert.equal(again.layers, first.layers)
    })
  })
}

test('without the cache the build runs all steps', async () => {
  const { bench, registries, registry } = await openBuildLab()
  const image = `${registry.address}/cache/none:1`
  await withBuildkitd(registries, async (daemon) => {
    const { must, write } = bench({ BUILDKIT_HOST: daemon.address })
    write('Dockerfile', random)
    write('page.html', '')
    await must(direct(image))
    const first = await mustBeStored(image)
    await daemon.buildctl('prune', '--all')
    await must(direct(image))
    assert.is.not((await mustBeStored(image)).layers.at(-1), first.layers.at(-1))
  })
})

test('a missing cache is a warning', async () => {
  const { bench, registry } = await openBuildLab()
  const { must, write } = bench()
  write('Dockerfile', random)
  write('page.html', 'no cache')
  const { stderr } = await must(
    direct(`${registry.address}/cache/gone:1`, '--cache-from', `${registry.address}/cache/gone:c`),
  )
  assert.match(stderr, /warning DT4044/)
})

test.run()
