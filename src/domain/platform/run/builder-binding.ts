/**
 * The RoleBinding with which runs of a namespace reach the build service. There is no group of their accounts, and a
 * binding for each namespace would be too many, so it exists only while a run of the namespace is under way.
 */
import type { JsonObject } from '../../cluster/json.ts'
import { apiVersionOf, type ObjectKey, resources } from '../../cluster/resources.ts'
import { PLATFORM_LABEL } from '../../k8s/labels.ts'
import { BUILDER_NAMESPACE, BUILDER_ROLE } from '../names.ts'
import { RUNNER_ACCOUNT } from './request.ts'

const OF_RUNS = 'run'
export const BUILDER_BINDING_SELECTOR = `${PLATFORM_LABEL}=${OF_RUNS}`
/** The policies know the binding by the start of its name. */
export const BUILDER_BINDING_PREFIX = `${RUNNER_ACCOUNT}-`

export const builderBindingKey = (namespace: string): ObjectKey => ({
  resource: resources.RoleBinding,
  namespace: BUILDER_NAMESPACE,
  name: `${BUILDER_BINDING_PREFIX}${namespace}`,
})

export const builderBinding = (namespace: string): JsonObject => ({
  apiVersion: apiVersionOf(resources.RoleBinding),
  kind: 'RoleBinding',
  metadata: {
    name: builderBindingKey(namespace).name,
    namespace: BUILDER_NAMESPACE,
    labels: { [PLATFORM_LABEL]: OF_RUNS },
  },
  roleRef: { apiGroup: resources.RoleBinding.group, kind: 'Role', name: BUILDER_ROLE },
  subjects: [{ kind: 'ServiceAccount', name: RUNNER_ACCOUNT, namespace }],
})
