/** What is said of requests that the API server refuses. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { failureDiagnostic } from '../../../src/domain/cluster/failure.ts'

const refused = (message: string, status = 403) => {
  const asked = { verb: 'patch', what: 'Service/b', namespace: 'demo' }
  return failureDiagnostic({ _tag: 'Refused', asked, status, reason: 'Forbidden', message, causes: [] })
}

test('a request that RBAC refuses is a matter of permissions', () => {
  const { code, help } = refused(
    'services "b" is forbidden: User "ann" cannot patch resource "services" in API group ""',
  )
  assert.is(code, 'DT3003')
  assert.match(help ?? '', 'permission')
})

const refusals: ReadonlyArray<readonly [string, RegExp]> = [
  [
    'services "b" is forbidden: exceeded quota: q, requested: services=1, used: services=2, limited: services=2',
    /quota/,
  ],
  ['pods "b" is forbidden: failed quota: q: must specify limits.cpu for: web', /quota/],
  ['pods "b" is forbidden: maximum memory usage per Container is 64Mi, but limit is 1Gi', /limitranges/],
  [
    'persistentvolumeclaims "b" is forbidden: maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi',
    /limitranges/,
  ],
  ['pods "b" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true', /user: "1000"/],
  ['admission webhook "a.example.com" denied the request: no', /policy/],
  ["services \"b\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'p' denied request: no", /policy/],
  [
    'services "b" is forbidden: unable to create new content in namespace demo because it is being terminated',
    /deleted/,
  ],
]

for (const [message, help] of refusals) {
  test(`a request that admission refuses is not a matter of permissions: ${message}`, () => {
    const found = refused(message)
    assert.is(found.code, 'DT3006')
    assert.match(found.message, message)
    assert.match(found.help ?? '', help)
  })
}

test('a webhook that does not work is not told as a failure of the API server that passes', () => {
  const words = 'Internal error occurred: failed calling webhook "a.example.com": context deadline exceeded'
  const found = refused(words, 500)
  assert.is(found.code, 'DT3004')
  assert.match(found.message, words)
  assert.match(found.help ?? '', 'validatingwebhookconfigurations')
  assert.not.match(found.help ?? '', 'run the same command again')
  const late = refused('etcdserver: request timed out', 504)
  assert.match(late.message, 'etcdserver: request timed out')
  assert.match(late.help ?? '', 'run the same command again')
})

test.run()
