import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeBase64, encodeBase64Text } from '../../src/domain/text/base64.ts'
import { readBytes, showBytes } from '../../src/domain/text/bytes.ts'
import { readCpus, showCpus } from '../../src/domain/text/cpus.ts'
import { dnsLabel, isDnsLabel } from '../../src/domain/text/dns-name.ts'
import { readDotenv, readRawEnv } from '../../src/domain/text/dotenv.ts'
import { readDuration } from '../../src/domain/text/duration.ts'
import type { Fault } from '../../src/domain/text/fault.ts'
import { checkImage } from '../../src/domain/text/image.ts'
import { expandVariables } from '../../src/domain/text/interpolate.ts'
import { readMount } from '../../src/domain/text/mount.ts'
import { readPort } from '../../src/domain/text/port.ts'
import { readQuantity } from '../../src/domain/text/quantity.ts'
import { sha256 } from '../../src/domain/text/sha256.ts'
import { readWords } from '../../src/domain/text/shell-words.ts'
import { closest } from '../../src/domain/text/suggest.ts'
import { cpuMs } from '../support/process/cpu.ts'
import { shellQuoted } from '../support/process/shell.ts'

const faultsOf = (result: E.Either<Fault, unknown>): ReadonlyArray<Fault> =>
  result._tag === 'Left' ? [result.left] : []

const READERS: ReadonlyArray<readonly [string, (text: string) => ReadonlyArray<Fault>]> = [
  ['readDuration', (text) => faultsOf(readDuration(text))],
  ['readBytes', (text) => faultsOf(readBytes(text))],
  ['readCpus', (text) => faultsOf(readCpus(text))],
  ['readQuantity', (text) => faultsOf(readQuantity(text))],
  ['readDotenv', (text) => readDotenv(text).faults],
  ['readRawEnv', (text) => readRawEnv(text).faults],
  ['readWords', (text) => faultsOf(readWords(text))],
  ['expandVariables', (text) => faultsOf(expandVariables(text, () => undefined))],
  ['readPort', (text) => faultsOf(readPort(text))],
  ['readMount', (text) => faultsOf(readMount(text))],
  ['checkImage', (text) => faultsOf(checkImage(text))],
]

const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
)
/** Characters and words that the grammars are made of, so that not every text fails at once. */
const pieces =
  '$ ${ } { $$ :- - ? :? + :+ A b_1 = : # \' " \\ \\" \\$ \\0123 \n \r\n \t . / @ sha256: [ ] ::1 80 0 1.5 -1 e3 Ki m GB s h µs export C:\\ ~ , ; & 😀 \ud800 \ufeff'
const likelyText = fc
  .array(fc.constantFrom(' ', ...pieces.split(' ')), { maxLength: 30 })
  .map((parts) => parts.join(''))

for (const [name, read] of READERS) {
  test(`${name} accepts any text, and a fault has a message and a place`, () => {
    fc.assert(
      fc.property(fc.oneof(anyText, likelyText), (text) => {
        for (const { message, start, end } of read(text)) {
          assert.ok(0 <= start && start <= end && end <= text.length, `${start}-${end} of ${text.length}`)
          assert.match(message, /^[^A-Z.].*[^.]$/su)
          assert.ok(message.length < 200)
        }
      }),
    )
  })
}

/** A reader that is quadratic needs minutes for it, one that is linear a few milliseconds. */
const LENGTH = 100_000
const HEAVY = [
  'a',
  '1',
  '.',
  '-',
  '/',
  ':',
  ' ',
  '\t',
  '\n',
  '\r',
  '$',
  '${',
  '${A:-',
  '${A',
  '{',
  '$$',
  '\\',
  '"',
  "'",
  '=',
  '#',
  ' #',
  ',',
  '[',
]
  .flatMap((unit) =>
    [unit, `A=${unit}`, `A="${unit}`, `1${unit}`, `\${A:-${unit}`].map((head) => [head, unit] as const),
  )
  .concat([
    ['', '1s'],
    ['', 'A="\\0123\\n"\n'],
    ['A="', '\\0123'],
    ['', "A='\n"],
    ['', 'A B\n'],
    ['', 'export '],
    ['', '${A}'],
    ['', "'a' "],
    ['', 'a/'],
    ['', '1-'],
    ['', 'a-'],
  ])

test('every reader takes linear time for any text', () => {
  for (const [head, unit] of HEAVY) {
    const text = `${head}${unit.repeat(Math.ceil(LENGTH / unit.length))}`
    for (const suffix of ['', '!', '"']) {
      for (const [name, read] of READERS) {
        const used = cpuMs()
        read(text + suffix)
        const took = used()
        assert.ok(took < 2000, `${name} of ${JSON.stringify(head + unit)} took ${took} ms`)
      }
    }
  }
})

