import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { severities } from '../../scripts/severities.ts'
import { fieldRows } from '../../src/domain/compose/field-rows.ts'
import { codes } from '../../src/domain/diagnostic/codes.ts'
import { exitStatus } from '../../src/domain/diagnostic/status.ts'
import { explanationOf, nearest, showExplanation, topics, typedTopics } from '../../src/domain/explain/explain.ts'
import { manifestRows } from '../../src/domain/manifest/field-rows.ts'

const TABLE = {
  DT1002: { status: 3, title: 'wrong form', text: 'Another form was expected.' },
  DT1012: { status: 3, title: 'unknown condition', text: 'There are three conditions.' },
}

const explain = (topic: string, table?: typeof TABLE): string | undefined => {
  const found = explanationOf(topic, table)
  return found === undefined ? undefined : showExplanation(found)
}

const firstLine = (topic: string): string | undefined => explain(topic, TABLE)?.split('\n')[0]

test('a code is explained with title, text and exit status', () => {
  assert.is(
    explain('dt1012', TABLE),
    'DT1012: unknown condition\n\nThere are three conditions.\n\nexit status as an error: 3',
  )
})

test('a code that is never an error has no exit status, as in docs/errors.md', () => {
  const kinds = severities()
  const onlyWarnings = Object.keys(codes).filter((code) => kinds.get(code)?.includes('error') === false)
  assert.ok(onlyWarnings.length > 50)
  for (const code of onlyWarnings) {
    const found = explanationOf(code)
    assert.ok(found !== undefined && 'status' in found && found.status === 0, code)
    assert.not.match(showExplanation(found), 'exit status', code)
    assert.is(exitStatus([{ severity: 'error', code, message: '' }]), 3, `${code} with --strict`)
  }
})

test('a field is explained with its form and its effect', () => {
  assert.is(
    explain('services.web.healthcheck.interval', TABLE),
    `services.*.healthcheck.interval

is:      time between checks; default: 10s
form:    a string or a number
becomes: periodSeconds`,
  )
})

test('a field without effect is explained with the reason', () => {
  const text = explain('stop_signal', TABLE) ?? ''
  assert.match(text, 'becomes: nothing on Kubernetes, which DT1102 says')
  assert.match(text, 'reason:  pods are stopped')
  assert.match(explain('services.web.attach', TABLE) ?? '', 'becomes: nothing, and nothing is lost')
})

test('the part of a field without effect is explained', () => {
  assert.match(explain('services.web.user', TABLE) ?? '', 'but:     names cause a warning')
})

test('a mapping is explained with its keys', () => {
  assert.match(explain('healthcheck.http', TABLE) ?? '', /keys: {4}path, port$/m)
  assert.match(explain('depends_on', TABLE) ?? '', /keys: {4}condition, required, restart$/m)
})

for (const [topic, path] of [
  ['services.healthcheck.interval', 'services.*.healthcheck.interval'],
  ['healthcheck.interval', 'services.*.healthcheck.interval'],
  ['services.web.ports', 'services.*.ports'],
  ['services.*.ports[].target', 'services.*.ports[].target'],
  ['services.web.ports[0].target', 'services.*.ports[].target'],
  ['ports.target', 'services.*.ports[].target'],
  ['depends_on.db.condition', 'services.*.depends_on.*.condition'],
  ['depends_on.condition', 'services.*.depends_on.*.condition'],
  ['labels', 'services.*.labels'],
  ['volumes', 'volumes'],
  ['volumes.data.driver_opts.size', 'volumes.*.driver_opts.size'],
  ['services.web.volumes', 'services.*.volumes'],
  ['endpoints.rules[0].port', 'endpoints.*[].port'],
] as const) {
  test(`${topic} is ${path}`, () => {
    assert.is(firstLine(topic), path)
  })
}

test('other fields of the same name are named', () => {
  assert.match(explain('secrets', TABLE) ?? '', /^also: {4}services\.\*\.secrets,/m)
})

for (const topic of ['', '.', '*', 'services.web.imgae', 'DT9999', 'toString', '__proto__', '[]', 'a'.repeat(10_000)]) {
  test(`${JSON.stringify(topic.slice(0, 20))} is not known`, () => {
    assert.is(explain(topic, TABLE), undefined)
  })
}

test('every topic is explained', () => {
  const both = new Set([...fieldRows(), ...manifestRows()].map(({ path }) => path))
  assert.is(topics(TABLE).length, both.size + 2)
  for (const topic of topics(TABLE)) assert.is(firstLine(topic)?.split(':')[0], topic)
})

test('every completed topic is explained, and needs no quotes', () => {
  const offered = typedTopics(TABLE)
  assert.ok(['DT1012', 'ports', 'services.ports', 'healthcheck.interval'].every((topic) => offered.includes(topic)))
  for (const topic of offered) {
    assert.ok(explain(topic, TABLE), topic)
    assert.match(topic, /^[\w.-]+$/)
  }
})

test('an explanation is data', () => {
  assert.equal(explanationOf('dt1012', TABLE), {
    topic: 'DT1012',
    title: 'unknown condition',
    text: 'There are three conditions.',
    status: 3,
  })
  assert.equal(explanationOf('healthcheck.interval', TABLE), {
    topic: 'services.*.healthcheck.interval',
    text: 'time between checks; default: 10s',
    form: 'a string or a number',
    effect: 'maps',
    becomes: 'periodSeconds',
    keys: [],
    also: [],
  })
})

test('every published code is explained', () => {
  for (const code of Object.keys(codes)) assert.ok(explain(code)?.startsWith(`${code}: `), code)
})

for (const [topic, near] of [
  ['healthcheck.intervall', 'healthcheck.interval'],
  ['services.web.prots', 'services.ports'],
  ['services.helthcheck.interval', 'services.healthcheck.interval'],
  ['imgae', 'image'],
  ['DT1013', 'DT1012'],
  ['dt102', 'DT1002'],
  ['DT9977', undefined],
  ['something else altogether', undefined],
] as const) {
  test(`the topic nearest to ${topic} is ${near ?? 'none'}`, () => {
    assert.is(nearest(topic, TABLE), near)
    if (near !== undefined) assert.ok(explain(near, TABLE))
  })
}

test('no two fields have the same path', () => {
  const paths = fieldRows().map(({ path }) => path)
  assert.is(new Set(paths).size, paths.length)
})

test('the rows include lists, members with user-chosen names, and both notations', () => {
  const paths = fieldRows().map(({ path }) => path)
  for (const path of [
    'services.*.deploy.resources.reservations.devices[].count',
    'services.*.networks.*.aliases',
    'services.*.env_file[].path',
    'volumes.*.driver_opts.size',
    'endpoints.*[].path',
  ]) {
    assert.ok(paths.includes(path), path)
  }
})

test.run()
