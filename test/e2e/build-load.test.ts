/** `build --load`: from another builder, or the daemon's own, into a real Docker daemon. */
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Json, textAt } from '../../src/domain/cluster/json.ts'
import { type Dockerd, withDockerd } from '../support/build/dockerd.ts'
import { direct, dockerfile, openBuildLab } from '../support/build/e2e.ts'
import { storedImage } from '../support/build/image.ts'
import { pathOf } from '../support/build/programs.ts'

const test = suite('build --load')

const idOf = async (docker: Dockerd, name: string): Promise<string | undefined> => {
  const json: Json = JSON.parse(await docker.get(`/images/${name}/json`))
  return textAt(json, 'Id')
}

test('an image of another builder has all its names in the daemon, and is not pushed', async () => {
  const { bench, registry } = await openBuildLab()
  await withDockerd({}, async (docker) => {
    const { folder, must, write } = bench({ DOCKER_HOST: docker.address })
    const image = `${registry.address}/loaded/app:1`
    write('Dockerfile', dockerfile('RUN head -c 20000000 /dev/urandom >/large && echo here >/page.html'))
    const { stderr } = await must(direct(image, '--tag', 'short:2', '--load', '--iidfile', 'id'))
    assert.match(stderr, /done .*: loaded/)
    const id = readFileSync(join(folder, 'id'), 'utf8')
    assert.equal([await idOf(docker, image), await idOf(docker, 'short:2')], [id, id])
    assert.is(await storedImage(image), undefined)
  })
})

test('an image that the daemon builds itself stays there', async () => {
  const { bench } = await openBuildLab()
  await withDockerd({}, async (docker) => {
    const { folder, must, write } = bench({ DOCKER_HOST: docker.address, BUILDKIT_HOST: '' })
    copyFileSync(pathOf('busybox'), join(folder, 'busybox'))
    write('Dockerfile', 'FROM scratch\nCOPY busybox /busybox\n')
    await must(direct('own:1', '--load', '--iidfile', 'id'))
    assert.is(await idOf(docker, 'own:1'), readFileSync(join(folder, 'id'), 'utf8'))
  })
})

test('without a daemon nothing is built', async () => {
  const { bench } = await openBuildLab()
  const { fails, write } = bench({ DOCKER_HOST: 'unix:///nobody/here' })
  write('Dockerfile', dockerfile('RUN echo built'))
  const { stderr } = await fails(8, /DT4033: .*the Docker daemon is not running/, direct('own:1', '--load'))
  assert.not.match(stderr, /RUN echo/)
})

test.run()
