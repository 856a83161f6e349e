/** Contexts that are odd: large, unreadable, changing while they are sent, with thousands of rules. */
import { chmodSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withBuildkitd } from '../support/build/buildkitd.ts'
import { direct, dockerfile, openBuildLab } from '../support/build/e2e.ts'
import { mustBeStored, storedImage } from '../support/build/image.ts'
import { startLink } from '../support/build/link.ts'
import { manyFiles, oneOfMany } from '../support/build/trees.ts'

/** Root may read everything, so what cannot be read is somebody else's. */
const nobody = 65534

const test = suite('contexts of builds')

test('a .dockerignore of 4,000 lines works', async () => {
  const { bench, registry } = await openBuildLab()
  const { must, write } = bench()
  const rules = Array.from({ length: 4000 }, (_, index) => `left-out-${index}/**/*.txt`)
  write('.dockerignore', [...rules, '!left-out-3999/kept.txt'].join('\n'))
  for (const index of [0, 1999, 3999]) write(`left-out-${index}/deep/file.txt`, 'left out')
  write('left-out-3999/kept.txt', 'kept')
  write('left-out-4000/file.txt', 'taken')
  write('Dockerfile', dockerfile('COPY . /all'))
  const name = `${registry.address}/context/ignored:1`
  await must(direct(name))
  const listing = await (await mustBeStored(name)).listing()
  assert.match(listing, 'all/left-out-3999/kept.txt')
  assert.match(listing, 'all/left-out-4000/file.txt')
  for (const index of [0, 1999, 3999]) assert.not.match(listing, `left-out-${index}/deep/file.txt`)
})

test('a file whose name is no UTF-8 is in the image under the same bytes', async () => {
  const { bench, registry } = await openBuildLab()
  const { folder, must, write } = bench()
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/odd-`), Buffer.of(0xff), Buffer.from('.txt')]), 'odd')
  write('Dockerfile', dockerfile('COPY . /all'))
  const name = `${registry.address}/context/odd:1`
  await must(direct(name))
  assert.match(await (await mustBeStored(name)).listing(), String.raw`all/odd-\377.txt`)
})

for (const [what, last, code] of [
  ['an unknown instruction', 'RUM true', /DT4005/],
  ['a file that is not there', 'COPY nothing /', /DT4009/],
] as const) {
  test(`a Dockerfile of 230 KB with ${what} in its last line`, async () => {
    const { bench, registry } = await openBuildLab()
    const { fails, write } = bench()
    const comments = Array.from({ length: 3000 }, (_, index) => `# ${index} ${'long comment '.repeat(6)}`)
    write('Dockerfile', ['FROM busybox', ...comments, last].join('\n'))
    const { stderr } = await fails(3, code, direct(`${registry.address}/context/long:1`))
    assert.match(stderr, /Dockerfile:3002\b/)
    assert.ok(stderr.length < 20_000, `${stderr.length} characters`)
  })
}

for (const [what, path] of [
  ['file', 'files/private.txt'],
  ['folder', 'files/private'],
] as const) {
  test(`a ${what} that cannot be read is an error, not an empty one`, async () => {
    const { bench, registry } = await openBuildLab()
    const { fails, folder, must, write } = bench()
    write('files/open.txt', 'open')
    write(what === 'file' ? path : join(path, 'inner.txt'), 'private')
    chmodSync(join(folder, path), 0o600)
    write('Dockerfile', dockerfile('COPY files /files'))
    const name = `${registry.address}/context/private-${what}:1`
    const { stderr, stdout } = await fails(3, /DT4010/, direct(name), { user: nobody })
    assert.match(stderr, path)
    assert.is(stdout, '')
    assert.is(await storedImage(name), undefined)
    write('Dockerfile', dockerfile('COPY files/open.txt /'))
    await must(direct(name), { user: nobody })
    assert.is(await (await mustBeStored(name)).file('open.txt'), 'open')
  })
}

for (const [what, change] of [
  ['cut short', (file: string) => truncateSync(file, 10)],
  ['made longer', (file: string) => truncateSync(file, 40_000_000)],
  ['removed', (file: string) => rmSync(file)],
] as const) {
  test(`a file that is ${what} while it is sent does not break the build`, async () => {
    const { bench, daemon, registry } = await openBuildLab()
    const { folder, must, run, write } = bench()
    const bytes = 20_000_000
    manyFiles(folder, { files: 3, bytes, salt: folder })
    write('Dockerfile', dockerfile('COPY folder-0 /files'))
    const all = [0, 1, 2].map((index) => join(folder, oneOfMany(index)))
    const link = await startLink(daemon.port, { atByte: 1_000_000, meanwhile: () => all.forEach(change) })
    const name = `${registry.address}/context/changing:${what.replaceAll(' ', '-')}`
    try {
      const { status, stderr } = await run(direct(name), { env: { BUILDKIT_HOST: link.address } })
      assert.ok(link.sent() > 1_000_000, 'nothing was on its way yet')
      assert.ok(status === 0 || status === 1 || status === 3, `status ${status}: ${stderr}`)
      if (status !== 0) assert.match(stderr, /error DT40\d\d/)
    } finally {
      link.close()
    }
    // What was half sent is not taken for the file later on.
    write(oneOfMany(0), 'after')
    write(oneOfMany(1), 'after')
    write(oneOfMany(2), 'after')
    await must(direct(name))
    assert.is(await (await mustBeStored(name)).file('files/file-1.txt'), 'after')
  })
}

test('100,000 files are sent', async () => {
  const { bench, registries, registry } = await openBuildLab()
  // A builder of its own: its disk is given back at once.
  await withBuildkitd(registries, async (daemon) => {
    const { folder, must, write } = bench({ BUILDKIT_HOST: daemon.address })
    manyFiles(join(folder, 'many'), { files: 100_000, bytes: 40, salt: folder, inFolder: 1000 })
    write(
      'Dockerfile',
      dockerfile('COPY many /many', 'RUN find /many -type f | wc -l >/count', 'FROM busybox', 'COPY --from=0 /count /'),
    )
    const name = `${registry.address}/context/many:1`
    await must(direct(name))
    assert.is((await (await mustBeStored(name)).file('count'))?.trim(), '100000')
  })
})

test('large files are named before they are sent', async () => {
  const { bench, registry } = await openBuildLab()
  const { folder, must, write } = bench()
  write('data/large.bin', '')
  truncateSync(join(folder, 'data/large.bin'), 201_000_000)
  write('data/small.bin', 'small')
  write(
    'Dockerfile',
    ['FROM busybox AS all', 'COPY . /all', 'FROM busybox', 'COPY --from=all /all/data/small.bin /'].join('\n'),
  )
  const { stderr } = await must(direct(`${registry.address}/context/large:1`))
  assert.match(stderr, /warning DT4041/)
  assert.match(stderr, /data(\/large\.bin)?/)
  write('.dockerignore', 'data/large.bin\n')
  const again = await must(direct(`${registry.address}/context/large:1`))
  assert.not.match(again.stderr, /DT4041/)
})

for (const [what, args] of [
  ['does not exist', ['nowhere']],
  ['is a file', ['Dockerfile']],
] as const) {
  test(`a context that ${what}: DT4032`, async () => {
    const { bench } = await openBuildLab()
    const { fails, write } = bench()
    write('Dockerfile', dockerfile())
    await fails(3, /DT4032/, ['-f', 'Dockerfile', ...args])
  })
}

test.run()
