/**
 * Confines the platform's accounts to the namespaces that it created. RBAC allows them to write namespaces, role
 * bindings and more in the whole cluster; this policy restricts that to namespaces with the platform's label, which
 * only new namespaces can get.
 */
import {
  BUILDER_NAMESPACE,
  BUILDER_ROLE,
  SCOPED_NAMESPACE,
  SYSTEM_NAMESPACE,
  USERS_GROUP,
  USERS_NAMESPACE,
} from '../names.ts'
import { BUILDER_BINDING_PREFIX } from '../run/builder-binding.ts'
import { RUNNER_ACCOUNT } from '../run/request.ts'
import { changed, fromPlatform, isFrom, isManaged, namespaced, policy, quoted, writes } from './policy.ts'
import { CONTROLLER_ACCOUNT, namespaceRoles, RBAC_GROUP } from './rights.ts'
import type { AdmissionPolicy } from './types.ts'

const reservedPrefixes = ['kube-', 'openshift-', 'devtool-']

/** A pod that may do everything on its node can leave any namespace. */
const ENFORCE = 'pod-security.kubernetes.io/enforce'
const ENFORCE_VERSION = `${ENFORCE}-version`

const isNamespace = 'request.resource.resource == "namespaces"'
const ofNamespace = (expression: string): string => `!(${isNamespace}) || ${expression}`

const label = (object: string, name: string): string => `${object}.metadata.?labels[?${quoted(name)}].orValue("")`
const keeps = (name: string): string =>
  `(request.operation == "UPDATE" && ${label('object', name)} == ${label('oldObject', name)})`

/** Kinds in the platform's own namespaces, and for some of them in those of runs. */
const ownKinds = ['secrets', 'configmaps', 'serviceaccounts', 'leases']

/** Workloads that are stopped while a namespace sleeps, and the parts of their pods that stay as they are. */
const stoppable = ['deployments', 'statefulsets', 'daemonsets']
const podParts = [
  'containers',
  '?initContainers',
  '?volumes',
  '?serviceAccountName',
  '?securityContext',
  '?hostNetwork',
]

/** Without types: the expression applies to objects of several kinds, and not all have these fields. */
const unchanged = (path: string): string => `dyn(object).${path} == dyn(oldObject).${path}`

const inBuilder = `request.namespace == ${quoted(BUILDER_NAMESPACE)}`

/** The controller lets the runs of a namespace reach the build service, and deletes no other binding there. */
const isBuilderBinding = `(request.resource.resource == "rolebindings" && ${inBuilder} && ${isFrom(CONTROLLER_ACCOUNT)} && request.operation != "UPDATE" && request.name.startsWith(${quoted(BUILDER_BINDING_PREFIX)}))`

