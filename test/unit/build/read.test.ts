import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { chosenImages } from '../../../src/domain/build/choose.ts'
import * as C from '../../../src/domain/checked.ts'
import { imageOf, imagesIn } from '../../support/build/images.ts'
import { objectsOf, translateFiles } from '../../support/compose/project.ts'

const valuesOf = (written: ReadonlyArray<{ readonly name: string; readonly value?: string }>) =>
  written.map(({ name, value }) => [name, value])

const errorsOf = (compose: string): ReadonlyArray<string> =>
  translateFiles({ 'compose.yaml': compose }).findings.flatMap(({ code, severity }) =>
    severity === 'error' ? [code] : [],
  )

test('a plain path is the context', () => {
  const image = imageOf('./web')
  assert.is(image.name, 'web')
  assert.is(image.path, 'services.web.build')
  assert.is(image.context.value, 'web')
  assert.equal(image.images, [])
})

test('a context is a folder beside the file, or what the builder fetches', () => {
  assert.is(imageOf('{dockerfile: Dev}').context.value, '.')
  for (const url of ['https://example.com/shop.git#main:web', 'git@example.com:shop.git', 'github.com/acme/shop']) {
    assert.is(imageOf(url).context.value, url)
  }
})

test('every build option of a service is read', () => {
  const image = imageOf(
    `{context: web, dockerfile: Dev, target: prod, args: [A=1, "B=$$HOME", C], cache_from: [a, b], cache_to: ["type=inline"],
      export_cache: c, additional_contexts: {shared: ../shared, base: "docker-image://alpine"}, ssh: [default, "k=keys/a,~/b"],
      no_cache: true, pull: true, platforms: [linux/amd64], labels: {team: a}, tags: ["r.example.com/x:1"], network: host,
      extra_hosts: ["db=::1"], provenance: mode=max, sbom: true}`,
  )
  assert.equal([image.dockerfile?.value, image.target?.value, image.network?.value], ['Dev', 'prod', 'host'])
  assert.equal(valuesOf(image.args), [
    ['A', '1'],
    ['B', '$HOME'],
    ['C', undefined],
  ])
  assert.equal(
    [...image.cacheFrom, ...image.exportCache, ...image.platforms, ...(image.tags ?? [])].map(({ value }) => value),
    ['a', 'b', 'type=inline', 'c', 'linux/amd64', 'r.example.com/x:1'],
  )
  assert.equal(valuesOf(image.additionalContexts), [
    ['shared', '../shared'],
    ['base', 'docker-image://alpine'],
  ])
  assert.equal(valuesOf(image.ssh), [
    ['default', undefined],
    ['k', 'keys/a,~/b'],
  ])
  assert.equal([valuesOf(image.labels), valuesOf(image.extraHosts)], [[['team', 'a']], [['db', '::1']]])
  assert.equal([image.noCache?.value, image.pull?.value], [true, true])
  assert.equal([image.provenance?.value, image.sbom?.value], ['mode=max', 'true'])
})

test('a single SSH agent needs no list', () => {
  assert.equal(valuesOf(imageOf('{ssh: default}').ssh), [['default', undefined]])
  assert.equal(valuesOf(imageOf('{ssh: {k: keys/a}}').ssh), [['k', 'keys/a']])
})

test('build secrets refer to top-level secrets', () => {
  const image = imageOf(
    '{secrets: [npm, {source: key, target: id_rsa}]}',
    'secrets: {npm: {environment: NPM_TOKEN}, key: {file: keys/key.pem}}\n',
  )
  assert.equal(
    image.secrets.map(({ at: _at, path: _path, source: _source, ...secret }) => secret),
    [
      { _tag: 'Variable', id: 'npm', variable: 'NPM_TOKEN' },
      { _tag: 'File', id: 'id_rsa', file: 'keys/key.pem' },
    ],
  )
})

test('a secret that builds do not support is an error', () => {
  const build = (secret: string, defined: string) =>
    `services: {web: {build: {secrets: [${secret}]}}}\nsecrets: ${defined}`
  assert.equal(errorsOf(build('a', '{a: {external: true}}')), ['DT4031'])
  assert.equal(errorsOf(build('a', '{a: {content: x}}')), ['DT4031'])
  assert.equal(errorsOf(build('b', '{a: {file: x}}')), ['DT1025'])
  assert.equal(errorsOf(build('{source: b}', '{a: {file: x}}')), ['DT1025'])
  assert.equal(errorsOf(build('{target: b}', '{a: {file: x}}')), ['DT1003'])
})

test('a service whose image is a build context is built first', () => {
  const images = imagesIn({
    'compose.yaml': 'services: {web: {build: {additional_contexts: {base: "service:base"}}}, base: {build: base}}',
  })
  assert.equal(
    images.map(({ dependsOn, name }) => [name, dependsOn.map(({ value }) => value)]),
    [
      ['web', ['base']],
      ['base', []],
    ],
  )
  assert.equal(errorsOf('services: {web: {build: {additional_contexts: ["a=service:b"]}}, b: {image: x}}'), ['DT1013'])
  assert.equal(
    errorsOf(
      'services: {a: {build: {additional_contexts: ["x=service:b"]}}, b: {build: {additional_contexts: ["x=service:a"]}}}',
    ),
    ['DT1503'],
  )
})

