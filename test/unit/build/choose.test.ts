import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { chosenImages } from '../../../src/domain/build/choose.ts'
import { forOneOnly, noFlags, withoutOwn } from '../../../src/domain/build/flags.ts'
import * as C from '../../../src/domain/checked.ts'
import { imagesIn } from '../../support/build/images.ts'

const images = imagesIn({
  'devtool.yml': `
build:
  web: {context: web, args: {FROM: "\${DEVTOOL_BUILD_BASE_IMAGE}"}, depends_on: [Tools]}
  base: {context: base, cache_from: "\${DEVTOOL_BUILD_BASE_IMAGE}"}
  Tools: {context: tools}
  other: other
services:
  web: {build: {context: svc, additional_contexts: {a: "service:lib"}}}
  lib: {build: {context: lib, args: {BASE: "\${DEVTOOL_BUILD_BASE_IMAGE}"}}}
`,
})

const pathsOf = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  C.valueOf(chosenImages(images, names))?.images.map(({ path }) => path) ?? []

test('images come after those they depend on', () => {
  assert.equal(pathsOf([]), [
    'build.base',
    'build.Tools',
    'build.web',
    'build.other',
    'services.lib.build',
    'services.web.build',
  ])
})

test('a named image is built with its dependencies', () => {
  assert.equal(pathsOf(['lib']), ['build.base', 'services.lib.build'])
  assert.equal(pathsOf(['other']), ['build.other'])
})

test('a name may refer to an entry and a service at once', () => {
  assert.equal(pathsOf(['web']), ['build.base', 'build.Tools', 'build.web', 'services.lib.build', 'services.web.build'])
  const { asked = [] } = C.valueOf(chosenImages(images, ['web'])) ?? {}
  assert.equal(
    asked.map(({ path }) => path),
    ['build.web', 'services.web.build'],
  )
})

test('an entry can be named as written, or by its normalized name', () => {
  assert.equal([pathsOf(['Tools']), pathsOf(['tools'])], [['build.Tools'], ['build.Tools']])
})

test('every unknown name is reported, with a suggestion', () => {
  assert.equal(
    C.findings(chosenImages(images, ['bas', 'web', 'zzz'])).map(({ code, help }) => [code, help]),
    [
      ['DT4026', 'did you mean "base"?'],
      ['DT4026', 'the images are web, base, tools, other and lib'],
    ],
  )
  assert.equal(
    C.findings(chosenImages([], ['web'])).map(({ help }) => help),
    ['nothing in the file has a build'],
  )
})

test('some flags require a single image', () => {
  const flags = { ...noFlags, target: 'prod', tags: ['a'], exportCache: ['c'], noCache: true }
  assert.equal(
    forOneOnly(flags, images.slice(0, 2)).map(({ message }) => message),
    [
      '--target applies to a single image, not web, base',
      '--tag applies to a single image, not web, base',
      '--export-cache applies to a single image, not web, base',
    ],
  )
  assert.equal(forOneOnly(flags, images.slice(0, 1)), [])
  assert.equal(forOneOnly({ ...noFlags, noCache: true }, images), [])
  assert.equal(withoutOwn(flags), { ...noFlags, noCache: true })
})

test.run()
