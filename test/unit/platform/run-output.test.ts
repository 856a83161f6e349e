import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { error, warning } from '../../../src/domain/diagnostic/diagnostic.ts'
import { failureAfter, isLeftOut } from '../../../src/domain/platform/run/output.ts'

const said = JSON.stringify({ type: 'said', text: 'error DT3501' })
const found = (diagnostic: object): string => JSON.stringify({ type: 'found', diagnostic })
const leftOut = warning('DT3180', 'its manifest is not here, so the destroy commands of "shop" were not run')
const [first, second] = [error('DT3501', 'a command failed'), error('DT3301', 'it took too long')]

const after = (...lines: ReadonlyArray<string>) => lines.reduce(failureAfter, undefined)

test('the failure of a run is the first error that its command prints', () => {
  assert.is(after(said, found(warning('DT3304', 'a volume is kept')), 'no JSON'), undefined)
  assert.equal(after(found(first), said, found(second)), first)
})

test('a destroy run fails whose commands were left out, and an error comes before that', () => {
  assert.equal(after(found(leftOut), said), leftOut)
  assert.equal(after(found(leftOut), found(first)), first)
  assert.equal(after(found(first), found(leftOut)), first)
  const run = { id: 'a', environment: 'shop', namespace: 'shop', who: { user: 'ann', email: '' }, created: '' }
  const rest = { status: 'running', timeoutSeconds: 300, volumes: false, variables: [] } as const
  assert.ok(isLeftOut({ ...run, ...rest, action: 'destroy' }, leftOut))
  assert.not.ok(isLeftOut({ ...run, ...rest, action: 'deploy' }, leftOut))
  assert.not.ok(isLeftOut({ ...run, ...rest, action: 'destroy' }, undefined))
})

test.run()
