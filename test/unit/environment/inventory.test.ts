import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { withoutDeleted, withoutGone } from '../../../src/domain/environment/inventory.ts'
import type { InventoryEntry } from '../../../src/domain/environment/record.ts'

const entry = (name: string, uid = name, more: Partial<InventoryEntry> = {}): InventoryEntry => ({
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  name,
  uid,
  ...more,
})

const looked = new Map([['Deployment', new Map()]])

test('what was there before and is no longer is forgotten', () => {
  assert.equal(withoutGone([entry('a')], [entry('a')], looked, []), [])
})

test('what was gone when it was looked but was made since is kept', () => {
  assert.equal(withoutGone([entry('a')], [entry('a')], looked, [entry('a', '')]), [entry('a')])
})

test('what was not there before is kept though it was not seen', () => {
  assert.equal(withoutGone([entry('a')], [], looked, []), [entry('a')])
})

test('of kinds that were not looked for, and of other namespaces, nothing is forgotten', () => {
  const [other, elsewhere] = [entry('a', 'a', { kind: 'CronJob' }), entry('b', 'b', { namespace: 'other' })]
  assert.equal(withoutGone([other, elsewhere], [other, elsewhere], looked, []), [other, elsewhere])
})

test('what was deleted is forgotten, and what has its name as another kind is not', () => {
  const job = entry('a', 'j', { kind: 'Job' })
  assert.equal(withoutDeleted([entry('a'), job], [{ name: 'a', resource: resources.Deployment }]), [job])
})

test.run()
