/**
 * Tens of thousands of mistakes of one kind: the first thousand are listed, and the others counted. As with any input, the
 * clock is only a guard: what takes quadratic time would never end.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { run, service, times } from '../support/compose/bombs.ts'
import type { Files } from '../support/compose/project.ts'

const count = 40_000

const list = (item: (i: number) => string): string => `[${times(count, (i) => `${item(i)}, `)}]`
const web = (fields: string): Files => ({ 'compose.yaml': `services: {web: {image: nginx, ${fields}}}\n` })
const keys = (key: (i: number) => string): Files => ({
  'compose.yaml': `${service}${times(count, (i) => `    ${key(i)}: x\n`)}`,
})

const mistakes: ReadonlyArray<readonly [title: string, code: string, files: () => Files]> = [
  ['unknown keys', 'DT1004', () => keys((i) => `unknown_${i}`)],
  ['unknown keys that are close to known ones', 'DT1004', () => keys((i) => `mem_limits_${i}`)],
  ['duplicate keys', 'DT1005', () => keys(() => 'tty')],
  ['unknown services in depends_on', 'DT1013', () => web(`depends_on: ${list((i) => `db${i}`)}`)],
  [
    'unknown services, and names that are close to them',
    'DT1013',
    () => ({
      'compose.yaml': `services:\n${times(count / 100, (i) => `  s${i}: {image: x, depends_on: [${times(100, (k) => `s${i}q${k}, `)}]}\n`)}`,
    }),
  ],
  [
    'services that extend unknown ones',
    'DT1016',
    () => ({
      'compose.yaml': `services:\n${times(count, (i) => `  s${i}: {extends: t${i}}\n`)}`,
    }),
  ],
  ['invalid ports', 'DT1023', () => web(`ports: ${list((i) => `a${i}`)}`)],
  ['relative targets of mounts', 'DT1024', () => web(`volumes: ${list((i) => `"./a:b${i}"`)}`)],
  ['undefined volumes', 'DT1025', () => web(`volumes: ${list((i) => `"v${i}:/d${i}"`)}`)],
  ['undefined networks', 'DT1025', () => web(`networks: ${list((i) => `n${i}`)}`)],
  ['required variables without a value', 'DT1010', () => web(`dns_search: ${list((i) => `"\${V${i}:?}"`)}`)],
  ['invalid variables', 'DT1009', () => web(`dns_search: ${list(() => '"${!}"')}`)],
  ['invalid names of variables', 'DT1028', () => web(`environment: ${list((i) => `"a b${i}=1"`)}`)],
  [
    'endpoints of unknown services',
    'DT1033',
    () => ({
      'compose.yaml': `${service}endpoints:\n${times(count, (i) => `  - {path: /, service: w${i}, port: 80}\n`)}`,
    }),
  ],
  [
    'unknown keys of a manifest',
    'DT1004',
    () => ({
      'devtool.yml': `deploy: [echo]\n${times(count, (i) => `unknown_${i}: x\n`)}`,
    }),
  ],
  [
    'invalid lines of an env file',
    'DT1027',
    () => ({
      ...web('env_file: a.env'),
      'a.env': times(count, (i) => `not a name ${i}\n`),
    }),
  ],
]

for (const [title, code, files] of mistakes) {
  test(`${title}: ${code}`, () => {
    const { findings } = run(files())
    const own = findings.filter((found) => found.code === code)
    assert.ok(own.length > 0 && findings.length <= 1_001, `${own.length} of ${findings.length}`)
    assert.match(findings.at(-1)?.message ?? '', /^\d+ more findings are not listed$/)
  })
}

test('of warnings about many places, all are counted in one', () => {
  const { findings } = run(web(`environment: ${list((i) => `A${i}_PASSWORD=s3cret`)}`))
  assert.equal(
    findings.map(({ code, severity }) => [code, severity]),
    [['DT1104', 'warning']],
  )
})

test.run()
