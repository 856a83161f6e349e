/** What shells complete: flags, values, names of the project and of the cluster, and files only where they belong. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { commandNames, rowNamed } from '../../src/cli/registry.ts'
import type { JsonObject } from '../../src/domain/cluster/json.ts'
import { emptyRecord, recordBody } from '../../src/domain/environment/record.ts'
import { devtool } from '../support/cli/cli.ts'

const files = { 'compose.yaml': 'services:\n  web: { image: a, profiles: [debug] }\n  worker: { image: a }\n' }

for (const [words, expected] of [
  [['de'], ['deploy', 'destroy']],
  [['deploy', '--ou'], ['--output']],
  [
    ['deploy', '-o', ''],
    ['yaml', 'json', 'plan', 'text', 'files='],
  ],
  [['deploy', '--output=j'], ['--output=json']],
  [['deploy', '--output', '=', 'j'], ['json']],
  [
    ['deploy', 'w'],
    ['web', 'worker'],
  ],
  [['deploy', '--profile', ''], ['debug']],
  [['deploy', '--file', ''], [':files']],
  [['deploy', '--file='], [':files']],
  [['deploy', '--report', 'sarif=x'], [':files']],
  [['deploy', '--report', 'sarif', '=', ''], [':files']],
  [['history', ''], []],
  [['version', ''], []],
  [['deploy', '--timeout', ''], []],
  [['deploy', '--file', 'missing.yaml', ''], []],
  [['--loglevel', 'd'], ['debug']],
  [['completion', 'f'], ['fish']],
  [
    ['help', 'v'],
    ['validate', 'version', 'variables'],
  ],
  [['explain', 'DT9'], ['DT9001']],
  [['explain', 'healthcheck.inter'], ['healthcheck.interval']],
  [['explain', 'services.healthcheck.inter'], ['services.healthcheck.interval']],
  [
    ['version', '-o', ''],
    ['text', 'json', 'yaml'],
  ],
] as const) {
  test(`completion of ${JSON.stringify(words)}`, async () => {
    const { status, stdout } = await devtool(['__complete', '--', ...words], { files })
    assert.equal([status, stdout.split('\n').filter((line) => line !== '')], [0, [...expected]])
  })
}

/** Flags of the same name offer the same in every command. */
const offersOf: ReadonlyMap<string, string> = new Map([
  ['--container', 'containers'],
  ['--context', 'contexts'],
  ['--env-file', 'files'],
  ['--kubeconfig', 'files'],
  ['--name', 'environments'],
  ['--namespace', 'namespaces'],
  ['--profile', 'profiles'],
])

test('environments, namespaces, contexts, profiles and files are offered in every command that takes them', () => {
  const flags = commandNames.flatMap((name) => (rowNamed(name)?.flags ?? []).map((flag) => ({ name, flag })))
  const wrong = flags.filter(({ flag: { arity, names, offers } }) => {
    const wanted = names.flatMap((one) => offersOf.get(one) ?? []).at(0)
    return wanted !== undefined && arity !== 'Switch' && offers !== wanted
  })
  assert.ok(flags.length > 200)
  assert.equal(
    wrong.map(({ flag, name }) => `${name} ${flag.names.join(',')}`),
    [],
  )
})

test('every word that stands for a service, an environment, a context or a namespace is completed', () => {
  const plain = commandNames.flatMap((name) =>
    (rowNamed(name)?.words ?? []).flatMap(({ name: word, offers, values }) =>
      offers === undefined && values === undefined ? [`${name} ${word}`] : [],
    ),
  )
  assert.equal(
    plain.filter(
      (one) => !/ (?:command|port|number|user|value)$|^(?:namespace create|preview \w+|variable \w+) name$/.test(one),
    ),
    [],
  )
})

test('completion never fails', async () => {
  const broken = { 'compose.yaml': 'services: [' }
  for (const words of [[], ['--'], ['deploy', ''], ['=', '='], ['\u0000']]) {
    assert.is((await devtool(['__complete', '--', ...words], { files: broken })).status, 0)
  }
  assert.is((await devtool(['__complete'])).status, 0)
})

