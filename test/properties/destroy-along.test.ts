/** Which environments `destroy --dependencies` takes along, for any that depend on each other in any way. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { takenAlong } from '../../src/domain/destroy/along.ts'
import { type EnvironmentRecord, emptyRecord } from '../../src/domain/environment/record.ts'

const names = ['shop', 'api', 'auth', 'db', 'mail', 'other']
const repository = fc.constantFrom('git.test/a', 'git.test/b')
const records: fc.Arbitrary<ReadonlyArray<EnvironmentRecord>> = fc
  .uniqueArray(
    fc.record({
      environment: fc.constantFrom(...names),
      repository,
      dependencies: fc.array(fc.record({ name: fc.constantFrom(...names), repository }), { maxLength: 4 }),
    }),
    { selector: ({ environment }) => environment, maxLength: names.length },
  )
  .map((all) =>
    all.map(({ repository: from, ...one }) => ({
      ...emptyRecord(one.environment),
      ...one,
      source: { repository: from },
    })),
  )

const needs = (one: EnvironmentRecord, name: string): boolean =>
  one.dependencies?.some((dependency) => dependency.name === name) === true

test('no environment that stays needs one that is destroyed', () => {
  fc.assert(
    fc.property(records, (all) => {
      const taken = takenAlong('shop', all)
      const staying = all.filter((one) => one.environment !== 'shop' && !taken.includes(one))
      for (const { environment } of taken) assert.not.ok(staying.some((one) => needs(one, environment)))
    }),
  )
})

test('a dependency that is destroyed is needed by a destroyed environment, comes from the named repository, and is never the environment itself', () => {
  fc.assert(
    fc.property(records, (all) => {
      const taken = takenAlong('shop', all)
      const going = all.filter((one) => one.environment === 'shop' || taken.includes(one))
      assert.is(new Set(taken).size, taken.length)
      for (const { environment, source } of taken) {
        assert.is.not(environment, 'shop')
        const isNamed = ({ dependencies = [] }: EnvironmentRecord): boolean =>
          dependencies.some((one) => one.name === environment && one.repository === source.repository)
        assert.ok(going.some(isNamed))
      }
    }),
  )
})

test('without cycles, dependents come before their dependencies', () => {
  const downwards = records.map((all) =>
    all.map((one) => ({
      ...one,
      dependencies: (one.dependencies ?? []).filter(({ name }) => names.indexOf(name) > names.indexOf(one.environment)),
    })),
  )
  fc.assert(
    fc.property(downwards, (all) => {
      const taken = takenAlong('shop', all)
      for (const [index, { environment }] of taken.entries()) {
        assert.not.ok(taken.slice(index + 1).some((later) => needs(later, environment)))
      }
    }),
  )
})

test.run()
