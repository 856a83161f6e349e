import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { missingRights } from '../../../src/app/context/rights.ts'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { isGranted, type Right, rightsOn } from '../../../src/domain/cluster/rights.ts'
import { memoryCluster } from '../../memory/cluster.ts'

const pods: Right = { group: '', resource: 'pods', verb: 'get' }
const ruled = (...resourceRules: ReadonlyArray<JsonObject>): JsonObject => ({ status: { resourceRules } })
const rule = (more: JsonObject): JsonObject => ({ verbs: ['get'], apiGroups: [''], resources: ['pods'], ...more })

test('a rule permits its verbs on its resources', () => {
  assert.ok(isGranted(ruled(rule({})), pods))
  assert.ok(isGranted(ruled(rule({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] })), pods))
  assert.ok(isGranted(ruled(rule({ verbs: ['list'] }), rule({})), pods))
  assert.not(isGranted(ruled(), pods))
  assert.not(isGranted(ruled(rule({ verbs: ['list'] })), pods))
  assert.not(isGranted(ruled(rule({ apiGroups: ['apps'] })), pods))
  assert.not(isGranted(ruled(rule({ resources: ['pods/exec'] })), pods))
})

test('a rule for single objects does not permit it for all', () => {
  assert.not(isGranted(ruled(rule({ resourceNames: ['web'] })), pods))
})

test('a subresource is permitted by its own name, or for all resources', () => {
  const exec = { ...pods, subresource: 'exec' }
  for (const name of ['pods/exec', '*/exec', '*']) assert.ok(isGranted(ruled(rule({ resources: [name] })), exec), name)
  assert.not(isGranted(ruled(rule({})), exec))
})

const rights = rightsOn({ group: '', resource: 'pods' }, ['get', 'list', 'delete'])
const missingIn = (cluster: ReturnType<typeof memoryCluster>) =>
  missingRights({ cluster, namespace: 'default' }, rights)()

test('one review is enough when everything is permitted', async () => {
  const cluster = memoryCluster({})
  assert.equal(await missingIn(cluster), E.right([]))
  assert.is(cluster.asked().length, 1)
})

test('permissions that the rules do not decide are checked one by one', async () => {
  const denied = memoryCluster({ denied: ['delete pods'] })
  assert.equal(await missingIn(denied), E.right(rights.slice(2)))
  const withoutRules = memoryCluster({ denied: ['delete pods'] })
  const create: typeof withoutRules.create = (selection, body, options) =>
    selection.resource.kind === 'SelfSubjectRulesReview'
      ? TE.left({ _tag: 'Aborted', asked: { verb: 'create', what: selection.resource.kind } })
      : withoutRules.create(selection, body, options)
  assert.equal(await missingIn({ ...withoutRules, create }), E.right(rights.slice(2)))
})

test.run()
