/** What the command line says of an image, at a real builder. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../src/domain/cluster/json.ts'
import { listAt, textAt } from '../../src/domain/cluster/json.ts'
import { direct, dockerfile, openBuildLab } from '../support/build/e2e.ts'
import { mustBeStored } from '../support/build/image.ts'

const test = suite('flags of build -f')

test('labels, hosts, a network, arguments and further contexts have their effect', async () => {
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

test('attestations make the image a list with one entry more', async () => {
  const { bench, registry } = await openBuildLab()
  const image = `${registry.address}/flags/attested:1`
  const { must, write } = bench()
  write('Dockerfile', dockerfile('RUN true'))
  await must(direct(image, '--provenance', 'mode=max'))
  const { manifest } = await mustBeStored(image)
  assert.is(listAt(manifest, 'manifests').length, 2)
})

test('a right that the builder does not grant is an error', async () => {
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
