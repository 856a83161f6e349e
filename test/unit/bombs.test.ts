/**
 * Input made to be expensive: refused or translated, with a diagnostic, in about a second. The clock is only a guard
 * against hanging, at ten times that; what counts is the code. What looks alike and is legitimate is accepted.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Bomb, codesOf, run, service, times } from '../support/compose/bombs.ts'
import { type Files, objectsOf } from '../support/compose/project.ts'

const doublings = (levels: number, width: number): string =>
  `x-0: &a0 [${Array(width).fill('x').join(', ')}]\n${times(levels, (i) => `x-${i + 1}: &a${i + 1} [${Array(width).fill(`*a${i}`).join(', ')}]\n`)}`

const extending = (count: number, base: (i: number) => string): string =>
  `services:\n  s0: {image: nginx}\n${times(count, (i) => `  s${i + 1}: {extends: ${base(i)}}\n`)}`

const sharing = (count: number, last: string): string =>
  `services:\n${times(count, (i) => `  s${i}: {image: nginx, network_mode: "service:s${i + 1}"}\n`)}  s${count}: {image: nginx${last}}\n`

const bombs: ReadonlyArray<Bomb> = [
  ['aliases that stand for 9^9 values', 'DT1006', () => ({ 'compose.yaml': `${doublings(9, 9)}${service}` })],
  [
    'aliases of mappings that stand for 9^9 values',
    'DT1006',
    () => ({
      'compose.yaml': `x-0: &a0 {k: v}\n${times(9, (i) => `x-${i + 1}: &a${i + 1} {${times(9, (k) => `k${k}: *a${i}, `)}}\n`)}${service}`,
    }),
  ],
  [
    'a chain of merge keys in which each link has more keys',
    'DT1006',
    () => ({
      'compose.yaml': `x-0: &a0 {k: v}\n${times(3_000, (i) => `x-${i + 1}: &a${i + 1} {<<: *a${i}, k${i}: v}\n`)}${service}`,
    }),
  ],
  [
    'a merge key with a long list of the same mapping',
    'DT1006',
    () => ({
      'compose.yaml': `x-0: &a {${times(1_000, (i) => `k${i}: v, `)}}\nx-1: {<<: [${times(2_000, () => '*a, ')}]}\n${service}`,
    }),
  ],
  ['100,000 nested lists in flow style', 'DT1006', () => ({ 'compose.yaml': `x-a: ${'['.repeat(100_000)}` })],
  [
    '100,000 nested and closed lists',
    'DT1006',
    () => ({ 'compose.yaml': `x-a: ${'['.repeat(1e5)}${']'.repeat(1e5)}\n${service}` }),
  ],
  ['100,000 nested mappings in flow style', 'DT1006', () => ({ 'compose.yaml': `x-a: ${'{a: '.repeat(100_000)}` })],
  ['100,000 nested lists in block style', 'DT1006', () => ({ 'compose.yaml': `x-a:\n  ${'- '.repeat(100_000)}a\n` })],
  [
    '4,000 nested mappings in block style',
    'DT1006',
    () => ({ 'compose.yaml': times(4_000, (i) => `${' '.repeat(i)}a:\n`) }),
  ],
  ['a scalar of 50 MB', 'DT1006', () => ({ 'compose.yaml': `${service}    command: "${'x'.repeat(50e6)}"\n` })],
  [
    'an env file of 50 MB',
    'DT1006',
    () => ({ 'compose.yaml': `${service}    env_file: a.env\n`, 'a.env': `A=${'x'.repeat(50e6)}` }),
  ],
  [
    'a cycle of 12,000 services that share a pod',
    'DT1014',
    () => ({ 'compose.yaml': sharing(12_000, ', network_mode: "service:s0"') }),
  ],
  [
    '12,000 services in the pod of a cycle',
    'DT1014',
    () => ({ 'compose.yaml': sharing(12_000, ', network_mode: "service:s11999"') }),
  ],
  [
    '12,000 cycles of dependencies',
    'DT1014',
    () => ({
      'compose.yaml': `services:\n${times(12_000, (i) => `  s${i}: {image: nginx, depends_on: [s${i + 1}${i > 0 ? ', s0' : ''}]}\n`)}  s12000: {image: nginx}\n`,
    }),
  ],
  [
    'two million keys',
    'DT1006',
    () => ({ 'compose.yaml': `${service}x-a:\n${times(2_000_000, (i) => `  k${i}: v\n`)}` }),
  ],
  ['an anchor that contains itself', 'DT1047', () => ({ 'compose.yaml': `x-a: &a [*a]\n${service}` })],
  ['a mapping that merges itself', 'DT1047', () => ({ 'compose.yaml': `x-a: &a {<<: *a}\n${service}` })],
  [
    'two anchors that contain each other',
    'DT1047',
    () => ({ 'compose.yaml': `x-a: &a [*b]\nx-b: &b [*a]\n${service}` }),
  ],
  ['a service that extends itself', 'DT1015', () => ({ 'compose.yaml': 'services: {a: {image: x, extends: a}}' })],
  [
    'two services that extend each other',
    'DT1015',
    () => ({ 'compose.yaml': 'services: {a: {image: x, extends: b}, b: {image: x, extends: a}}' }),
  ],
  [
    'services that extend each other across files',
    'DT1015',
    () => ({
      'compose.yaml': 'services: {a: {image: x, extends: {file: b.yaml, service: b}}}',
      'b.yaml': 'services: {b: {image: x, extends: {file: compose.yaml, service: a}}}',
    }),
  ],
  ['a file that includes itself', 'DT1015', () => ({ 'compose.yaml': `include: [compose.yaml]\n${service}` })],
  [
    'two files that include each other',
    'DT1015',
    () => ({
      'compose.yaml': `include: [b.yaml]\n${service}`,
      'b.yaml': 'include: [./compose.yaml]\nservices: {b: {image: x}}',
    }),
  ],
  [
    'files that each include the next one twice',
    'DT1006',
    () => ({
      'compose.yaml': `include: [f0.yaml, f0.yaml]\n${service}`,
      ...Object.fromEntries(
        Array.from({ length: 30 }, (_, i) => [
          `f${i}.yaml`,
          `include: [f${i + 1}.yaml, f${i + 1}.yaml]\nservices: {s${i}: {image: x}}`,
        ]),
      ),
      'f30.yaml': 'services: {last: {image: x}}',
    }),
  ],
  [
    'variables nested 10,000 deep',
    'DT1009',
    () => ({ 'compose.yaml': `${service}    command: "${'${A:-'.repeat(10_000)}${'}'.repeat(10_000)}"\n` }),
  ],
  [
    '100,000 variables that are not closed',
    'DT1009',
    () => ({ 'compose.yaml': `${service}    command: "${'${A:-'.repeat(100_000)}"\n` }),
  ],
  [
    'variables of an env file that double 40 times',
    'DT1006',
    () => ({
      'compose.yaml': `${service}    labels: {a: "$V40"}\n`,
      '.env': `V0=${'x'.repeat(10)}\n${times(40, (i) => `V${i + 1}=$V${i}$V${i}\n`)}`,
    }),
  ],
  [
    'a variable of 1 MB that is used 10,000 times',
    'DT1006',
    () => ({
      'compose.yaml': `${service}    command: [${'$V, '.repeat(10_000)}]\n`,
      '.env': `V=${'x'.repeat(1_000_000)}`,
    }),
  ],
  [
    'a variable of 1 MB that is used 10,000 times in one value',
    'DT1006',
    () => ({
      'compose.yaml': `${service}    command: "${'$V '.repeat(10_000)}"\n`,
      '.env': `V=${'x'.repeat(1_000_000)}`,
    }),
  ],
  ['a list of ports of all numbers', 'DT1023', () => ({ 'compose.yaml': `${service}    ports: ["1-65535"]\n` })],
  [
    '100,000 keys that nobody knows',
    'DT1004',
    () => ({ 'compose.yaml': `${service}${times(100_000, (i) => `    unknown_${i}: x\n`)}` }),
  ],
  ['100,000 duplicate keys', 'DT1005', () => ({ 'compose.yaml': `${service}${'    tty: true\n'.repeat(100_000)}` })],
  [
    '20,000 services without an image',
    'DT1003',
    () => ({ 'compose.yaml': `services:\n${times(20_000, (i) => `  s${i}: {}\n`)}` }),
  ],
  [
    '60,000 small services',
    'DT1006',
    () => ({ 'compose.yaml': `services:\n${times(60_000, (i) => `  s${i}: {image: nginx}\n`)}` }),
  ],
  [
    '480,000 labels of one service',
    'DT1006',
    () => ({ 'compose.yaml': `${service}    labels:\n${times(480_000, (i) => `      a${i}: b\n`)}` }),
  ],
  [
    'a ring of 5,000 builds',
    'DT1503',
    () => ({
      'compose.yaml': `services:\n${times(5_000, (i) => `  s${i}: {build: {context: ., additional_contexts: {b: "service:s${(i + 1) % 5_000}"}}}\n`)}`,
      Dockerfile: 'FROM x',
    }),
  ],
  [
    'a ring of 5,000 services',
    'DT1014',
    () => ({
      'compose.yaml': `services:\n${times(5_000, (i) => `  s${i}: {image: x, depends_on: [s${(i + 1) % 5_000}]}\n`)}`,
    }),
  ],
]

for (const [title, code, files] of bombs) {
  test(`${title}: ${code}`, () => assert.ok(codesOf(run(files())).includes(code), code))
}

/** What is not refused, however strange it looks. */
const accepted: ReadonlyArray<readonly [title: string, objects: number, files: () => Files]> = [
  [
    '1,000 services that share one anchor',
    2_000,
    () => ({
      'compose.yaml': `x-base: &base\n  image: nginx\n  environment: {${times(50, (i) => `A${i}: b, `)}}\nservices:\n${times(1_000, (i) => `  s${i}:\n    <<: *base\n    command: ["${i}"]\n`)}`,
    }),
  ],
  ['2,000 services that extend one', 4_002, () => ({ 'compose.yaml': extending(2_000, () => 's0') })],
  [
    'a chain of 10,000 services that extend each other',
    20_002,
    () => ({ 'compose.yaml': extending(10_000, (i) => `s${i}`) }),
  ],
  [
    'an environment of 5,000 variables',
    2,
    () => ({ 'compose.yaml': `${service}    environment:\n${times(5_000, (i) => `      A${i}: b\n`)}` }),
  ],
  [
    'an env file of 100,000 lines',
    2,
    () => ({
      'compose.yaml': `${service}    env_file: a.env\n`,
      'a.env': times(100_000, (i) => `A${i}=$A${i - 1}b\n`)
        .replaceAll('$A-1', '')
        .replaceAll(/\$A[0-9]+/g, ''),
    }),
  ],
  ['a line of 1 MB', 2, () => ({ 'compose.yaml': `${service}    command: "${'x'.repeat(1_000_000)}"\n` })],
  ['a comment of 1 MB', 2, () => ({ 'compose.yaml': `${service}# ${'x'.repeat(1_000_000)}\n` })],
  ['1 MB of blank lines', 2, () => ({ 'compose.yaml': `${'\n'.repeat(1_000_000)}${service}` })],
  [
    '200,000 keys of an extension',
    2,
    () => ({ 'compose.yaml': `${service}x-a:\n${times(200_000, (i) => `  k${i}: v\n`)}` }),
  ],
  [
    '50 variables in each other',
    2,
    () => ({ 'compose.yaml': `${service}    command: "${'${A:-'.repeat(50)}x${'}'.repeat(50)}"\n` }),
  ],
  [
    'a chain of 2,000 services that wait for each other',
    4_000,
    () => ({
      'compose.yaml': `services:\n${times(2_000, (i) => `  s${i}: {image: x${i === 0 ? '' : `, depends_on: [s${i - 1}]`}}\n`)}`,
    }),
  ],
  [
    'a chain of 5,000 services whose checks need the service before',
    10_000,
    () => ({
      'compose.yaml': `services:\n${times(5_000, (i) => `  s${i}: {image: x, ports: ["80"], healthcheck: {test: "curl http://s${Math.max(0, i - 1)}:80"}${i === 0 ? '' : `, depends_on: [s${i - 1}]`}}\n`)}`,
    }),
  ],
  [
    '1,000 services on one volume',
    2_001,
    () => ({
      'compose.yaml': `volumes: {data: }\nservices:\n${times(1_000, (i) => `  s${i}: {image: x, volumes: ["data:/d"]}\n`)}`,
    }),
  ],
]

for (const [title, count, files] of accepted) {
  test(`${title} is accepted`, () => {
    const translation = run(files())
    assert.equal(codesOf(translation), [])
    assert.is(objectsOf(translation).length, count)
  })
}

test('12,000 services, each in the pod of the next one, become one pod', () => {
  const translation = run({ 'compose.yaml': sharing(12_000, '') })
  assert.equal(codesOf(translation), [])
  assert.equal(
    objectsOf(translation).flatMap(({ kind }) => (kind === 'Deployment' ? [kind] : [])),
    ['Deployment'],
  )
})

test('a long cycle is named by its first services, a short one by all', () => {
  const messageOf = (count: number): string =>
    run({ 'compose.yaml': sharing(count, ', network_mode: "service:s0"') }).findings[0]?.message ?? ''
  assert.is(messageOf(3_999), 'services.s3999.network_mode: dependency cycle: s0 → s1 → s2 → … (3997 more) → s0')
  assert.is(messageOf(2), 'services.s2.network_mode: dependency cycle: s0 → s1 → s2 → s0')
})

test.run()