test('an image used in FROM or COPY --from is built first', () => {
  const images = imagesIn({
    'compose.yaml': `services:
  web: {build: web, image: app}
  job: {build: {dockerfile_inline: "FROM x AS tools\\nFROM app\\nCOPY --from=tools / /\\nFROM $X"}}
  twin: {build: web, image: "app:latest"}
  base: {build: base, image: "r.example.com/base:1"}
  lib: {build: lib, image: lib}
  tools: {build: tools, image: tools}
  off: {build: off, image: off, profiles: [off]}`,
    'web/Dockerfile':
      'FROM --platform=linux/amd64 r.example.com/base:1 as one\nFROM app:latest AS own\nCOPY --chown=1 --from=docker.io/library/lib / /\nFROM off',
    'base/Dockerfile': 'FROM r.example.com/base:2\nRUN --mount=type=bind,from=lib,target=/lib true',
    'lib/Dockerfile': 'FROM scratch',
  })
  assert.equal(
    images.map(({ dependsOn, name }) => [name, dependsOn.map(({ value }) => value)]),
    [
      ['web', ['base', 'lib']],
      ['job', ['web', 'twin']],
      ['twin', ['base', 'lib']],
      ['base', ['lib']],
      ['lib', []],
      ['tools', []],
    ],
  )
  assert.equal(
    C.valueOf(chosenImages(images, ['web']))?.images.map(({ name }) => name),
    ['lib', 'base', 'web'],
  )
})

const three = {
  'compose.yaml':
    'services: {a: {build: a}, b: {build: b, depends_on: [a]}, c: {build: c, profiles: [c]}, d: {image: nginx}}',
}

test('only images of deployed services are built', () => {
  const names = (services: ReadonlyArray<string>) => translateFiles(three, { services }).images.map(({ name }) => name)
  assert.equal(names([]), ['a', 'b'])
  assert.equal(names(['a']), ['a'])
  assert.equal(names(['b']), ['a', 'b'])
  assert.equal(names(['c']), ['c'])
  assert.equal(names(['d']), [])
})

const manifest = {
  'devtool.yml': `
build: {base: base, api: {context: ., image: "registry.example.com/api:1"}}
deploy: ["make $DEVTOOL_BUILD_API_IMAGE"]
services:
  web:
    build: {args: {FROM: "\${DEVTOOL_BUILD_BASE_IMAGE}", PLAIN: "\${PLAIN:-p}"}}
    image: registry.example.com/web:1
    environment: {BASE: "\${DEVTOOL_BUILD_BASE_IMAGE}"}
  api: {image: "\${DEVTOOL_BUILD_API_IMAGE}"}
  job: {build: job}
`,
}

test('a reference to an image waits for its build in anchors, merged files and other files', () => {
  const base = '${DEVTOOL_BUILD_BASE_IMAGE}'
  const args = `{args: {FROM: "${base}"}}`
  const files = {
    'devtool.yml': `build: {base: base}\nx-web: &web {build: ${args}, environment: {B: "${base}"}}
services: {a: *web, b: {<<: *web}, c: {extends: {file: more.yaml, service: c}}}`,
    'more.yaml': `services: {c: {build: ${args}, environment: {B: "${base}"}}}`,
  }
  const translation = translateFiles(files)
  assert.equal(
    translation.images.slice(1).map((image) => image.args.map(({ value }) => value)),
    [[base], [base], [base]],
  )
  const values = objectsOf(translation).flatMap((object) =>
    object.kind === 'Deployment'
      ? object.spec.template.spec.containers.flatMap(({ env = [] }) => env.map(({ value }) => value))
      : [],
  )
  assert.equal(values, ['shop-base:dev', 'shop-base:dev', 'shop-base:dev'])
})

const digest = `sha256:${'a'.repeat(64)}`

test('all images of a manifest are built, then those of services', () => {
  assert.equal(
    imagesIn(manifest).map(({ path }) => path),
    ['build.base', 'build.api', 'services.web.build', 'services.job.build'],
  )
})

test('build arguments that refer to an earlier image wait for it', () => {
  const web = imagesIn(manifest)[2]
  assert.equal(valuesOf(web?.args ?? []), [
    ['FROM', '${DEVTOOL_BUILD_BASE_IMAGE}'],
    ['PLAIN', 'p'],
  ])
})

test('after the build everything refers to the built images', () => {
  const built = new Map([
    ['build.base', `shop-base:0123@${digest}`],
    ['build.api', `registry.example.com/api:1@${digest}`],
    ['services.web.build', `registry.example.com/web:1@${digest}`],
    ['services.job.build', 'shop-job:0123'],
  ])
  const translation = translateFiles(manifest, { built })
  const containers = objectsOf(translation).flatMap((object) =>
    object.kind === 'Deployment' ? object.spec.template.spec.containers : [],
  )
  assert.equal(
    containers.map(({ image }) => image),
    [`registry.example.com/web@${digest}`, `registry.example.com/api@${digest}`, 'shop-job:0123'],
  )
  assert.equal(containers[0]?.env?.[0], { name: 'BASE', value: `shop-base@${digest}` })
  assert.equal(
    translation.images.map(({ path }) => path),
    translateFiles(manifest).images.map(({ path }) => path),
  )
})

test('the registry of the context is part of the names that variables hold', () => {
  const [, object] = objectsOf(
    translateFiles(
      { 'devtool.yml': 'build: {a: .}\nservices: {x: {image: nginx, command: "${DEVTOOL_BUILD_A_IMAGE}"}}' },
      { defaults: { registry: 'registry.example.com' } },
    ),
  ).toSorted(({ kind }) => (kind === 'Deployment' ? 1 : -1))
  const args = object?.kind === 'Deployment' ? object.spec.template.spec.containers[0]?.args : undefined
  assert.equal(args, ['registry.example.com/shop-a:dev'])
})

test.run()
