/** Equal content, equal digest: whoever builds it, and whenever. */
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withBuildkitd } from '../support/build/buildkitd.ts'
import { direct, dockerfile, openBuildLab } from '../support/build/e2e.ts'

const test = suite('reproducible builds')

/** The digest that a builder without any cache gives, with files of that age. */
const digestBy = async (flags: ReadonlyArray<string>, ageS: number): Promise<string> => {
  const { bench, registries, registry } = await openBuildLab()
  let digest = ''
  await withBuildkitd(registries, async (daemon) => {
    const { folder, must, write } = bench({ BUILDKIT_HOST: daemon.address })
    write('Dockerfile', dockerfile('COPY page.html /', 'RUN mkdir /made && echo 1 >/made/file'))
    write('page.html', 'page')
    const when = Date.now() / 1000 - ageS
    utimesSync(join(folder, 'page.html'), when, when)
    const { stdout } = await must([...direct(`${registry.address}/same/again:1`), ...flags])
    digest = stdout.replace(/^.*@/s, '').trim()
  })
  return digest
}

test('--reproducible gives one digest on two fresh builders, whatever the times of the files', async () => {
  const first = await digestBy(['--reproducible'], 10)
  assert.match(first, /^sha256:[0-9a-f]{64}$/)
  assert.is(await digestBy(['--reproducible'], 1000), first)
  const before1980 = Date.now() / 1000 - 86_400
  assert.is(await digestBy(['--reproducible'], before1980), first)
  assert.is.not(await digestBy([], 1000), first)
})

test.run()
