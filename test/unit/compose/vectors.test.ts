/** Generated files as compose-go reads them: see test/vectors/README.md. */
import * as t from 'io-ts'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Files, objectsOf, translateFiles } from '../../support/compose/project.ts'
import { fieldRow, rowsOf } from '../../support/compose/vectors.ts'

const variablesRow = t.record(t.string, t.string)
const interpolationRow = t.tuple([t.string, variablesRow, t.union([t.string, t.null])])
const envFileRow = t.tuple([t.string, t.string, variablesRow, t.union([variablesRow, t.null])])

type Variables = Readonly<Record<string, string>>

const translated = (files: Files, variables: Variables) =>
  translateFiles(files, { files: ['compose.yaml'], shell: new Map(Object.entries(variables)) })

/** The environment of the one container, as it sees it; `null` when the files are refused. */
const environmentOf = (files: Files, variables: Variables): Variables | null => {
  const translation = translated(files, variables)
  if (translation.findings.some(({ severity }) => severity === 'error')) return null
  const workload = objectsOf(translation).find(({ kind }) => kind === 'Deployment')
  assert.ok(workload?.kind === 'Deployment')
  const [container] = workload.spec.template.spec.containers
  return Object.fromEntries((container?.env ?? []).map(({ name, value }) => [name, kubernetesValue(value ?? '')]))
}

/** Kubernetes reads two dollar signs as one. */
const kubernetesValue = (written: string): string => written.replaceAll('$$', '$')

test('variables in values are expanded as in Compose, and rejected where Compose rejects them', () => {
  for (const [text, variables, value] of rowsOf('interpolations.jsonl', interpolationRow)) {
    const compose = JSON.stringify({ services: { a: { image: 'nginx', environment: { T: text } } } })
    const expected = value === null ? null : { T: value }
    assert.equal(
      environmentOf({ 'compose.yaml': compose }, variables),
      expected,
      `${text} ${JSON.stringify(variables)}`,
    )
  }
})

const reader = JSON.stringify({
  services: {
    a: {
      image: 'nginx',
      environment: { RA: '${A-unset}', RB: '${B-unset}', RC: '${C-unset}', RX: '${X1-unset}' },
    },
  },
})
const user = JSON.stringify({ services: { a: { image: 'nginx', env_file: 'e' } } })

test('environment files are read as Compose reads them', () => {
  for (const [text, name, variables, expected] of rowsOf('env-files.jsonl', envFileRow)) {
    const files = { 'compose.yaml': name === 'e' ? user : reader, [name]: text }
    assert.equal(environmentOf(files, variables), expected, JSON.stringify([text, variables]))
  }
})

const others = {
  volumes: { vol: null },
  secrets: { s1: { file: './s.txt' } },
  configs: { c1: { content: 'x' } },
  networks: { n1: null },
  models: { m1: { model: 'x' } },
}
const besides = {
  x: 'A=1\n',
  '.env2': 'A=1\nB=${A}\n',
  labels: 'a=b\n',
  Dockerfile: 'FROM nginx\nEXPOSE 80\n',
  'x.json': '{}',
  's.txt': 's',
}
const users: Readonly<Record<string, object>> = {
  volumes: { volumes: ['vol:/v'] },
  networks: { networks: ['n1'] },
  secrets: { secrets: ['s1'] },
  configs: { configs: ['c1'] },
}
const names: Readonly<Record<string, string>> = { volumes: 'vol', networks: 'n1', secrets: 's1', configs: 'c1' }

/** A project in which one field has the value. */
const projectWith = (path: string, value: unknown): object => {
  const [section = '', field = ''] = path.split('.')
  const service = section === 'services' ? { [field]: value } : users[section]
  const image = field === 'build' ? {} : { image: 'nginx' }
  const b = { image: 'redis', ports: ['6379'], restart: 'always' }
  const top = section === 'services' ? {} : { [section]: { [names[section] ?? '']: value } }
  return { services: { a: { ...image, ...service }, b }, ...others, ...top }
}

test('values of fields are accepted or rejected as recorded next to the behaviour of Compose', () => {
  for (const [path, value, , expected] of rowsOf('fields.jsonl', fieldRow)) {
    const files = { 'compose.yaml': JSON.stringify(projectWith(path, value)), ...besides }
    const { findings } = translated(files, { FOO: 'foo', HOME: '/root' })
    const [first = 'accepted'] = findings
      .filter(({ severity }) => severity === 'error')
      .map(({ code }) => code)
      .toSorted()
    assert.is(first, expected, `${path}: ${JSON.stringify(value)}`)
  }
})

/** Values that Compose takes and devtool refuses: impossible on Kubernetes, or surely a mistake. */
const mostRefused = 100

test('few values that Compose accepts are rejected', () => {
  const refused = rowsOf('fields.jsonl', fieldRow).filter(
    ([, , compose, ours]) => compose === 'accepted' && ours !== 'accepted',
  )
  assert.ok(refused.length <= mostRefused, String(refused.length))
})

test.run()
