/** Small files that copy large ones, and files that are too large only together: refused with DT1006. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Bomb, codesOf, run, service, times } from '../support/compose/bombs.ts'

const bombs: ReadonlyArray<Bomb> = [
  [
    '8,000 services that extend one of 4,000 variables',
    'DT1006',
    () => ({
      'compose.yaml': `services:\n  s0: {image: a, environment: {${times(4_000, (i) => `V${i}: x, `)}}}\n${times(8_000, (i) => `  s${i + 1}: {extends: s0}\n`)}`,
    }),
  ],
  [
    'a chain of services in which each link has more labels',
    'DT1006',
    () => ({
      'compose.yaml': `services:\n  s0: {image: a}\n${times(499, (i) => `  s${i + 1}: {extends: s${i}, labels: {${times(10, (k) => `l${i}k${k}: x, `)}}}\n`)}`,
    }),
  ],
  [
    'a file included 900 times in folders of its own',
    'DT1006',
    () => ({
      'compose.yaml': `include:\n${times(900, (i) => `  - {path: i.yaml, project_directory: ./d${i}}\n`)}${service}`,
      'i.yaml': `services:\n${times(2_000, (i) => `  s${i}: {image: a}\n`)}`,
    }),
  ],
  [
    '500 small files included by a large one',
    'DT1006',
    () => ({
      'compose.yaml': `include: [${times(500, (i) => `i${i}.yaml, `)}]\nservices:\n${times(20_000, (i) => `  s${i}: {image: a}\n`)}`,
      ...Object.fromEntries(
        Array.from({ length: 500 }, (_, i) => [`i${i}.yaml`, `services: {t${i}: {image: a}}`] as const),
      ),
    }),
  ],
  [
    'ten files that are together too large',
    'DT1006',
    () => ({
      'compose.yaml': `include: [${times(10, (i) => `i${i}.yaml, `)}]\n${service}`,
      ...Object.fromEntries(
        Array.from({ length: 10 }, (_, i) => [`i${i}.yaml`, `x-a: [${'a,'.repeat(200_000)}]\n`] as const),
      ),
    }),
  ],
  [
    'an env file of 100,000 lines for each of 500 services',
    'DT1006',
    () => ({
      'compose.yaml': `services:\n${times(500, (i) => `  s${i}: {image: a, env_file: a.env}\n`)}`,
      'a.env': times(100_000, (i) => `A${i}=b\n`),
    }),
  ],
  [
    'a label file of 50,000 lines for each of 500 services',
    'DT1006',
    () => ({
      'compose.yaml': `services:\n${times(500, (i) => `  s${i}: {image: a, label_file: a.env}\n`)}`,
      'a.env': times(50_000, (i) => `A${i}=b\n`),
    }),
  ],
  [
    'a text of 1 MB that stands in 1,000 places',
    'DT1006',
    () => ({
      'compose.yaml': `x-a: &a ${'x'.repeat(1_000_000)}\nservices:\n${times(1_000, (i) => `  s${i}: {image: a, command: *a}\n`)}`,
    }),
  ],
  [
    'a manifest whose variables bring in 1 MB in each of 100 values',
    'DT1006',
    () => ({
      'devtool.yml': `deploy: [echo]\n${times(100, (i) => `x-${i}: $V\n`)}`,
      '.env': `V=${'x'.repeat(1_000_000)}`,
    }),
  ],
]

test('of many findings the first are listed and the others counted', () => {
  const { findings } = run({ 'compose.yaml': `${service}${times(5_000, (i) => `    unknown_${i}: x\n`)}` })
  assert.is(findings.length, 1_001)
  assert.is(findings.at(-1)?.message, '4000 more findings are not listed')
  const { findings: warned } = run({
    'compose.yaml': `${service}    environment:\n${times(5_000, (i) => `      PASSWORD_${i}: "s3cret-${i}"\n`)}`,
  })
  assert.is(warned.filter(({ severity }) => severity === 'error').length, 0)
  assert.ok(warned.length <= 1_001)
})

for (const [title, code, files] of bombs) {
  test(`${title}: ${code}`, () => assert.ok(codesOf(run(files())).includes(code), code))
}

test.run()