test('a megabyte is read, substituted, hashed and made a label', () => {
  const million = 1_000_000
  assert.ok(isDnsLabel(dnsLabel(`a${'-'.repeat(million)}a`)))
  assert.is(run('$A ${B:-c}'.repeat(million / 10), () => 'x')?.length, (3 * million) / 10)
  assert.is(readDotenv(`A="${'\\0123'.repeat(million / 5)}"`).entries[0]?.value?.length, million / 5)
  assert.is(closest('a'.repeat(million), ['a']), undefined)
})

const run = (text: string, lookup: (name: string) => string | undefined): string | undefined => {
  const expanded = expandVariables(text, lookup)
  return expanded._tag === 'Left' ? undefined : expanded.right.value
}

test('a template without a dollar sign is unchanged', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const plain = text.replaceAll('$', '')
      assert.is(
        run(plain, () => 'x'),
        plain,
      )
    }),
  )
})

test('doubling every dollar sign keeps the text literal', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, likelyText), (text) => {
      assert.is(
        run(text.replaceAll('$', '$$$$'), () => 'x'),
        text,
      )
    }),
  )
})

test('substitution never expands the value of a variable', () => {
  fc.assert(
    fc.property(likelyText, likelyText, (before, value) => {
      const plain = before.replaceAll('$', '')
      for (const form of ['${V}', '${V:-x}', '${X-${V}}', '${X:-$V}']) {
        assert.is(
          run(`${plain}${form}`, (name) => (name === 'V' ? value || 'v' : undefined)),
          `${plain}${value || 'v'}`,
        )
      }
    }),
  )
})

test('dotenv: any value survives single quotes, and double quotes with escapes', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, likelyText), (text) => {
      const plain = text.replaceAll('\r\n', '').replaceAll(/['\\]/g, '')
      assert.equal(
        readDotenv(`A='${plain}'`).entries.map(({ value }) => value),
        [plain],
      )
      const any = text.replaceAll('\r\n', '')
      const [entry] = readDotenv(`A="${any.replaceAll(/[\\"$]/g, '\\$&')}" # c`).entries
      assert.is(
        run(entry?.value ?? '', () => 'x'),
        any,
      )
    }),
  )
})

test('showBytes is read back as the same number', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.maxSafeNat(),
        fc.nat(5000).map((n) => n * 1024 ** 2),
      ),
      (bytes) => {
        assert.equal(readQuantity(showBytes(bytes)), E.right(bytes))
        assert.equal(readBytes(showBytes(bytes)), E.right(bytes))
        assert.ok(showBytes(bytes).length <= String(bytes).length + 1)
      },
    ),
  )
})

test('showCpus is read back as the same number', () => {
  fc.assert(
    fc.property(fc.nat(), (milli) => {
      assert.equal(readQuantity(showCpus(milli)), E.right(milli / 1000))
      assert.equal(readCpus(String(milli / 1000)), E.right(milli))
    }),
  )
})

test('a label is always valid and short enough, and a valid label is unchanged', () => {
  fc.assert(
    fc.property(
      fc.oneof(anyText, likelyText),
      fc.integer({ min: 10, max: 63 }),
      fc.integer({ min: 1, max: 4 }),
      (text, max, times) => {
        const label = dnsLabel(text.repeat(times), max)
        assert.ok(isDnsLabel(label), label)
        assert.ok(label.length <= max)
        assert.is(dnsLabel(label, max), label)
        assert.is(dnsLabel(label), label)
      },
    ),
  )
})

test('SHA-256 and base64 agree with those of Node', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, fc.string({ minLength: 50, maxLength: 200 })), fc.uint8Array(), (text, bytes) => {
      assert.is(sha256(text), createHash('sha256').update(text, 'utf8').digest('hex'))
      assert.is(encodeBase64Text(text), Buffer.from(text, 'utf8').toString('base64'))
      assert.is(encodeBase64(bytes), Buffer.from(bytes).toString('base64'))
    }),
  )
})

test('quoted words read back unchanged', () => {
  const double = (word: string) => `"${word.replaceAll(/[\\"$`]/g, '\\$&')}"`
  fc.assert(
    fc.property(fc.array(fc.oneof(anyText, likelyText)), (words) => {
      assert.equal(readWords(words.map(shellQuoted).join(' ')), E.right({ words, operators: [] }))
      assert.equal(readWords(words.map(double).join('\t\n')), E.right({ words, operators: [] }))
    }),
  )
})

test('the closest word is a candidate, and a known word is closest to itself', () => {
  fc.assert(
    fc.property(anyText, fc.array(fc.string(), { minLength: 1 }), (word, candidates) => {
      const found = closest(word, candidates)
      assert.ok(found === undefined || candidates.includes(found))
      const [first = ''] = candidates
      assert.is(closest(first, candidates), first.length > 100 ? undefined : first)
    }),
  )
})

test.run()
