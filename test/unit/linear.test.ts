/** Texts made for patterns that look back: a megabyte of them is read in the time of a megabyte. Otherwise this never ends. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { stagesIn } from '../../src/domain/build/dockerfile-text.ts'
import { meaningOf, plainMessage } from '../../src/domain/build/failure-rules.ts'
import { warning } from '../../src/domain/diagnostic/diagnostic.ts'
import { showDiagnostic } from '../../src/domain/diagnostic/show.ts'
import { ignorePatterns } from '../../src/domain/ignore/ignore.ts'
import { conflictFindings } from '../../src/domain/plan/conflicts.ts'
import { readCpus } from '../../src/domain/text/cpus.ts'
import { gitFolder, originUrl } from '../../src/domain/text/git-config.ts'
import { translateFiles } from '../support/compose/project.ts'

const many = (text: string): string => text.repeat(1_000_000)

test('blanks within a line of .dockerignore take linear time', () => {
  const line = `a${many(' ')}b`
  assert.equal(ignorePatterns(` ${line}\u00a0\n`), [line])
})

test('digits of cpus take linear time', () => {
  assert.ok(E.isLeft(readCpus(`${many('1')}x`)))
  const { findings } = translateFiles({
    'compose.yaml': `services: {a: {image: x, cpus: "${many('1')}x"}}`,
  })
  assert.ok(findings.some(({ severity }) => severity === 'error'))
})

test('sections of .git/config take linear time', () => {
  const url = '[remote "origin"]\n url = a\n'
  assert.is(originUrl(`[${many(' ')}\n${many('[')}\n${url}`), 'a')
  assert.is(gitFolder(`gitdir: ${many(' ')}x${many(' ')}y\n`)?.length, 1_000_002)
  assert.is(gitFolder('gitdir: ../.git/modules/a \n'), '../.git/modules/a')
})

test('messages of builders take linear time', () => {
  const scene = { words: '', step: '', lines: [], stages: [], files: [], isReading: false }
  for (const text of ['a:', 'secret ', '"', 'failed to push a', 'rpc error: code = Unknown desc = ', ' ', 'exec: "']) {
    assert.ok(meaningOf(plainMessage(`${many(text)}!`), scene).message.length < 20_000, text)
  }
})

test('stages of a Dockerfile take linear time', () => {
  assert.equal(stagesIn(`FROM${many(' ')}a${many(' as')} b\nFROM --platform=x a AS c \nFROM a\nFROM as b`), ['b', 'c'])
})

test('lists of mappings that two files write are merged in linear time', () => {
  const list = (name: string): string => Array.from({ length: 40_000 }, (_, i) => `{a: ${name}${i}}`).join(', ')
  const files = {
    'a.yaml': `services: {web: {image: nginx}}\nx-list: [${list('a')}]\n`,
    'b.yaml': `x-list: [${list('b')}]\n`,
  }
  const { findings } = translateFiles(files, { files: ['a.yaml', 'b.yaml'] })
  assert.not(findings.some(({ severity }) => severity === 'error'))
})

test('repeated ports, hosts and aliases of a service take linear time', () => {
  const list = (item: (i: number) => string): string => Array.from({ length: 60_000 }, (_, i) => item(i)).join(', ')
  const hosts = list((i) => `"h${i}:192.0.2.1"`)
  const ports = list((i) => `{target: 80, published: ${1 + (i % 65_000)}}`)
  const aliases = `networks: {default: {aliases: [${list(() => 'w')}]}}`
  for (const field of [`extra_hosts: [${hosts}]`, `ports: [${ports}]`, aliases]) {
    const { findings } = translateFiles({ 'compose.yaml': `services: {web: {image: nginx, ${field}}}\n` })
    assert.not(findings.some(({ code }) => code === 'DT9001'))
  }
})

test('host volumes, and the anonymous volumes beneath them, take linear time', () => {
  const targets = Array.from({ length: 60_000 }, (_, i) => i)
  const volumes = targets.flatMap((i) => [`./h${i}:/d${i}`, `/d${i}/node_modules`])
  const services = `services: {web: {image: nginx, volumes: [${volumes.join(', ')}]}}\n`
  const { findings, plan } = translateFiles({ 'compose.yaml': services })
  assert.not(findings.some(({ severity }) => severity === 'error'))
  assert.not(plan?.actions.some((action) => JSON.stringify(action).includes('node_modules')))
})

test('one finding of many places names the first hundred', () => {
  const place = (line: number) => ({ file: 'compose.yaml', line, col: 1, endLine: line, endCol: 2 })
  const related = Array.from({ length: 200_000 }, (_, i) => ({ at: place(i + 2), message: 'here too' }))
  const shown = showDiagnostic(
    { ...warning('DT1110', 'no meaning'), at: place(1), related },
    { color: false, line: () => undefined },
  )
  assert.ok(shown.endsWith('compose.yaml:101:1 and 199900 more'), shown.slice(-80))
})

test('the .env of another folder is read once for all files there', () => {
  const count = 300
  const names = Array.from({ length: count }, (_, i) => i)
  const services = names.map((i) => `s${i}: {extends: {file: base/${i}.yaml, service: web}}`).join(', ')
  const files = {
    'compose.yaml': `services: {${services}}\n`,
    'base/.env': `not a name\n${Array.from({ length: 20_000 }, (_, i) => `V${i}=1\n`).join('')}`,
    ...Object.fromEntries(names.map((i) => [`base/${i}.yaml`, 'services: {web: {image: nginx}}\n'])),
  }
  const { findings } = translateFiles(files)
  assert.is(findings.filter(({ code }) => code === 'DT1027').length, 1)
})

test('paths of conflicts take linear time', () => {
  const live = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', uid: 'a', resourceVersion: '1' },
  }
  for (const field of [many('['), many('["'), `.a[${many('k')}]`, `.a[k="${many('\\"')}]`, many('a,')]) {
    const causes = [{ reason: 'FieldManagerConflict', message: 'conflict with "kubectl" using v1', field }]
    const refusal = {
      asked: { verb: 'patch', what: 'a' },
      _tag: 'Refused',
      status: 409,
      reason: 'Conflict',
      message: '',
      causes,
    } as const
    const found = conflictFindings({ name: 'a', object: live, origins: [], source: 'the file' }, refusal, live)
    assert.is(found.length, 1)
  }
})

test.run()
