import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { deployedAs, namesOf, repositoryOf } from '../../../src/domain/build/names.ts'
import { imageOf } from '../../support/build/images.ts'

const naming = { environment: 'shop', registry: 'registry.example.com/team/' }
const hash = '0123456789ab'

test('an image without a name is named after the environment, with its content hash as tag', () => {
  const image = imageOf('web')
  const name = `registry.example.com/team/shop-web:${hash}`
  assert.equal(namesOf(image, { ...naming, hash }), { names: [name], primary: name, hashed: name })
  assert.equal(namesOf(image, { environment: 'shop', hash }).names, [`shop-web:${hash}`])
})

test('while the content is unknown the tag is dev', () => {
  assert.equal(namesOf(imageOf('web'), naming), {
    names: ['registry.example.com/team/shop-web:dev'],
    primary: 'registry.example.com/team/shop-web:dev',
  })
})

test('names given by the user are kept, and one with the content hash is added', () => {
  const image = imageOf('{context: web, tags: ["r.example.com:5000/other:a"]}', '    image: r.example.com:5000/x/web:1')
  assert.equal(namesOf(image, { ...naming, hash, tags: ['r.example.com:5000/x/web:1', 'b'] }), {
    names: ['r.example.com:5000/x/web:1', 'r.example.com:5000/other:a', 'b', `r.example.com:5000/x/web:${hash}`],
    primary: 'r.example.com:5000/x/web:1',
    hashed: `r.example.com:5000/x/web:${hash}`,
  })
})

test('tags are added to the name after the environment', () => {
  assert.equal(namesOf(imageOf('{tags: [r.example.com/web:1]}'), { ...naming, hash }).names, [
    `registry.example.com/team/shop-web:${hash}`,
    'r.example.com/web:1',
  ])
})

test('a pod refers to the digest only', () => {
  assert.is(deployedAs('localhost:5000/web:1@sha256:aa'), 'localhost:5000/web@sha256:aa')
  assert.is(deployedAs('web@sha256:aa'), 'web@sha256:aa')
  assert.is(deployedAs('web:1'), 'web:1')
  assert.is(repositoryOf('localhost:5000/web'), 'localhost:5000/web')
})

test.run()
