/** Members of a namespace cannot change or forge what the platform created in it (access, quota, limits, isolation). */
import { PLATFORM_LABEL } from '../../k8s/labels.ts'
import { inManaged, isTrusted, namespaced, policy, writes } from './policy.ts'
import { RBAC_GROUP } from './rights.ts'

export const guard = policy('guard', {
  matchConstraints: {
    namespaceSelector: inManaged,
    objectSelector: { matchExpressions: [{ key: PLATFORM_LABEL, operator: 'Exists' }] },
    resourceRules: [
      namespaced('', ['resourcequotas', 'limitranges', 'secrets', 'configmaps', 'serviceaccounts'], writes),
      namespaced(RBAC_GROUP, ['roles', 'rolebindings'], writes),
      namespaced('networking.k8s.io', ['networkpolicies'], writes),
    ],
  },
  validations: [{ expression: isTrusted, message: `objects with the label ${PLATFORM_LABEL} belong to the platform` }],
})
