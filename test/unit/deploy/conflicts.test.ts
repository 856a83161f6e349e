import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Refusal } from '../../../src/domain/cluster/failure.ts'
import { partition } from '../../../src/domain/plan/action.ts'
import { conflictFindings, isAboutReplicas, withoutReplicas } from '../../../src/domain/plan/conflicts.ts'
import { covers } from '../../../src/domain/plan/covers.ts'
import { configOf, withVersions } from '../../../src/domain/plan/versions.ts'
import { liveOf, objectsIn, planOfYaml } from '../../support/kube/live.ts'

const refusal = (...fields: ReadonlyArray<string>): Refusal => ({
  asked: { verb: 'patch', what: 'Deployment/web' },
  _tag: 'Refused',
  status: 409,
  reason: 'Conflict',
  message: 'Apply failed',
  causes: fields.map((field) => ({
    reason: 'FieldManagerConflict',
    message: 'conflict with "kubectl-edit" using apps/v1',
    field,
  })),
})

const planOf = (image: string) =>
  planOfYaml(`
services:
  web:
    image: ${image}
    scale: 3
`)

const webOf = (image: string) => {
  const action = partition(planOf(image).actions).Apply.find(({ object }) => object.kind === 'Deployment')
  if (action === undefined) throw new Error('no Deployment')
  return action
}

test('a conflict names the manager, both values, and the line of the file', () => {
  const { object, origins } = webOf('nginx:2')
  const live = liveOf(webOf('nginx:1').object)
  const [found] = conflictFindings(
    { name: 'Deployment/web', object, origins, source: 'the file' },
    refusal('.spec.template.spec.containers[name="web"].image'),
    live,
  )
  assert.is(
    found?.message,
    'Deployment/web: spec.template.spec.containers[0].image is set to "nginx:1" by "kubectl-edit", the file says "nginx:2"',
  )
  assert.is(found?.at?.line, 4)
})

test('a conflict never shows values of Secrets', () => {
  const { object } = webOf('nginx:1')
  const { metadata } = object
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata,
    type: 'Opaque',
    data: new Map([['pw', 'c2VjcmV0']]),
  } as const
  const [found] = conflictFindings(
    { name: 'Secret/web', object: secret, origins: [], source: 'the file' },
    refusal('.data.pw'),
    liveOf(secret),
  )
  assert.match(found?.message ?? '', 'data.pw')
  assert.not.match(found?.message ?? '', 'c2VjcmV0')
})

test('a conflict about replicas only is recognised, and replicas can be left out', () => {
  assert.ok(isAboutReplicas(refusal('.spec.replicas')))
  assert.not(isAboutReplicas(refusal('.spec.replicas', '.spec.paused')))
  assert.not(isAboutReplicas(refusal()))
  const left = withoutReplicas(webOf('nginx').object)
  assert.ok(left.kind === 'Deployment' && !('replicas' in left.spec) && 'template' in left.spec)
})

test('the live object may have more fields than wanted, but not fewer', () => {
  assert.ok(covers({ a: 1, b: { c: ['x'], d: true } }, { b: { c: ['x'] } }))
  assert.not(covers({ b: { c: ['x', 'y'] } }, { b: { c: ['x'] } }))
  assert.not(covers({ a: '1' }, { a: 1 }))
  assert.ok(covers({ storage: '1Gi' }, new Map([['storage', '1024Mi']])))
  assert.not(covers(undefined, []))
})

test('pods restart when a Secret they mount has changed', () => {
  const plan = planOfYaml(
    `
services: {web: {image: nginx, secrets: [token]}, other: {image: nginx}}
secrets: {token: {environment: TOKEN}}
`.replace('{environment: TOKEN}', '{external: true}'),
  )
  const [web, other] = objectsIn(plan).filter(({ kind }) => kind === 'Deployment')
  if (web?.kind !== 'Deployment' || other === undefined) throw new Error('no Deployment')
  const config = (version: string) => configOf(web.spec.template, new Map([['token', version]]))
  assert.is(config('1'), config('1'))
  assert.is.not(config('1'), config('2'))
  const applied = withVersions(web, new Map([['token', '1']]))
  assert.is(
    applied.kind === 'Deployment' && applied.spec.template.metadata.annotations?.get('dev.devtool/config'),
    config('1'),
  )
  assert.is(withVersions(other, new Map([['token', '1']])), other)
})

test.run()
