/** Values of Compose fields as data: mappings, `NAME=value` lists, and texts that readers interpret differently. */
import * as fc from 'fast-check'
import type { Value } from '../../../src/domain/print/value.ts'
import type { Mapping } from './notation.ts'

export type ValueArbitrary = fc.Arbitrary<Value>

export const one = fc.constant
export const among = <A extends Value>(...values: ReadonlyArray<A>): fc.Arbitrary<A> => fc.constantFrom(...values)

/** A mapping of fields, in the given order; each is present with probability 1/`rarity`. */
export const fields = (members: Readonly<Record<string, ValueArbitrary>>, rarity = 2): fc.Arbitrary<Mapping> =>
  fc
    .tuple(
      ...Object.entries(members).map(([key, value]) =>
        fc.oneof(
          { weight: rarity - 1, arbitrary: one<ReadonlyArray<readonly [string, Value]>>([]) },
          { weight: 1, arbitrary: value.map((v) => [[key, v] as const]) },
        ),
      ),
    )
    .map((entries) => new Map(entries.flat()))

export const some = <A>(arbitrary: fc.Arbitrary<A>, maxLength = 3): fc.Arbitrary<Array<A>> =>
  fc.array(arbitrary, { maxLength })
export const distinct = <A>(arbitrary: fc.Arbitrary<A>, selector: (item: A) => unknown, maxLength = 4) =>
  fc.uniqueArray(arbitrary, { maxLength, selector })

/** Text that YAML, shells, variables and Kubernetes interpret differently; `$` is always escaped. */
export const nasty = fc.oneof(
  among(
    '',
    'yes',
    'No',
    '0o17',
    '1_000',
    '1e3',
    '~',
    'null',
    '<<',
    '12:30:45',
    '2024-01-01',
    '0x1f',
    '!tag',
    '&a',
    '*a',
  ),
  among(
    'a: b',
    'a #b',
    '- a',
    '[',
    '{}',
    '|',
    '>-',
    "it's",
    '"',
    '\\n',
    '%TAG',
    '@',
    '`',
    'a\nb\n',
    '\ta',
    ' a ',
    'é😀\u2028',
  ),
  among(
    '$$',
    '$$(HOME)',
    '$$HOME',
    '${UNSET:-default}',
    '${SET}',
    '${UNSET:+x}${SET:?no}',
    '__proto__',
    'http://api:8080/',
  ),
  fc.string({ unit: 'grapheme-ascii', maxLength: 12 }).map((text) => text.replaceAll('$', '$$$$')),
  fc
    .string({ unit: 'grapheme', maxLength: 6 })
    .map((text) => text.replaceAll('$', '$$$$').replaceAll(/[\ud800-\udfff\0-\x08\x0b-\x1f]/g, '')),
)
export const scalar: ValueArbitrary = fc.oneof(
  nasty,
  fc.integer({ min: -9, max: 99_999 }),
  fc.boolean(),
  fc.constant(null),
)

const mapOf = (keys: fc.Arbitrary<string>, values: ValueArbitrary): fc.Arbitrary<Mapping> =>
  distinct(fc.tuple(keys, values), ([key]) => key).map((entries) => new Map(entries))
/** The same as `NAME=value`. */
const asPairs = (mapping: Mapping): Value =>
  [...mapping].map(([key, value]) => (value === null || typeof value === 'object' ? key : `${key}=${value}`))
export const pairsOf = (keys: fc.Arbitrary<string>, values: ValueArbitrary): ValueArbitrary =>
  fc.tuple(mapOf(keys, values), fc.boolean()).map(([mapping, isList]) => (isList ? asPairs(mapping) : mapping))

export const variable = among(
  'A',
  'B',
  'PATH',
  'x.y-z',
  '__proto__',
  '_10',
  'DB_PASSWORD',
  'URL',
  'LONG_NAME_OF_A_VARIABLE',
)
const labelKey = among(
  '10',
  '2',
  'a.b/c',
  '__proto__',
  'note',
  'com.example.Team',
  'bad key',
  '/x',
  'traefik.http.routers.a(b)',
)
export const labels = pairsOf(labelKey, nasty)
