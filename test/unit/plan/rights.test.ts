import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { showRights } from '../../../src/domain/cluster/rights.ts'
import type { Bound } from '../../../src/domain/plan/action.ts'
import { rightsOf } from '../../../src/domain/plan/rights.ts'

const applied = (name: string, precondition: Bound<'Apply'>['precondition']): Bound<'Apply'> => ({
  _tag: 'Apply',
  id: name,
  after: [],
  object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: new Map() },
  origins: [],
  precondition,
})
const exists = { _tag: 'Exists', uid: 'u' } as const

test('an object that does not exist is created by applying it', () => {
  assert.is(showRights(rightsOf([applied('a', exists)])), 'patch configmaps')
  assert.is(showRights(rightsOf([applied('a', { _tag: 'Absent' })])), 'create, patch configmaps')
})

test('each verb of each kind is asked once, for the first object that needs it', () => {
  const needed = rightsOf([applied('a', exists), applied('b', { _tag: 'Absent' }), applied('c', { _tag: 'Absent' })])
  assert.equal(
    needed.map(({ name, verb }) => `${verb} ${name}`),
    ['patch a', 'create b'],
  )
})

test('waiting for pods needs to see them', () => {
  const wait = (kind: 'Deployment' | 'Job'): Bound => ({
    ...{ _tag: 'Await', id: kind, after: [], condition: 'available', service: 'web' },
    ref: { kind, name: 'web' },
  })
  assert.is(showRights(rightsOf([wait('Deployment')])), 'list pods')
  assert.equal(rightsOf([wait('Job')]), [])
})

test('other changes need their own verbs', () => {
  const target = { resource: resources.Deployment, name: 'web' }
  const [rest, because] = [{ after: [], target, precondition: exists }, 'no longer in the file']
  const actions: ReadonlyArray<Bound> = [
    { _tag: 'Delete', id: 'd', propagation: 'Background', because, ...rest },
    { _tag: 'Scale', id: 's', replicas: 0, manager: 'devtool', because, ...rest },
  ]
  assert.is(showRights(rightsOf(actions)), 'delete, patch deployments.apps')
})

test.run()
