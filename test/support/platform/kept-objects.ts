/** Objects of a platform in the form in which a cluster has them, and changes of them. */
import { type JsonObject, objectAt } from '../../../src/domain/cluster/json.ts'
import { type ClusterObject, isLive } from '../../../src/domain/cluster/live.ts'
import { userObject } from '../../../src/domain/platform/account.ts'
import { bindingObject, namespaceObject } from '../../../src/domain/platform/namespace/objects.ts'
import { encodeBase64Text } from '../../../src/domain/text/base64.ts'
import { emailOf, idOf } from './world.ts'

export const ISSUER = 'https://login.example.com'

/** With the fields that the server adds. */
export const lived = (object: JsonObject): ClusterObject => {
  const metadata = objectAt(object, 'metadata')
  const data = Object.entries(objectAt(object, 'stringData')).map(([key, value]) => [
    key,
    encodeBase64Text(typeof value === 'string' ? value : ''),
  ])
  const { stringData: _written, ...rest } = object
  const live = {
    ...rest,
    ...(data.length === 0 ? {} : { data: Object.fromEntries(data) }),
    metadata: {
      ...metadata,
      uid: 'u',
      resourceVersion: '7',
      managedFields: [{ manager: 'x' }],
      creationTimestamp: 't',
    },
    status: { phase: 'Active' },
  }
  if (!isLive(live)) throw new Error('not an object')
  return live
}

export const complete = (object: JsonObject, annotations: JsonObject = {}): JsonObject => ({
  ...object,
  metadata: { ...objectAt(object, 'metadata'), annotations },
})

export const shop = complete(namespaceObject('shop', 'namespace', idOf('owner')))
export const member = { id: idOf('member'), email: emailOf('member') }
export const bound = bindingObject('shop', member, 'member')
export const account = userObject(
  { ...member, isAdmin: false, isDisabled: false },
  { issuer: ISSUER, subject: 'member' },
)
export const changed = (object: JsonObject, more: JsonObject): JsonObject => ({ ...object, ...more })
export const moved = (object: JsonObject, more: JsonObject): JsonObject => ({
  ...object,
  metadata: { ...objectAt(object, 'metadata'), ...more },
})
export const clusterAdmin = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' }
export const labelled = (object: JsonObject, more: JsonObject): JsonObject =>
  moved(object, { labels: { ...objectAt(object, 'metadata', 'labels'), ...more } })
