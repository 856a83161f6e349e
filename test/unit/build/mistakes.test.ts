import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sameNames } from '../../../src/domain/build/same-name.ts'
import { solveOf } from '../../../src/domain/build/solve-of.ts'
import * as C from '../../../src/domain/checked.ts'
import { type Diagnostic, error, inFileOrder } from '../../../src/domain/diagnostic/diagnostic.ts'
import { factsOf } from '../../support/build/images.ts'
import { type Files, translateFiles } from '../../support/compose/project.ts'

const digest = `sha256:${'a'.repeat(64)}`

const shared = `platforms: [linux/amd64, linux//amd], extra_hosts: ["a=[db]"], additional_contexts: {a: "oci-layout://x", b: }, provenance: mode=all, sbom: generator`
const compose = {
  'compose.yaml': `services: {web: {build: {${shared}, cache_to: ["type="], tags: ["x@${digest}"]}}}`,
}
const manifest = {
  'devtool.yml': `build: {web: {${shared}, export_cache: "type=", image: "r.example.com/x@${digest}"}}`,
}

const wrongIn = (files: Files): ReadonlyArray<Diagnostic> =>
  translateFiles(files).findings.filter(({ severity }) => severity === 'error')

const said = ({ at, code, message }: Diagnostic) => [code, at?.line, at?.col, message]

const messages = [
  '"linux//amd" is not a valid platform',
  '"db" is not an IP address',
  'the context a=oci-layout://x is not supported',
  'the context b= says nothing',
  '"mode=all" is not a valid provenance attestation',
  '"generator" is not a valid sbom attestation',
  'the cache "type=" is neither a reference nor type=…',
]

test('invalid values are reported when the file is read, all at once and each at its place', () => {
  for (const files of [compose, manifest]) {
    const found = wrongIn(files)
    assert.equal(new Set(found.map(({ code }) => code)), new Set(['DT4031']))
    assert.equal(new Set(found.map(({ at }) => `${at?.line}:${at?.col}`)).size, messages.length + 1)
    for (const message of [
      ...messages,
      'is not a valid name to push to: a digest is only known once the image is built',
    ]) {
      assert.is(found.filter((one) => one.message.endsWith(message)).length, 1, message)
    }
  }
})

test('settings that only this machine knows are left out of a build with a warning', () => {
  const build =
    'network: mynet, cache_from: ["type=local,src=x"], cache_to: ["type=local,dest=x"], extra_hosts: ["a=host-gateway"]'
  const { findings, images } = translateFiles({ 'compose.yaml': `services: {web: {build: {${build}}}}` })
  assert.equal(
    findings.map(({ code, severity }) => `${severity} ${code}`),
    Array(4).fill('warning DT1102'),
  )
  const [image] = images
  assert.ok(image)
  const solve = C.valueOf(solveOf(image, factsOf()))
  assert.equal(solve?.cacheImports, [])
  assert.equal(solve?.cacheExports, [])
  assert.is(solve?.frontend.has('add-hosts'), false)
  assert.is(solve?.frontend.has('force-network-mode'), false)
})

test('a host of a build may have several addresses', () => {
  const build = 'extra_hosts: {a: [192.0.2.1, "2001:db8::1"], b: 192.0.2.2}'
  const [image] = translateFiles({ 'compose.yaml': `services: {web: {build: {${build}}}}` }).images
  assert.ok(image)
  const hosts = C.valueOf(solveOf(image, factsOf()))?.frontend.get('add-hosts')
  assert.is(hosts, 'a=192.0.2.1,a=2001:db8::1,b=192.0.2.2')
})

test('an error that the build reports again is shown once', () => {
  // What is wrong in a manifest leaves no images to build.
  const [image] = translateFiles(compose).images
  assert.ok(image)
  const read = wrongIn(compose)
  const again = C.findings(solveOf(image, factsOf()))
  assert.is(again.length, read.length)
  assert.equal(inFileOrder([], [...read, ...again]).map(said), inFileOrder([], read).map(said))
})

test('a value that depends on a build is not an error', () => {
  const late = '${DEVTOOL_BUILD_BASE_IMAGE}'
  const build = `{cache_from: ["${late}"], additional_contexts: {a: "docker-image://${late}"}, target: "${late}"}`
  const files = {
    'devtool.yml': `build: {base: base, x: {image: "${late}"}, y: ${build}}\nservices: {web: {build: ${build}}}`,
  }
  assert.equal(wrongIn(files), [])
})

