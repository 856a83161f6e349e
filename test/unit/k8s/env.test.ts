import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { escapeExpansion } from '../../../src/domain/translate/env.ts'
import { line, modelWith, serviceWith, written } from '../../support/compose/model.ts'
import { planOf, templateIn } from '../../support/compose/plan.ts'

const CASES: ReadonlyArray<readonly [string, string]> = [
  ['plain', 'plain'],
  ['$HOME', '$HOME'],
  ['cost $5', 'cost $5'],
  ['$(HOME)', '$$(HOME)'],
  ['$$', '$$$'],
  ['$$(A)', '$$$$(A)'],
  ['end$', 'end$'],
]

for (const [text, escaped] of CASES) {
  test(`"${text}" is written as "${escaped}"`, () => {
    assert.is(escapeExpansion(text), escaped)
  })
}

test('environment, command and arguments are escaped; probes and hooks are not', () => {
  const service = serviceWith('web', {
    environment: [{ name: 'A', value: '$(X)', at: line(2), path: 'e' }],
    entrypoint: written(['sh', '$(X)']),
    command: written(['$(X)']),
    healthcheck: {
      at: line(3),
      check: { _tag: 'Exec', command: ['echo', '$(X)'] },
      readiness: true,
      liveness: false,
      periodSeconds: 10,
      timeoutSeconds: 30,
      failureThreshold: 3,
    },
    hooks: { preStop: written(['$(X)']) },
  })
  const container = templateIn(planOf(modelWith([service])))?.spec.containers[0]
  assert.equal(container?.env, [{ name: 'A', value: '$$(X)' }])
  assert.equal(container?.command, ['sh', '$$(X)'])
  assert.equal(container?.args, ['$$(X)'])
  assert.equal(container?.readinessProbe?.exec?.command, ['echo', '$(X)'])
  assert.is(container?.livenessProbe, undefined)
  assert.equal(container?.lifecycle, { preStop: { exec: { command: ['$(X)'] } } })
})

test('an empty command keeps that of the image', () => {
  const plan = planOf(modelWith([serviceWith('web', { entrypoint: written([]), command: written([]) })]))
  const container = templateIn(plan)?.spec.containers[0]
  assert.equal(Object.keys(container ?? {}), ['name', 'image'])
})

test.run()