const inCluster = (argv: ReadonlyArray<string>, project: Readonly<Record<string, string>> = {}) => {
  const record = (environment: string, services: ReadonlyArray<string>): JsonObject => {
    const body = recordBody('default', { ...emptyRecord(environment), status: 'deployed', services })
    if (body._tag === 'Left') throw new Error(body.left.message)
    return body.right
  }
  const namespaces = ['default', 'prod'].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }))
  const pod = (environment: string, init: string, ...containers: ReadonlyArray<string>): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `${environment}-pod`, namespace: 'default', labels: { 'dev.devtool/environment': environment } },
    status: {
      initContainerStatuses: [{ name: init }],
      containerStatuses: containers.map((name) => ({ name })),
    },
  })
  const pods = [pod('shop', 'wait', 'web', 'proxy'), pod('blog', 'wait', 'front')]
  const objects = [record('shop', ['web', 'db']), record('blog', ['front']), ...namespaces, ...pods]
  return devtool(['__complete', '--', ...argv], { files: project, memory: { cluster: { objects } } })
}

for (const [words, expected] of [
  [
    ['list', ''],
    ['blog', 'shop'],
  ],
  [['destroy', '--name', 's'], ['shop']],
  [['logs', '-n', 'p'], ['prod']],
  [
    ['namespace', 'use', ''],
    ['default', 'kube-system', 'prod'],
  ],
  [['why', '--name', 'blog', ''], ['front']],
  [
    ['logs', ''],
    ['db', 'front', 'web'],
  ],
  [['list', '-n', 'prod', ''], []],
  [
    ['logs', '--container', ''],
    ['front', 'proxy', 'wait', 'web'],
  ],
  [
    ['logs', 'web', '-c', 'w'],
    ['wait', 'web'],
  ],
  [
    ['logs', '--name', 'shop', '--container='],
    ['--container=proxy', '--container=wait', '--container=web'],
  ],
] as const) {
  test(`completion of ${JSON.stringify(words)} asks the cluster`, async () => {
    const { status, stdout } = await inCluster(words)
    assert.equal([status, stdout.split('\n').filter((line) => line !== '')], [0, [...expected]])
  })
}

test('services of the files are offered before those of the cluster', async () => {
  assert.is((await inCluster(['logs', ''], { 'compose.yaml': 'services: {here: {image: x}}' })).stdout, 'here\n')
})

test('services of an environment that is named come from the cluster, except for deploying the files', async () => {
  const project = { 'compose.yaml': 'services: {here: {image: x}}' }
  assert.is((await inCluster(['why', '--name', 'blog', ''], project)).stdout, 'front\n')
  assert.is((await inCluster(['why', '--name', 'none', ''], project)).stdout, 'here\n')
  assert.is((await inCluster(['deploy', '--name', 'blog', ''], project)).stdout, 'here\n')
})

const manifests = [
  'deploy: { compose: shop/compose.yaml }',
  'deploy: { compose: [{ file: shop/compose.yaml, services: [web] }] }',
  'deploy: { compose: { manifest: [shop/compose.yaml] } }',
]

for (const manifest of manifests) {
  test(`services of the Compose files of a manifest are completed: ${manifest}`, async () => {
    const project = {
      'devtool.yml': `build: { tools: . }\n${manifest}\n`,
      'shop/compose.yaml': 'services:\n  web: { build: . }\n  db: { image: a, profiles: [data] }\n',
    }
    const offered = async (...words: ReadonlyArray<string>): Promise<string> =>
      (await devtool(['__complete', '--', ...words], { files: project })).stdout
    assert.is(await offered('deploy', ''), 'web\ndb\n')
    assert.is(await offered('deploy', '--profile', ''), 'data\n')
    assert.is(await offered('build', ''), 'tools\nweb\n')
  })
}

test('services of included files are offered', async () => {
  const project = {
    'compose.yaml': 'include: [sub/a.yaml, {path: [b.yaml]}, "$MORE", compose.yaml]\nservices: {here: {image: x}}',
    'sub/a.yaml': 'include: [../c.yaml]\nservices: {a: {image: x}}',
    'b.yaml': 'services: {b: {image: x}}',
    'c.yaml': 'services: {c: {image: x}}',
  }
  assert.is((await inCluster(['logs', ''], project)).stdout, 'here\na\nb\nc\n')
})

test('there is a completion script for each shell', async () => {
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
    assert.match((await devtool(['completion', shell])).stdout, '__complete')
  }
})

test.run()