test('a dollar sign in an image name is reported when the file is read', () => {
  assert.equal(
    wrongIn({ 'devtool.yml': 'build: {web: {image: "r.example.com/a$$b"}}' }).map(({ code }) => code),
    ['DT1026'],
  )
})

const codesOf = (build: string): ReadonlyArray<string> =>
  wrongIn({ 'compose.yaml': `services: {web: {build: ${build}}}` }).map(({ code }) => code)

test('limits are the same as those of the builder', () => {
  assert.equal(codesOf('{ulimits: {nofile: {soft: 1, hard: 2}, core: -1, nproc: {soft: 5}}}'), [])
  assert.equal(codesOf('{ulimits: {nofiles: 1}}'), ['DT4031'])
  assert.equal(codesOf('{ulimits: {nofile: {soft: 3, hard: 2}}}'), ['DT4031'])
  assert.equal(codesOf('{ulimits: {nofile: {soft: -1, hard: 2}}}'), ['DT4031'])
  assert.equal(codesOf('{ulimits: {nofile: -2}}'), ['DT4031'])
  assert.equal(codesOf('{ulimits: {nofile: {}}}'), ['DT1003'])
  assert.equal(codesOf('{shm_size: 64x}'), ['DT1020'])
})

/** What a build would say of the images of these files; reading them only warns. */
const namesakes = (files: Files): ReadonlyArray<Diagnostic> => {
  const read = translateFiles(files)
  const warned = read.findings.filter(({ code, severity }) => code === 'DT4031' && severity === 'warning')
  const found = sameNames(read.images, error)
  assert.is(warned.length, found.length)
  return found
}

const pair = (first: string, second: string) =>
  namesakes({ 'compose.yaml': `services:\n  web: {image: r.example.com/a, build: ${first}}\n  job: ${second}` })

test('services may share an image with the same definition', () => {
  for (const alike of [
    '{image: "r.example.com/a:latest", build: {context: ., args: {A: 1, B: 2}}}',
    '{image: r.example.com/a, build: {context: ./, dockerfile: Dockerfile, args: [B=2, A=1], pull: true}}',
  ]) {
    assert.equal(pair('{context: ., args: {A: 1, B: 2}}', alike), [])
  }
  assert.equal(pair('.', '{image: r.example.com/b, build: other}'), [])
  assert.equal(pair('.', '{image: r.example.com/a}'), [])
})

test('one name for two builds is an error at the second when they are built', () => {
  for (const other of [
    'other',
    '{dockerfile: Dev}',
    '{dockerfile_inline: FROM scratch}',
    '{target: a}',
    '{args: [A=1]}',
  ]) {
    const [found, ...more] = pair('.', `{image: "r.example.com/a:latest", build: ${other}}`)
    assert.equal([found?.code, found?.at?.line, found?.at?.col, more], ['DT4031', 3, 16, []], other)
    assert.match(found?.message ?? '', 'also the name of services.web.build')
  }
})

test('an entry of the manifest and a service may not have one name for two builds either', () => {
  const files = (build: string) => ({
    'devtool.yml': `build: {api: {context: ., image: r.example.com/a}}\nservices: {web: {image: r.example.com/a, build: ${build}}}`,
  })
  assert.equal(namesakes(files('.')), [])
  assert.equal(
    namesakes(files('web')).map(({ code, path }) => [code, path]),
    [['DT4031', 'services.web.image']],
  )
})

test('the URL of a git repository has no query that only a server would read', () => {
  const wrong = wrongIn({
    'compose.yaml': `services:
  a: {build: "https://example.com/a.git?token=word#main"}
  b: {build: {context: ., additional_contexts: {x: "https://github.com/a/b?access=word"}}}
  c: {build: "https://example.com/a.git?ref=main&subdir=x"}
  d: {build: "https://example.com/a.tar.gz?sig=word"}
`,
  })
  assert.equal(
    wrong.map(({ code, message, path }) => [code, path, message.replace(`${path}: `, '')]),
    [
      ['DT4031', 'services.a.build', 'the URL of a git repository has no "token" in its query'],
      ['DT4031', 'services.b.build.additional_contexts.x', 'the URL of a git repository has no "access" in its query'],
    ],
  )
})

test.run()
