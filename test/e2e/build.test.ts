/** One image of a Dockerfile: pushed, cached, rebuilt in part, with the flags that say how. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Json, textAt } from '../../src/domain/cluster/json.ts'
import { builtImages, direct, dockerfile, openBuildLab } from '../support/build/e2e.ts'
import { mustBeStored, platformsOf, storedImage } from '../support/build/image.ts'
import { startLink } from '../support/build/link.ts'
import { manyFiles, oneOfMany } from '../support/build/trees.ts'

const random = 'RUN head -c 16 /dev/urandom | od -An -tx1 >/random'

const test = suite('build')

test('an image is pushed, and its name and digest are printed on one line', async () => {
  const { bench, registry } = await openBuildLab()
  const { must, write } = bench()
  write('Dockerfile', dockerfile('COPY page.html /www/', 'RUN echo built >/www/by'))
  write('page.html', 'hello')
  const { stdout } = await must(direct(`${registry.address}/plain/page:1`))
  const image = await mustBeStored(`${registry.address}/plain/page:1`)
  const [line = '', ...more] = stdout.trimEnd().split('\n')
  assert.equal(more, [])
  assert.ok(line.startsWith(`${registry.address}/plain/page`) && line.endsWith(`@${image.digest}`), line)
  assert.is(await image.file('www/page.html'), 'hello')
  assert.is(await image.file('www/by'), 'built\n')
})

test('--loglevel debug adds a line for each request to the builder', async () => {
  const { bench, registry } = await openBuildLab()
  const { must, write } = bench()
  write('Dockerfile', dockerfile('RUN echo traced'))
  const { stderr } = await must(
    direct(`${registry.address}/plain/traced:1`, '--loglevel', 'debug', '--progress', 'plain'),
  )
  assert.match(stderr, /^builder POST \/moby\.buildkit\.v1\.Control\/Solve 0 \d+ ms$/m)
})

test('the argument is the context', async () => {
  const { bench, registry } = await openBuildLab()
  const { must, write } = bench()
  write('files/Dockerfile', dockerfile('COPY page.html /'))
  write('files/page.html', 'of the folder')
  write('page.html', 'beside it')
  await must(['-f', 'files/Dockerfile', '--tag', `${registry.address}/plain/folder:1`, 'files'])
  const image = await mustBeStored(`${registry.address}/plain/folder:1`)
  assert.is(await image.file('page.html'), 'of the folder')
})

test('a second build uses the cache for every step, with --no-cache for none', async () => {
  const { bench, registry } = await openBuildLab()
  const { must, write } = bench()
  write('Dockerfile', dockerfile(random))
  const build = async (...more: ReadonlyArray<string>) => {
    const name = `${registry.address}/plain/cached:1`
    const [built] = builtImages(await must(direct(name, '-o', 'json', ...more)))
    const { digest, layers } = await mustBeStored(name)
    assert.is(built?.digest, digest)
    assert.equal(built?.names, [name])
    return layers
  }
  const first = await build('--no-cache')
  assert.equal(await build(), first)
  assert.is.not((await build('--no-cache')).at(-1), first.at(-1))
})

test('only changed files of a context are sent again', async () => {
  const { bench, daemon, registry } = await openBuildLab()
  const { folder, must, write } = bench()
  const name = `${registry.address}/plain/changed:1`
  write('Dockerfile', dockerfile('COPY files /files'))
  manyFiles(`${folder}/files`, { files: 200, bytes: 50_000, salt: folder })
  const sentBy = async (): Promise<number> => {
    const link = await startLink(daemon.port)
    try {
      await must(direct(name), { env: { BUILDKIT_HOST: link.address } })
      return link.sent()
    } finally {
      link.close()
    }
  }
  const all = await sentBy()
  assert.ok(all > 10_000_000, `${all} bytes`)
  write(`files/${oneOfMany(7)}`, 'changed')
  const some = await sentBy()
  assert.ok(some < 200_000, `${some} bytes for one small file`)
  assert.is(await (await mustBeStored(name)).file(`files/${oneOfMany(7)}`), 'changed')
  const none = await sentBy()
  assert.ok(none < 200_000, `${none} bytes for nothing new`)
})

test('arguments, a stage and several names', async () => {
  const { bench, registry } = await openBuildLab()
  const { must, write } = bench()
  const stages = [
    'FROM busybox AS small',
    'ARG COLOUR=none',
    'ARG FLAVOUR=none',
    'RUN echo "$COLOUR $FLAVOUR" >/said',
    'LABEL com.example.colour=$COLOUR',
    'FROM small AS large',
    'RUN echo large >/large',
  ]
  write('Dockerfile', stages.join('\n'))
  const names = [
    `${registry.address}/plain/args:1`,
    `${registry.address}/plain/args:latest`,
    `${registry.address}/other:2`,
  ]
  const args = ['--build-arg', 'COLOUR=light blue', '--build-arg', 'FLAVOUR=a=b', '--target', 'small']
  const { stdout } = await must([
    '-f',
    'Dockerfile',
    ...names.flatMap((name) => ['--tag', name]),
    ...args,
    '-o',
    'json',
  ])
  const [built] = builtImages({ stdout, stderr: '', status: 0, ms: 0 })
  for (const name of names) {
    const image = await mustBeStored(name)
    assert.is(image.digest, built?.digest, name)
    assert.is(await image.file('said'), 'light blue a=b\n')
    assert.is(await image.file('large'), undefined)
    const config: Json = JSON.parse(image.config)
    assert.is(textAt(config, 'config', 'Labels', 'com.example.colour'), 'light blue')
  }
})

test('an image for several platforms has one name', async () => {
  const { bench, registry } = await openBuildLab()
  const { must, write } = bench()
  write('Dockerfile', 'FROM scratch\nARG TARGETARCH\nENV ARCHITECTURE=$TARGETARCH\nCOPY page.html /\n')
  write('page.html', 'everywhere')
  const name = `${registry.address}/plain/platforms:1`
  await must(direct(name, '--platform', 'linux/amd64,linux/arm64'))
  assert.equal(
    platformsOf(await mustBeStored(name))
      .slice(0, 2)
      .toSorted(),
    ['linux/amd64', 'linux/arm64'],
  )
})

test('without a push the registry gets nothing', async () => {
  const { bench, registry } = await openBuildLab()
  const { must, write } = bench()
  write('Dockerfile', dockerfile('RUN echo kept >/kept'))
  const name = `${registry.address}/plain/kept:1`
  await must(direct(name, '--push=false'))
  assert.is(await storedImage(name), undefined)
})

test('progress is lines, JSON or nothing, and never on standard output', async () => {
  const { bench, registry } = await openBuildLab()
  const { must, write } = bench()
  write('Dockerfile', dockerfile('RUN echo spoken by the step'))
  const build = (progress: string) =>
    must(direct(`${registry.address}/plain/progress:1`, '--no-cache', '--progress', progress))
  const plain = await build('plain')
  assert.match(plain.stderr, 'spoken by the step')
  assert.is(plain.stdout.trim().split('\n').length, 1, plain.stdout)
  const json = await build('json')
  const lines = json.stderr.trim().split('\n')
  assert.ok(lines.length > 2, json.stderr)
  for (const line of lines) assert.not.throws(() => JSON.parse(line), line)
  const quiet = await build('quiet')
  assert.is(quiet.stderr, '')
})

test.run()
