import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { contentHash, type HashFacts } from '../../../src/domain/build/content-hash.ts'
import { noFlags } from '../../../src/domain/build/flags.ts'
import { factsOf, imageOf, imagesIn } from '../../support/build/images.ts'

const facts = (more: Partial<HashFacts> = {}): HashFacts => ({
  ...factsOf(),
  context: 'c'.repeat(64),
  contexts: new Map(),
  dockerfile: 'FROM scratch\n',
  ...more,
})

const hashOf = (build: string, more: Partial<HashFacts> = {}): string => contentHash(imageOf(build), facts(more))

test('the content hash is the same in every release', () => {
  assert.is(hashOf('{args: {A: "1"}, target: prod}'), '5b790456beb1')
})

test('the content hash depends on the content of the folder, not its path', () => {
  assert.is(hashOf('web'), hashOf('elsewhere'))
  assert.is.not(hashOf('web'), hashOf('web', { context: 'd'.repeat(64) }))
  assert.is.not(hashOf('web'), hashOf('web', { dockerfile: 'FROM alpine\n' }))
  assert.is.not(
    hashOf('https://a.example.com', { context: undefined }),
    hashOf('https://b.example.com', { context: undefined }),
  )
})

test('the content hash does not depend on order', () => {
  assert.is(
    hashOf(
      '{args: {A: "1", B: "2"}, labels: {a: "1", b: "2"}, platforms: [linux/amd64, linux/arm64], ulimits: {cpu: 1, core: 2}}',
    ),
    hashOf(
      '{args: {B: "2", A: "1"}, labels: {b: "2", a: "1"}, platforms: [linux/arm64, linux/amd64], ulimits: {core: 2, cpu: 1}}',
    ),
  )
})

test('each option that affects the image changes the content hash', () => {
  const hashes = [
    '{}',
    '{args: {A: "1"}}',
    '{args: {A: "2"}}',
    '{target: a}',
    '{labels: {a: "1"}}',
    '{platforms: [linux/arm64]}',
    '{extra_hosts: ["a=10.0.0.1"]}',
    '{network: none}',
    '{ssh: default}',
    '{additional_contexts: {a: "docker-image://alpine"}}',
    '{additional_contexts: {a: a}}',
    '{provenance: true}',
    '{shm_size: 64m}',
    '{ulimits: {nofile: 1024}}',
  ].map((build) => hashOf(build))
  assert.is(new Set(hashes).size, hashes.length)
})

test('options that only affect how it is built do not change the content hash', () => {
  assert.is(
    hashOf('{}'),
    hashOf(
      '{no_cache: true, pull: true, cache_from: [a], cache_to: ["type=inline"], tags: [x], entitlements: [network.host]}',
    ),
  )
})

test('the content hash includes values of arguments, but not of secrets', () => {
  const withValue = (arg: string, secret: string) =>
    contentHash(
      imageOf(`{args: ["A=${arg}"], secrets: [s]}`, 'secrets: {s: {environment: S}}\n'),
      facts({ variables: () => secret }),
    )
  assert.is(withValue('1', 'x'), withValue('1', 'y'))
  assert.is.not(withValue('1', 'x'), withValue('2', 'x'))
  assert.is.not(hashOf('{}'), hashOf('{}', { flags: { ...noFlags, secrets: ['id=a,src=b'] } }))
  assert.is(
    hashOf('{}', { flags: { ...noFlags, secrets: ['id=a,src=c'] } }),
    hashOf('{}', { flags: { ...noFlags, secrets: ['id=a,src=b'] } }),
  )
})

test('the content hash includes the digests of dependencies', () => {
  const images = imagesIn({
    'compose.yaml': 'services: {web: {build: {additional_contexts: {a: "service:lib"}}}, lib: {build: lib}}',
  })
  const [web] = images
  assert.ok(web)
  const hash = (reference: string) =>
    contentHash(web, facts({ images, built: new Map([['services.lib.build', reference]]) }))
  assert.is.not(hash('lib:1@sha256:a'), hash('lib:1@sha256:b'))
  assert.is(hash('lib:1@sha256:a'), hash('lib:2@sha256:a'))
})

test('SOURCE_DATE_EPOCH is part of the content hash only for reproducible builds', () => {
  const at = (epoch: string | undefined, isReproducible: boolean) =>
    hashOf('{}', {
      flags: { ...noFlags, isReproducible },
      variables: (name) => (name === 'SOURCE_DATE_EPOCH' ? epoch : undefined),
    })
  assert.is(at('1', false), at(undefined, false))
  assert.is(at('1', false), at('2', false))
  assert.is.not(at(undefined, true), at(undefined, false))
  assert.is(at('315619200', true), at(undefined, true))
  assert.is.not(at('1', true), at('2', true))
})

test('additional contexts are part of the content hash', () => {
  const hash = (of: string) => hashOf('{additional_contexts: {a: ../a}}', { contexts: new Map([['a', of]]) })
  assert.is.not(hash('1'), hash('2'))
})

test.run()
