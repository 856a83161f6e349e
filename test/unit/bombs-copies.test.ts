/** Input whose fields multiply each other: refused or translated, with the guards of bombs.test.ts. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Bomb, codesOf, run, service, times } from '../support/compose/bombs.ts'
import { type Files, objectsOf } from '../support/compose/project.ts'

const bombs: ReadonlyArray<Bomb> = [
  [
    'an env file of 1,000,000 lines',
    'DT1006',
    () => ({ 'compose.yaml': `${service}    env_file: a.env\n`, 'a.env': times(1_000_000, (i) => `A${i}=b\n`) }),
  ],
  [
    'a chain of 19,000 services that extend the next one',
    'DT1006',
    () => ({
      'compose.yaml': `services:\n${times(19_000, (i) => `  s${i}: {extends: s${i + 1}}\n`)}  s19000: {image: x}\n`,
    }),
  ],
  [
    'a chain of 19,000 services that extend the one before, each with a name server',
    'DT1006',
    () => ({
      'compose.yaml': `services:\n  s0: {image: x}\n${times(19_000, (i) => `  s${i + 1}: {extends: s${i}, dns: [192.0.${i >> 8}.${i & 255}]}\n`)}`,
    }),
  ],
  [
    '4,000 volumes that 4,000 services take from one',
    'DT1006',
    () => ({
      'compose.yaml': `services:\n  s:\n    image: x\n    volumes:\n${times(4_000, (i) => `    - v${i}:/v${i}\n`)}${times(4_000, (i) => `  t${i}: {image: x, volumes_from: [s]}\n`)}volumes:\n${times(4_000, (i) => `  v${i}:\n`)}`,
    }),
  ],
  [
    'a chain of 3,000 services that take volumes from each other',
    'DT1006',
    () => ({
      'compose.yaml': `volumes: {v: }\nservices:\n  s0: {image: x, volumes: ["v:/v"]}\n${times(3_000, (i) => `  s${i + 1}: {image: x, volumes: ["v:/v${i}"], volumes_from: [s${i}]}\n`)}`,
    }),
  ],
  [
    '20,000 ranges of 1,000 ports',
    'DT1006',
    () => ({
      'compose.yaml': `${service}    ports:\n${times(20_000, (i) => `    - "${1 + (i % 60) * 1_000}-${1_000 + (i % 60) * 1_000}:1-1000"\n`)}`,
    }),
  ],
  [
    '3,000 steps before a container of 3,000 variables',
    'DT1006',
    () => ({
      'compose.yaml': `${service}    environment: {${times(3_000, (i) => `A${i}: b, `)}}\n    pre_start:\n${times(3_000, (i) => `    - command: c${i}\n`)}`,
    }),
  ],
  [
    '3,000 public ports of a service of 3,000 labels',
    'DT1006',
    () => ({
      'compose.yaml': `${service}    labels: {${times(3_000, (i) => `a${i}: b, `)}}\n    ports:\n${times(3_000, (i) => `    - "${20_000 + i}:${20_000 + i}"\n`)}`,
    }),
  ],
  [
    '3,000 names of a service of 3,000 labels',
    'DT1006',
    () => ({
      'compose.yaml': `networks: {n: }\n${service}    labels: {${times(3_000, (i) => `a${i}: b, `)}}\n    networks: {n: {aliases: [${times(3_000, (i) => `n${i}, `)}]}}\n`,
    }),
  ],
  [
    '40,000 endpoints of ports that a service of 40,000 ports does not have',
    'DT1033',
    () => ({
      'compose.yaml': `${service}    expose:\n${times(40_000, (i) => `    - ${i + 1}\n`)}endpoints:\n${times(40_000, (i) => `  - {path: /p${i}, service: web, port: 50000}\n`)}`,
    }),
  ],
]

for (const [title, code, files] of bombs) {
  test(`${title}: ${code}`, () => assert.ok(codesOf(run(files())).includes(code), code))
}

const accepted: ReadonlyArray<readonly [title: string, objects: number, files: () => Files]> = [
  [
    '20 steps before each of 200 services of 30 variables',
    400,
    () => ({
      'compose.yaml': `services:\n${times(200, (k) => `  s${k}: {image: x, environment: {${times(30, (i) => `A${i}: b, `)}}, pre_start: [${times(20, (i) => `{command: c${i}}, `)}]}\n`)}`,
    }),
  ],
  [
    '40,000 addresses of one service',
    4,
    () => ({
      'compose.yaml': `services:\n  a: {image: x}\n  b:\n    image: x\n    command:\n${times(40_000, (i) => `    - tcp://a:${i + 1}\n`)}`,
    }),
  ],
  [
    '20,000 mounts of this machine',
    2,
    () => ({
      'compose.yaml': `${service}    volumes:\n${times(20_000, (i) => `    - ./h${i}:/h${i}\n    - /h${i}/x\n`)}`,
    }),
  ],
  [
    'a chain of 19,000 services that extend the one before',
    38_002,
    () => ({
      'compose.yaml': `services:\n  s0: {image: x}\n${times(19_000, (i) => `  s${i + 1}: {extends: s${i}}\n`)}`,
    }),
  ],
  [
    'a chain of 10,000 services that take the same volume from each other',
    20_003,
    () => ({
      'compose.yaml': `volumes: {v: }\nservices:\n  s0: {image: x, volumes: ["v:/v"]}\n${times(10_000, (i) => `  s${i + 1}: {image: x, volumes_from: [s${i}]}\n`)}`,
    }),
  ],
]

for (const [title, count, files] of accepted) {
  test(`${title}: accepted`, () => {
    const translation = run(files())
    assert.equal(codesOf(translation), [])
    assert.is(objectsOf(translation).length, count)
  })
}

test.run()
