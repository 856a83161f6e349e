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

test('objects that no longer exist are removed from the inventory', () => {
  assert.equal(withoutGone([entry('a')], [entry('a')], looked, []), [])
})

test('objects that were missing but have been created since are kept', () => {
  assert.equal(withoutGone([entry('a')], [entry('a')], looked, [entry('a', '')]), [entry('a')])
})

test('new entries are kept even if their objects were not listed', () => {
  assert.equal(withoutGone([entry('a')], [], looked, []), [entry('a')])
})

test('entries of kinds that were not listed, and of other namespaces, are kept', () => {
  const [other, elsewhere] = [entry('a', 'a', { kind: 'CronJob' }), entry('b', 'b', { namespace: 'other' })]
  assert.equal(withoutGone([other, elsewhere], [other, elsewhere], looked, []), [other, elsewhere])
})

test('deleted objects are removed, but not those of another kind with the same name', () => {
  const job = entry('a', 'j', { kind: 'Job' })
  assert.equal(withoutDeleted([entry('a'), job], [{ name: 'a', resource: resources.Deployment }]), [job])
})

test.run()
