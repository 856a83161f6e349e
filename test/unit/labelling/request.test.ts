import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Intent, readIntent, targetPath } from '../../../src/domain/labelling/request.ts'

const json = 'application/json'
const apply = 'application/apply-patch+yaml'
const read = (request: string, type = json): Intent => {
  const [method = '', path = ''] = request.split(' ')
  return readIntent(method, path, type)
}
const isPass = (request: string, type = json): boolean => read(request, type)._tag === 'Pass'

test('a POST to a collection creates an object', () => {
  assert.equal(read('POST /api/v1/namespaces/shop/pods?fieldManager=kubectl'), {
    _tag: 'Create',
    target: { group: '', version: 'v1', namespace: 'shop', plural: 'pods' },
  })
  assert.equal(read('POST /apis/apps/v1/namespaces/shop/deployments'), {
    _tag: 'Create',
    target: { group: 'apps', version: 'v1', namespace: 'shop', plural: 'deployments' },
  })
  assert.equal(read('POST /api/v1/namespaces'), {
    _tag: 'Create',
    target: { group: '', version: 'v1', plural: 'namespaces' },
  })
})

test('PUT and server-side apply may create the object they name', () => {
  const target = { group: 'example.com', version: 'v1', namespace: 'shop', plural: 'things', name: 'a.b' }
  const path = '/apis/example.com/v1/namespaces/shop/things/a.b'
  assert.equal(read(`PUT ${path}`), { _tag: 'Put', target })
  for (const type of [apply, 'application/apply-patch+cbor', 'Application/Apply-Patch+YAML; charset=utf-8']) {
    assert.equal(read(`PATCH ${path}?force=true`, type), { _tag: 'Put', target })
  }
  assert.is(targetPath(target), path)
})

test('other patches only change existing objects', () => {
  for (const kind of ['merge-patch', 'json-patch', 'strategic-merge-patch']) {
    assert.ok(isPass('PATCH /api/v1/namespaces/shop/pods/web', `application/${kind}+json`))
  }
})

test('dry runs and requests without an object pass', () => {
  for (const request of [
    'GET /api/v1/namespaces/shop/pods',
    'DELETE /api/v1/namespaces/shop/pods',
    'DELETE /api/v1/namespaces/shop/pods/web',
    'POST /api/v1/namespaces/shop/pods/web/exec?command=sh',
    'POST /api/v1/namespaces/shop/pods/web/eviction',
    'POST /api/v1/namespaces/shop/pods/web/binding',
    'POST /api/v1/namespaces/shop/bindings',
    'POST /api/v1/namespaces/shop/serviceaccounts/ci/token',
    'POST /api/v1/namespaces/shop/events',
    'POST /apis/events.k8s.io/v1/namespaces/shop/events',
    'POST /apis/coordination.k8s.io/v1/namespaces/shop/leases',
    'PUT /apis/coordination.k8s.io/v1/namespaces/shop/leases/leader',
    'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    'POST /apis/authorization.k8s.io/v1/namespaces/shop/localsubjectaccessreviews',
    'POST /apis/authentication.k8s.io/v1/tokenreviews',
    'PUT /apis/apps/v1/namespaces/shop/deployments/web/scale',
    'PUT /api/v1/namespaces/shop/status',
    'PUT /api/v1/namespaces/shop/finalize',
    'POST /api/v1/namespaces/shop/pods?dryRun=All',
    'POST /api/v1/namespaces/shop/pods?fieldManager=x&dryRun=All',
    'POST /version',
    'POST /',
    'POST /api',
    'POST /apis/apps',
  ]) {
    assert.ok(isPass(request), request)
  }
})

test('unusual request paths are not interpreted', () => {
  for (const path of [
    '//api/v1/namespaces/shop/pods',
    '/api/v1//namespaces/shop/pods',
    '/api/v1/namespaces/shop/../kube-system/pods',
    '/api/v1/namespaces/sh%6fp/pods',
    '/api/v1/namespaces/shop/pods/',
    'http://elsewhere/api/v1/namespaces/shop/pods',
    '*',
  ]) {
    assert.ok(isPass(`POST ${path}`), path)
  }
})

test('a path that leaves its collection is passed on for the API server to refuse', () => {
  for (const segment of ['.', '..', '%2e%2e', 'a b', '']) {
    const { _tag } = readIntent('POST', `/api/v1/namespaces/${segment}/configmaps`, 'application/json')
    assert.is(_tag, 'Pass', segment)
  }
})

test.run()
