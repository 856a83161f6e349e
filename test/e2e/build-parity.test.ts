/** What is sent is what buildctl sends: after our build it finds every step in the cache, and the other way round. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isObject, type Json, listAt, textAt } from '../../src/domain/cluster/json.ts'
import { type Buildkitd, withBuildkitd } from '../support/build/buildkitd.ts'
import { direct, openBuildLab } from '../support/build/e2e.ts'
import { mustBeStored } from '../support/build/image.ts'
import { everyKind } from '../support/build/trees.ts'

type Steps = { readonly cached: ReadonlyArray<string>; readonly fresh: ReadonlyArray<string> }

/** Steps of the Dockerfile, without its base images. */
const isStep = (name: string): boolean => /^\[(?!internal\]|auth\])/.test(name) && !/^\[[^\]]*\] FROM /.test(name)

/** Builds the folder with buildctl. `push`: under that name. */
const buildctlSteps = async (daemon: Buildkitd, folder: string, push?: string): Promise<Steps> => {
  const served = ['context', 'dockerfile'].flatMap((name) => ['--local', `${name}=${folder}`])
  const output = push === undefined ? [] : ['--output', `type=image,name=${push},push=true`]
  const args = ['build', '--progress', 'rawjson', '--frontend', 'dockerfile.v0', ...served, ...output]
  const { status, stderr, stdout } = await daemon.buildctl(...args)
  assert.is(status, 0, stderr.slice(-2000))
  const cached = new Map<string, boolean>()
  for (const line of `${stdout}\n${stderr}`.split('\n')) {
    if (!line.startsWith('{')) continue
    const json: Json = JSON.parse(line)
    for (const vertex of listAt(json, 'vertexes')) {
      const name = textAt(vertex, 'name') ?? ''
      if (!isStep(name) || !isObject(vertex)) continue
      cached.set(name, vertex['cached'] === true || cached.get(name) === true)
    }
  }
  const named = (isCached: boolean): ReadonlyArray<string> =>
    [...cached].filter(([, one]) => one === isCached).map(([name]) => name)
  return { cached: named(true), fresh: named(false) }
}

const lines = [
  'FROM busybox',
  'COPY . /all',
  'COPY kinds/odd/ /odd/',
  'COPY ["kinds/odd/a,b.txt", "kinds/odd/ünï ☃ 日本.txt", "/some/"]',
  'COPY kinds/to-folder/still/leaf kinds/to-file kinds/plain kinds/deep/same-as-plain /linked/',
  'COPY kinds/mode-* /modes/',
  'COPY --chown=65534 --chmod=700 kinds/empty /empty',
  'COPY kinds/order* /ordered/',
]

const ignored = ['# comment', 'kinds/deep', '!kinds/deep/er', '**/*.hidden', 'left-out', '!left-out/but-this']

const test = suite('parity with buildctl')

/** A socket cannot be copied, so a folder with one is only ever sent in part. */
const treeIn = async (folder: string, write: (path: string, text: string) => string): Promise<void> => {
  mkdirSync(join(folder, 'kinds'))
  await everyKind(join(folder, 'kinds'), false)
  write('left-out/this', 'left out')
  write('left-out/but-this', 'kept')
  write('Dockerfile', lines.join('\n'))
}

test('buildctl has every step cached after our build', async () => {
  const { bench, registries, registry } = await openBuildLab()
  await withBuildkitd(registries, async (daemon) => {
    const { folder, must, write } = bench({ BUILDKIT_HOST: daemon.address })
    await treeIn(folder, write)
    await must(direct(`${registry.address}/parity/whole:1`))
    const { cached, fresh } = await buildctlSteps(daemon, folder)
    assert.equal(fresh, [])
    assert.is(cached.length, lines.length - 1, cached.join('\n'))
  })
})

test('our build has every step cached after that of buildctl', async () => {
  const { bench, registries, registry } = await openBuildLab()
  await withBuildkitd(registries, async (daemon) => {
    const { folder, must, write } = bench({ BUILDKIT_HOST: daemon.address })
    await treeIn(folder, write)
    // Made again it would be another layer.
    write('Dockerfile', [...lines, 'RUN head -c 16 /dev/urandom >/random'].join('\n'))
    const [theirs, ours] = [`${registry.address}/parity/theirs:1`, `${registry.address}/parity/ours:1`]
    await buildctlSteps(daemon, folder, theirs)
    await must(direct(ours))
    assert.equal((await mustBeStored(ours)).layers, (await mustBeStored(theirs)).layers)
  })
})

test('files excluded by .dockerignore are not sent', async () => {
  const { bench, registries, registry } = await openBuildLab()
  await withBuildkitd(registries, async (daemon) => {
    const { folder, must, write } = bench({ BUILDKIT_HOST: daemon.address })
    await treeIn(folder, write)
    write('.dockerignore', ignored.join('\n'))
    write('Dockerfile', ['FROM busybox', 'COPY . /all', 'RUN ls -R /all >/listing'].join('\n'))
    const name = `${registry.address}/parity/ignored:1`
    await must(direct(name))
    const { cached, fresh } = await buildctlSteps(daemon, folder)
    assert.equal(fresh, [])
    assert.is(cached.length, 2, cached.join('\n'))
    const image = await mustBeStored(name)
    assert.is(await image.file('all/left-out/this'), undefined)
    assert.is(await image.file('all/left-out/but-this'), 'kept')
    assert.is(await image.file('all/kinds/deep/er/still/leaf'), 'leaf')
    assert.is(await image.file('all/kinds/deep/same-as-plain'), undefined)
  })
})

test('sockets in a context are skipped', async () => {
  const { bench, registries, registry } = await openBuildLab()
  await withBuildkitd(registries, async (daemon) => {
    const { folder, must, write } = bench({ BUILDKIT_HOST: daemon.address })
    mkdirSync(join(folder, 'kinds'))
    await everyKind(join(folder, 'kinds'), true)
    write('Dockerfile', ['FROM busybox', 'COPY . /all'].join('\n'))
    await must(direct(`${registry.address}/parity/socket:1`))
    assert.equal((await buildctlSteps(daemon, folder)).fresh, [])
  })
})

test('links cannot leave the context', async () => {
  const { bench, registry } = await openBuildLab()
  const { fails, folder, must, write } = bench()
  mkdirSync(join(folder, 'kinds'))
  await everyKind(join(folder, 'kinds'), false)
  write('Dockerfile', ['FROM scratch', 'COPY kinds/outward /of-outward', 'COPY kinds/absolute /of-absolute'].join('\n'))
  const name = `${registry.address}/parity/outward:1`
  await fails(3, /DT4009/, direct(name))
  write('etc/passwd', 'of the context')
  write('etc/hostname', 'of the context, too')
  await must(direct(name))
  const image = await mustBeStored(name)
  assert.is(await image.file('of-outward'), 'of the context')
  assert.is(await image.file('of-absolute'), 'of the context, too')
})

test.run()
