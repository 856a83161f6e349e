/** What the command line says of an image, at a real builder. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../src/domain/cluster/json.ts'
import { listAt, textAt } from '../../src/domain/cluster/json.ts'
import { withDockerd } from '../support/build/dockerd.ts'
import { direct, dockerfile, openBuildLab } from '../support/build/e2e.ts'
import { mustBeStored } from '../support/build/image.ts'

const test = suite('flags of build -f')

test('labels, hosts, a network, arguments and additional contexts take effect', async () => {
  const { bench, registry } = await openBuildLab()
  const image = `${registry.address}/flags/all:1`
  const { folder, must, write } = bench({ LEVEL: '7' })
  write('more/page.html', 'from further away')
  write(
    'Dockerfile',
    dockerfile(
      'ARG LEVEL=1',
      'ARG UNSET=default',
      'COPY --from=more page.html /page.html',
      'RUN mkdir /seen && cp /etc/hosts /seen/hosts && ls /sys/class/net >/seen/net && echo $LEVEL $UNSET >/seen/args',
    ),
  )
  await must(
    direct(
      image,
      ...['--label', 'team=web', '--add-host', 'db:192.0.2.1', '--network', 'none', '--build-context', 'more=more'],
      ...['--build-arg', 'LEVEL', '--build-arg', 'UNSET', '--iidfile', 'id', '--metadata-file', 'built.json', '--pull'],
    ),
  )
  const stored = await mustBeStored(image)
  assert.match(stored.config, '"team":"web"')
  assert.is(await stored.file('page.html'), 'from further away')
  assert.match((await stored.file('seen/hosts')) ?? '', /192\.0\.2\.1\s+db/)
  assert.is((await stored.file('seen/net'))?.trim(), 'lo')
  assert.is((await stored.file('seen/args'))?.trim(), '7 default')
  assert.is(readFileSync(join(folder, 'id'), 'utf8'), textAt(stored.manifest, 'config', 'digest'))
  const metadata: Json = JSON.parse(readFileSync(join(folder, 'built.json'), 'utf8'))
  assert.is(textAt(metadata, 'containerimage.digest'), stored.digest)
  assert.is(textAt(metadata, 'image.name'), image)
})

test('a Dockerfile is read from stdin, beside the files of its context', async () => {
  const { bench, registry } = await openBuildLab()
  const image = `${registry.address}/flags/stdin:1`
  const { must, write } = bench()
  write('page.html', 'of the folder')
  await must(['-f', '-', '--tag', image], { input: dockerfile('COPY page.html /page.html') })
  assert.is(await (await mustBeStored(image)).file('page.html'), 'of the folder')
})

test('attestations add an entry to the image index', async () => {
  const { bench, registry } = await openBuildLab()
  const image = `${registry.address}/flags/attested:1`
  const { must, write } = bench()
  write('Dockerfile', dockerfile('RUN true'))
  await must(direct(image, '--provenance', 'mode=max'))
  const { manifest } = await mustBeStored(image)
  assert.is(listAt(manifest, 'manifests').length, 2)
})

test('--check reports warnings about a Dockerfile and builds nothing', async () => {
  const { bench } = await openBuildLab()
  const { fails, must, write } = bench()
  write('Dockerfile', dockerfile('RUN exit 7'))
  const { stderr } = await must(['-f', 'Dockerfile', '--check'])
  assert.match(stderr, 'no warnings')
  write('Dockerfile', dockerfile('MAINTAINER me', 'CMD echo \\', '  here'))
  const found = await fails(1, /DT4035: the check found 2 warnings/, [
    '-f',
    'Dockerfile',
    '--check',
    '--progress',
    'plain',
  ])
  assert.match(found.stderr, /DT4040: MaintainerDeprecated: .*\n {2}Dockerfile:2:1\n/)
  assert.match(found.stderr, /DT4040: JSONArgsRecommended: .*\n {2}Dockerfile:3:1\n/)
  write('Dockerfile', dockerfile('MAINTAINER me', 'RUNN true'))
  await fails(3, /DT4005: .*unknown instruction: RUNN/, ['-f', 'Dockerfile', '--check'])
  write('Dockerfile', 'FROM nowhere.invalid/nothing\nMAINTAINER me\n')
  const both = await fails(1, /DT4008: .*nowhere\.invalid/, ['-f', 'Dockerfile', '--check'])
  assert.match(both.stderr, 'MaintainerDeprecated')
})

test('the Dockerfiles of a Compose file are checked without building the images that they need', async () => {
  const { bench } = await openBuildLab()
  const { must, write } = bench()
  const web = '{build: {context: ., dockerfile: Web, additional_contexts: {base: service:base}}, depends_on: [base]}'
  write('compose.yaml', `name: checked\nservices:\n  web: ${web}\n  base: {build: .}\n`)
  write('Dockerfile', dockerfile('RUN exit 7'))
  write('Web', 'FROM base\nRUN exit 8\n')
  const { stderr } = await must(['--check'])
  assert.match(stderr, /base: no warnings/)
  assert.match(stderr, /web: no warnings/)
})

test('a builder that does not support checks is reported', async () => {
  const { bench } = await openBuildLab()
  await withDockerd({}, async (docker) => {
    const { run, write } = bench({ BUILDKIT_HOST: '', DOCKER_HOST: docker.address })
    write('Dockerfile', 'FROM scratch\nMAINTAINER me\n')
    const { status, stderr } = await run(['-f', 'Dockerfile', '--check'])
    // Docker can since version 27.
    assert.match(`${status} ${stderr}`, /^5 [^]*DT4024: .*cannot check Dockerfiles|^1 [^]*MaintainerDeprecated/)
  })
})

test('an entitlement that the builder does not grant is an error', async () => {
  const { bench, registry } = await openBuildLab()
  const { fails, write } = bench()
  write('Dockerfile', dockerfile('RUN --security=insecure true'))
  await fails(
    5,
    /DT4024: .*security.insecure is not allowed/,
    direct(`${registry.address}/flags/allowed:1`, '--allow', 'security.insecure'),
  )
})

test.run()
