import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { noFlags } from '../../../src/domain/build/flags.ts'
import type { Image } from '../../../src/domain/build/image.ts'
import type { Solve } from '../../../src/domain/build/solve.ts'
import { solveOf } from '../../../src/domain/build/solve-of.ts'
import * as C from '../../../src/domain/checked.ts'
import { factsOf, imageOf, imagesIn } from '../../support/build/images.ts'
import { translateFiles } from '../../support/compose/project.ts'

type FactOptions = Parameters<typeof factsOf>[0]

const solved = (image: Image, given: FactOptions = {}): Solve => {
  const solve = solveOf(image, factsOf(given))
  const value = C.valueOf(solve)
  if (value === undefined || C.hasErrors(C.findings(solve))) throw new Error(JSON.stringify(C.findings(solve)))
  return value
}

const codesOf = (image: Image, given: FactOptions = {}): ReadonlyArray<string> =>
  C.findings(solveOf(image, factsOf(given))).map(({ code }) => code)

const attrsOf = (build: string, given: FactOptions = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(solved(imageOf(build), given).frontend)

test('a folder and its Dockerfile are served', () => {
  const solve = solved(imageOf('web'))
  assert.equal([...solve.frontend], [['filename', 'Dockerfile']])
  assert.equal(
    [...solve.served],
    [
      ['context', { _tag: 'Folder', path: '/home/dev/shop/web' }],
      ['dockerfile', { _tag: 'Folder', path: '/home/dev/shop/web' }],
    ],
  )
  assert.equal([solve.names, solve.output], [['registry.example.com/shop-web:dev'], 'Push'])
})

test('an inline Dockerfile is served as text', () => {
  const solve = solved(imageOf('{dockerfile_inline: "FROM scratch"}'), { dockerfile: undefined })
  assert.equal(solve.served.get('dockerfile'), { _tag: 'Text', file: 'Dockerfile', text: 'FROM scratch' })
})

test('the builder fetches a URL, with its Dockerfile', () => {
  const url = 'https://example.com/shop.git#main'
  const solve = solved(imageOf(`{context: "${url}", dockerfile: Dev}`), { dockerfile: undefined })
  assert.equal(Object.fromEntries(solve.frontend), { context: url, filename: 'Dev' })
  assert.is(solve.served.size, 0)
  const inline = solved(imageOf(`{context: "${url}", dockerfile_inline: FROM scratch}`), { dockerfile: undefined })
  assert.is(inline.frontend.get('dockerfilekey'), 'dockerfile')
  assert.equal([...inline.served.keys()], ['dockerfile'])
})

test('every option is an attribute of the frontend', () => {
  const build = `{target: prod, no_cache: true, pull: true, platforms: [linux/amd64, linux/arm64], labels: {team: a, bare: },
      extra_hosts: ["db:10.0.0.1", "six=[::1]", "two=10.0.0.2,10.0.0.3"], network: none, provenance: mode=max, sbom: true, shm_size: 64m, ulimits: {nofile: 1024, nproc: {soft: 1, hard: -1}}}`
  assert.equal(attrsOf(build), {
    filename: 'Dockerfile',
    target: 'prod',
    'no-cache': '',
    'image-resolve-mode': 'pull',
    platform: 'linux/amd64,linux/arm64',
    'label:team': 'a',
    'label:bare': '',
    'add-hosts': 'db=10.0.0.1,six=::1,two=10.0.0.2,two=10.0.0.3',
    'force-network-mode': 'none',
    'attest:provenance': 'mode=max',
    'attest:sbom': '',
    'shm-size': '67108864',
    ulimit: 'nofile=1024:1024,nproc=1:-1',
  })
})

test('options that are switched off are not sent', () => {
  assert.equal(
    attrsOf('{no_cache: false, pull: false, provenance: false, sbom: "no", network: default, shm_size: 0}'),
    {
      filename: 'Dockerfile',
    },
  )
})

test('the host network requires an entitlement', () => {
  assert.equal(solved(imageOf('{network: host}')).entitlements, ['network.host'])
  assert.equal(solved(imageOf('{entitlements: [network.host]}')).entitlements, ['network.host'])
  assert.equal(solved(imageOf('{network: host, entitlements: [network.host]}')).entitlements, ['network.host'])
  assert.is(solved(imageOf('{entitlements: [security.insecure]}')).entitlements, undefined)
  assert.is(solved(imageOf('web')).entitlements, undefined)
})

test('stages of no_cache_filter are rebuilt, and all stages with no_cache', () => {
  assert.is(attrsOf('{no_cache_filter: [base, "test"]}')['no-cache'], 'base,test')
  assert.is(attrsOf('{no_cache_filter: base, no_cache: true}')['no-cache'], '')
  const flags = { ...noFlags, noCache: true }
  assert.is(attrsOf('{no_cache_filter: base}', { flags })['no-cache'], '')
})

test('the command line takes precedence over the file', () => {
  const flags = {
    ...noFlags,
    noCache: true,
    target: 'test',
    platforms: ['linux/arm64'],
    buildArgs: new Map([['A', '$x']]),
  }
  assert.equal(attrsOf('{target: prod, platforms: [linux/amd64], args: {A: "1", B: "2"}}', { flags }), {
    filename: 'Dockerfile',
    target: 'test',
    'no-cache': '',
    platform: 'linux/arm64',
    'build-arg:A': '$x',
    'build-arg:B': '2',
  })
})

test('SOURCE_DATE_EPOCH is passed on, and --reproducible sets it and has times rewritten', () => {
  const of = (isReproducible: boolean, env: Readonly<Record<string, string>>, args = '{}') => {
    const solve = solved(imageOf(`{args: ${args}}`), { env, flags: { ...noFlags, isReproducible } })
    return [solve.frontend.get('build-arg:SOURCE_DATE_EPOCH'), solve.rewritesTimes]
  }
  assert.equal(of(false, {}), [undefined, undefined])
  assert.equal(of(false, { SOURCE_DATE_EPOCH: '7' }), ['7', undefined])
  assert.equal(of(true, {}), ['315619200', true])
  assert.equal(of(true, { SOURCE_DATE_EPOCH: '7' }), ['7', true])
  assert.equal(of(true, { SOURCE_DATE_EPOCH: '7' }, '{SOURCE_DATE_EPOCH: "9"}'), ['9', true])
})

const argsIn = (image: Image, given: FactOptions = {}): ReadonlyArray<readonly [string, string]> =>
  [...(C.valueOf(solveOf(image, factsOf(given)))?.frontend ?? [])].flatMap(([name, value]) =>
    name.startsWith('build-arg:') ? [[name.slice('build-arg:'.length), value] as const] : [],
  )

test('a variable in a build argument is replaced once, when the file is read', () => {
  const text = 'args: ["A=$${HOME}-$$HOME", "B=$NESTED", "C=cost: 5$$", "D=$OWN$NESTED", BARE, NONE, E=]'
  const wanted = {
    shell: new Map([
      ['NESTED', '$USER'],
      ['BARE', '$HOME'],
    ]),
  }
  const files = [
    { 'compose.yaml': `services: {web: {build: {${text}}}}`, '.env': 'NESTED=no\nOWN=env' },
    { 'devtool.yml': `build: {web: {${text}}}`, '.env': 'NESTED=no\nOWN=env' },
  ]
  for (const one of files) {
    const [image] = translateFiles(one, wanted).images
    assert.ok(image)
    const env = { HOME: '/home/dev', USER: 'ann', NESTED: '$USER', BARE: '$HOME' }
    assert.equal(argsIn(image, { env }), [
      ['A', '${HOME}-$HOME'],
      ['B', '$USER'],
      ['C', 'cost: 5$'],
      ['D', 'env$USER'],
      ['BARE', '$HOME'],
      ['E', ''],
    ])
    assert.equal(codesOf(image, { env }), [])
  }
})

test('an unset variable of an image is kept, with a warning', () => {
  const text = 'args: {A: "${DEVTOOL_BUILD_NONE_IMAGE}", B: "${DEVTOOL_BUILD_HERE_IMAGE}"}'
  const [image] = imagesIn({ 'devtool.yml': `build: {web: {${text}}}` })
  assert.ok(image)
  const env = { DEVTOOL_BUILD_HERE_IMAGE: 'r.example.com/here' }
  assert.equal(argsIn(image, { env }), [
    ['A', '${DEVTOOL_BUILD_NONE_IMAGE}'],
    ['B', 'r.example.com/here'],
  ])
  assert.equal(
    C.findings(solveOf(image, factsOf({ env }))).map(({ code, path, severity }) => [code, path, severity]),
    [['DT4042', 'build.web.args.A', 'warning']],
  )
})

test('a credential in a build argument is a warning', () => {
  const found = C.findings(solveOf(imageOf('{args: {NPM_TOKEN: hunter2}}'), factsOf()))
  assert.equal(
    found.map(({ code }) => code),
    ['DT1104'],
  )
  assert.not.match(JSON.stringify(found), 'hunter2')
  const flags = { ...noFlags, buildArgs: new Map([['API_KEY', 'hunter2']]) }
  assert.equal(codesOf(imageOf('web'), { flags }), ['DT1104'])
})

test('proxy settings of this machine are not sent to the builder', () => {
  assert.equal(attrsOf('web', { env: { HTTP_PROXY: 'http://me:pw@proxy' } }), { filename: 'Dockerfile' })
})

const digest = `sha256:${'a'.repeat(64)}`

test('images that were built before are arguments and contexts', () => {
  const images = imagesIn({
    'devtool.yml': `
build: {base: base}
services:
  lib: {build: lib}
  web:
    build:
      args: {BASE: "\${DEVTOOL_BUILD_BASE_IMAGE}", TAG: "\${DEVTOOL_BUILD_BASE_TAG}"}
      additional_contexts: {lib: "service:lib", base: "docker-image://\${DEVTOOL_BUILD_BASE_IMAGE}"}
`,
  })
  const built = new Map([
    ['build.base', `r.example.com/base:1@${digest}`],
    ['services.lib.build', `r.example.com/lib:1@${digest}`],
  ])
  const web = images.find(({ name }) => name === 'web')
  assert.ok(web)
  assert.equal(Object.fromEntries(solved(web, { images, built }).frontend), {
    filename: 'Dockerfile',
    'build-arg:BASE': `r.example.com/base@${digest}`,
    'build-arg:TAG': digest,
    'context:lib': `docker-image://r.example.com/lib@${digest}`,
    'context:base': `docker-image://r.example.com/base@${digest}`,
  })
  assert.equal(codesOf(web, { images: [] }), ['DT4042', 'DT4042', 'DT4031'])
})

test('additional contexts are served under their own names', () => {
  const solve = solved(
    imageOf('{additional_contexts: {shared: ../shared, context: x, "docker.io/library/base:latest": y}}'),
  )
  assert.equal(
    [...solve.frontend].filter(([name]) => name.startsWith('context:')),
    [
      ['context:shared', 'local:shared'],
      ['context:context', 'local:_context'],
      ['context:base', 'local:base'],
    ],
  )
  assert.equal(solve.served.get('_context'), { _tag: 'Folder', path: '/home/dev/shop/x' })
  assert.equal(solve.served.get('shared'), { _tag: 'Folder', path: '/home/dev/shared' })
})

test('cache is imported from references and from other sources of BuildKit', () => {
  const image = imageOf('{cache_from: [r.example.com/a, "type=gha,scope=x", r.example.com/a]}')
  const flags = { ...noFlags, cacheFrom: ['type=registry,"ref=r.example.com/b"'] }
  const entries = solved(image, { flags }).cacheImports.map(({ attrs, type }) => [type, Object.fromEntries(attrs)])
  assert.equal(entries, [
    ['registry', { ref: 'r.example.com/a' }],
    ['gha', { scope: 'x' }],
    ['registry', { ref: 'r.example.com/b' }],
  ])
})

test('cache is exported into the image, or elsewhere with all steps', () => {
  const names = ['r.example.com/web:1']
  const image = imageOf('{cache_to: ["type=inline", "type=registry,ref=c"], export_cache: r.example.com/web:1}')
  const flags = { ...noFlags, exportCache: ['r.example.com/cache'] }
  const entries = solved(image, { flags, names }).cacheExports.map(({ attrs, type }) => [
    type,
    Object.fromEntries(attrs),
  ])
  assert.equal(entries, [
    ['inline', {}],
    ['registry', { ref: 'c', mode: 'min' }],
    ['registry', { ref: 'r.example.com/cache', mode: 'max' }],
  ])
})

test('the Docker daemon exports cache only within the image', () => {
  assert.equal(codesOf(imageOf('{cache_to: ["type=inline"]}'), { isDocker: true }), [])
  assert.equal(codesOf(imageOf('{export_cache: r.example.com/c}'), { isDocker: true }), ['DT4024'])
})

test('secrets are files and values, and the command line takes precedence', () => {
  const image = imageOf(
    '{secrets: [npm, key]}',
    'secrets: {npm: {environment: NPM_TOKEN}, key: {file: keys/key.pem}}\n',
  )
  const flags = { ...noFlags, secrets: ['id=key,src=/etc/key', 'id=GIVEN', 'id=token.txt', 'type=env,id=e,src=E'] }
  assert.equal(solved(image, { flags, env: { NPM_TOKEN: 't', GIVEN: 'g', E: 'e' } }).secrets, [
    { id: 'npm', source: { _tag: 'Value', value: 't' } },
    { id: 'key', source: { _tag: 'File', file: '/etc/key' } },
    { id: 'GIVEN', source: { _tag: 'Value', value: 'g' } },
    { id: 'token.txt', source: { _tag: 'File', file: '/home/dev/shop/token.txt' } },
    { id: 'e', source: { _tag: 'Value', value: 'e' } },
  ])
  assert.equal(codesOf(image), ['DT4015'])
})

test('invalid secrets are refused', () => {
  for (const secret of ['', 'x', 'id=', 'id=a,src=b,env=c', 'id=a,file=b', 'id=a,type=x', 'id=a,"src=b']) {
    assert.equal(codesOf(imageOf('web'), { flags: { ...noFlags, secrets: [secret] } }), ['DT2001'], secret)
  }
})

test('SSH keys come from the agent or from files', () => {
  assert.equal(solved(imageOf('{ssh: [default, "k=keys/a,~/b"]}'), { env: { HOME: '/home/dev' } }).ssh, [
    { id: 'default', paths: [] },
    { id: 'k', paths: ['/home/dev/shop/keys/a', '/home/dev/b'] },
  ])
})

test.run()