const places = policy('confine', {
  matchConstraints: {
    resourceRules: [
      { apiGroups: [''], apiVersions: ['v1'], operations: writes, resources: ['namespaces'], scope: 'Cluster' },
      namespaced('', ['resourcequotas', 'limitranges', 'secrets', 'configmaps', 'serviceaccounts'], writes),
      namespaced(RBAC_GROUP, ['rolebindings'], writes),
      namespaced('networking.k8s.io', ['networkpolicies'], writes),
      namespaced('batch', ['jobs', 'cronjobs'], writes),
      namespaced('apps', stoppable, writes),
      namespaced('keda.sh', ['scaledobjects'], writes, ['v1alpha1']),
      namespaced('coordination.k8s.io', ['leases'], writes),
    ],
  },
  matchConditions: [fromPlatform],
  validations: [
    {
      expression: ofNamespace(`request.operation == "CREATE" || ${isManaged('oldObject.metadata')}`),
      message: 'the platform changes and deletes only namespaces that it made',
    },
    {
      expression: ofNamespace(`request.operation == "DELETE" || ${isManaged('object.metadata')}`),
      message: 'a namespace of the platform carries its label',
    },
    {
      expression: ofNamespace(
        `(request.name != "" && request.name != "default" && !${JSON.stringify(reservedPrefixes)}.exists(p, request.name.startsWith(p)))`,
      ),
      message: 'this name is reserved for the cluster',
    },
    {
      expression: ofNamespace(
        `request.operation == "DELETE" || ${label('object', ENFORCE)} in ["baseline", "restricted"] || ${keeps(ENFORCE)}`,
      ),
      message: 'a namespace of the platform enforces Pod Security baseline or restricted',
    },
    {
      expression: ofNamespace(
        `request.operation == "DELETE" || ${label('object', ENFORCE_VERSION)} in ["", "latest"] || ${keeps(ENFORCE_VERSION)}`,
      ),
      message: 'a namespace of the platform enforces the latest version of Pod Security',
    },
    {
      expression: `${isNamespace} || ${isManaged('namespaceObject.metadata')} || (request.resource.resource in ${JSON.stringify(ownKinds)} && request.namespace in ${JSON.stringify([SYSTEM_NAMESPACE, USERS_NAMESPACE])}) || (request.resource.resource == "serviceaccounts" && request.namespace == ${quoted(SCOPED_NAMESPACE)}) || ${isBuilderBinding}`,
      message: 'the platform writes only in its own namespaces and in those that it made',
    },
    {
      expression: `request.operation != "UPDATE" || !(request.resource.resource in ${JSON.stringify(stoppable)}) || (${podParts.map((part) => unchanged(`spec.template.spec.${part}`)).join(' && ')})`,
      message: 'the platform stops and starts workloads, and changes nothing else of them',
    },
    {
      expression: `request.operation != "UPDATE" || request.resource.resource != "cronjobs" || ${unchanged('spec.jobTemplate')}`,
      message: 'the platform suspends and resumes CronJobs, and changes nothing else of them',
    },
    // The Secrets in the namespace of users are their tokens: whoever can create one can act as any user.
    {
      expression: `request.resource.resource != "secrets" || request.operation == "DELETE" || !(${isFrom(CONTROLLER_ACCOUNT)}) || ${isManaged('namespaceObject.metadata')}`,
      message: 'the controller writes Secrets only in namespaces that the platform made',
    },
  ],
})

const roleNames = namespaceRoles.map(({ metadata: { name } }) => name)

const givesRole = `object.roleRef.kind == "ClusterRole" && object.roleRef.name in ${JSON.stringify(roleNames)}`
const givesBuilder = `object.roleRef.kind == "Role" && object.roleRef.name == ${quoted(BUILDER_ROLE)}`

const isRunner = `has(object.subjects) && object.subjects.size() == 1 && object.subjects.all(s, s.kind == "ServiceAccount" && s.name == ${quoted(RUNNER_ACCOUNT)} && object.metadata.name == ${quoted(BUILDER_BINDING_PREFIX)} + s.?namespace.orValue(""))`

/**
 * RBAC lets an account grant everything that it may do itself; the platform grants users only the roles of a namespace,
 * and runs of a namespace only the way to the build service.
 */
const access = policy('confine-access', {
  matchConstraints: { resourceRules: [namespaced(RBAC_GROUP, ['rolebindings'], ['CREATE', 'UPDATE'])] },
  matchConditions: [fromPlatform, changed('roleRef', '?subjects')],
  validations: [
    {
      expression: `${inBuilder} ? ${givesBuilder} : ${givesRole}`,
      message: 'the platform gives the roles of a namespace only',
    },
    {
      expression: `${inBuilder} ? (${isRunner}) : !has(object.subjects) || object.subjects.all(s, s.kind == "ServiceAccount" ? s.?namespace.orValue("") in [${quoted(USERS_NAMESPACE)}, ${quoted(SCOPED_NAMESPACE)}, request.namespace] : s.kind == "Group" && s.name == ${quoted(USERS_GROUP)})`,
      message: 'the platform gives access to its users and to accounts of the namespace only',
    },
  ],
})

export const confine: ReadonlyArray<AdmissionPolicy> = [places, access]
