/** Gives all users of the platform read access to a namespace. */
import type { JsonObject } from '../../cluster/json.ts'
import { apiVersionOf, resources } from '../../cluster/resources.ts'
import { PLATFORM_LABEL } from '../../k8s/labels.ts'
import { USERS_GROUP } from '../names.ts'
import { clusterRoleOf } from '../role.ts'

export const EVERYBODY_BINDING = 'devtool-everybody-viewer'

export const everybodyBinding = (namespace: string): JsonObject => ({
  apiVersion: apiVersionOf(resources.RoleBinding),
  kind: 'RoleBinding',
  metadata: { name: EVERYBODY_BINDING, namespace, labels: { [PLATFORM_LABEL]: 'access' } },
  roleRef: { apiGroup: resources.RoleBinding.group, kind: 'ClusterRole', name: clusterRoleOf('viewer') },
  subjects: [{ apiGroup: resources.RoleBinding.group, kind: 'Group', name: USERS_GROUP }],
})
