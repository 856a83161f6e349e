/** Laws of the hash that tells whether an image has to be built. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { hashOfIngredients, type Ingredients } from '../../src/domain/build/content-hash.ts'

const texts = fc.uniqueArray(fc.string(), { maxLength: 4 })
const pairs = fc
  .uniqueArray(fc.tuple(fc.string(), fc.string()), { maxLength: 4, selector: ([name]) => name })
  .map((entries) => new Map(entries))

const ingredients: fc.Arbitrary<Ingredients> = fc.record({
  context: fc.string(),
  dockerfile: fc.string({ unit: 'binary' }),
  args: pairs,
  secrets: texts,
  keys: texts,
  contexts: pairs,
  options: pairs,
  needs: pairs,
})

const mapReversed = (map: ReadonlyMap<string, string>): ReadonlyMap<string, string> => new Map([...map].toReversed())

test('the content hash does not depend on order', () => {
  fc.assert(
    fc.property(ingredients, (one) => {
      const other: Ingredients = {
        ...one,
        args: mapReversed(one.args),
        secrets: one.secrets.toReversed(),
        keys: one.keys.toReversed(),
        contexts: mapReversed(one.contexts),
        options: mapReversed(one.options),
        needs: mapReversed(one.needs),
      }
      assert.is(hashOfIngredients(other), hashOfIngredients(one))
    }),
  )
})

/** Everything that is in it, apart from the order. */
const meaningOf = (one: Ingredients): string =>
  JSON.stringify(
    [one.context, one.dockerfile, one.args, one.secrets, one.keys, one.contexts, one.options, one.needs].map((part) =>
      typeof part === 'string' ? part : [...part].map((member) => JSON.stringify(member)).toSorted(),
    ),
  )

test('any difference changes the content hash', () => {
  const fields = fc.constantFrom('context', 'dockerfile', 'args', 'secrets', 'keys', 'contexts', 'options', 'needs')
  fc.assert(
    fc.property(ingredients, ingredients, fields, (one, other, field) => {
      const changed: Ingredients = { ...one, [field]: other[field as keyof Ingredients] }
      assert.is(hashOfIngredients(changed) === hashOfIngredients(one), meaningOf(changed) === meaningOf(one))
    }),
  )
})

test('the content hash is 12 hexadecimal digits, valid in a tag', () => {
  fc.assert(fc.property(ingredients, (one) => assert.match(hashOfIngredients(one), /^[0-9a-f]{12}$/)))
})

test.run()
