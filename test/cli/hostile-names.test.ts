/** Names that were made to act on a terminal or to give orders to a code host, as every command prints them. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { memoryCluster } from '../memory/cluster.ts'
import { memoryClusters } from '../memory/clusters.ts'
import { devtool } from '../support/cli/cli.ts'
import { record } from '../support/cluster/destroy.ts'

const name = '::error::https://x\u001b[2J\u202e\u{e0041}\u009b\u2028\n::error::##[error]##vso[task]'

const acts = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u{e0000}-\u{e007f}\p{Cs}]/u
const isCommand = (line: string): boolean => line.trim().startsWith('::') || /##\[|##vso\[/.test(line)

const contexts = JSON.stringify({ schema: 1, current: name, contexts: { [name]: { token: 't', namespace: name } } })
const files = {
  [`/home/me/shop/${name}`]: `services:\n  web:\n    image: "x"\n    labels: {a: ${JSON.stringify(name)}}\n`,
  'compose.yaml': `services:\n  web:\n    image: nginx\n    command: ${JSON.stringify([name])}\n    environment: {A: ${JSON.stringify(name)}}\n    ${JSON.stringify(name)}: 1\n`,
  'good.yaml': `services:\n  web:\n    image: nginx\n    profiles: ${JSON.stringify([name])}\n    command: ${JSON.stringify([name])}\n    environment: {A: ${JSON.stringify(name)}}\n`,
}

const commands: ReadonlyArray<ReadonlyArray<string>> = [
  ...['name', 'text', 'json', 'yaml'].map((form) => ['context', 'list', '-o', form]),
  ['context', 'show'],
  ['context', 'use', name],
  ['namespace', 'use', name],
  ['validate', '--file', name],
  ['validate', '--file', name, '-o', 'json'],
  ['validate'],
  ['validate', '-o', 'json'],
  ['validate', '--file', 'good.yaml', '--profile', name],
  ...['yaml', 'json', 'plan'].map((form) => [
    'deploy',
    '--dry-run',
    '--file',
    'good.yaml',
    '--profile',
    name,
    '-o',
    form,
  ]),
  ['list', '-o', 'name', '-n', name],
  ['explain', name],
  [name],
  ['logs', name],
  ['deploy', '--name', name],
  ['__complete', '--', 'context', 'use', ''],
]

const isHarmless = ({ stderr, stdout }: { readonly stderr: string; readonly stdout: string }): void => {
  for (const text of [stdout, stderr]) {
    assert.not.match(text, acts)
    assert.equal(text.split('\n').filter(isCommand), [])
  }
}

for (const argv of commands) {
  test(`${argv.map((word) => (word === name ? 'NAME' : word)).join(' ')} prints no control sequences`, async () => {
    const home = new Map([['context/config.json', contexts]])
    const outcome = await devtool(argv, { files, memory: { home } })
    isHarmless(outcome)
    assert.not.equal(outcome.stdout + outcome.stderr, '')
  })
}

for (const form of ['name', 'text', 'json', 'yaml']) {
  test(`list -o ${form} prints no control sequences of an environment's name`, async () => {
    const hostile = JSON.stringify(record()).replaceAll('"shop"', JSON.stringify(name))
    const cluster = memoryCluster({ objects: [JSON.parse(hostile)] })
    const clusters = memoryClusters(new Map([['test', cluster]]), new Map([['test', 'dev']]))
    const outcome = await devtool(['list', '-o', form], {
      env: { DEVTOOL_CONTEXT: 'test' },
      memory: { ports: { clusters } },
    })
    isHarmless(outcome)
    assert.match(outcome.stdout, 'https://x')
  })
}

test.run()
