/** The names of kinds in API paths. Kinds that are not in the table are looked up in the server's discovery. */

/** `group` is '' for the core group. `plural` as in paths: `deployments`. */
export type Resource = {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly kind: string
  readonly isNamespaced: boolean
}

const namespaced = (kind: string, plural: string, group = '', version = 'v1'): Resource => ({
  group,
  version,
  plural,
  kind,
  isNamespaced: true,
})

const global = (...named: Parameters<typeof namespaced>): Resource => ({ ...namespaced(...named), isNamespaced: false })

/** The kinds that we create, read or watch ourselves. */
export const resources = {
  ConfigMap: namespaced('ConfigMap', 'configmaps'),
  Secret: namespaced('Secret', 'secrets'),
  PersistentVolumeClaim: namespaced('PersistentVolumeClaim', 'persistentvolumeclaims'),
  Service: namespaced('Service', 'services'),
  Pod: namespaced('Pod', 'pods'),
  Event: namespaced('Event', 'events'),
  ResourceQuota: namespaced('ResourceQuota', 'resourcequotas'),
  Deployment: namespaced('Deployment', 'deployments', 'apps'),
  ReplicaSet: namespaced('ReplicaSet', 'replicasets', 'apps'),
  StatefulSet: namespaced('StatefulSet', 'statefulsets', 'apps'),
  DaemonSet: namespaced('DaemonSet', 'daemonsets', 'apps'),
  Job: namespaced('Job', 'jobs', 'batch'),
  CronJob: namespaced('CronJob', 'cronjobs', 'batch'),
  HorizontalPodAutoscaler: namespaced('HorizontalPodAutoscaler', 'horizontalpodautoscalers', 'autoscaling', 'v2'),
  PodDisruptionBudget: namespaced('PodDisruptionBudget', 'poddisruptionbudgets', 'policy'),
  ScaledObject: namespaced('ScaledObject', 'scaledobjects', 'keda.sh', 'v1alpha1'),
  Application: namespaced('Application', 'applications', 'argoproj.io', 'v1alpha1'),
  Ingress: namespaced('Ingress', 'ingresses', 'networking.k8s.io'),
  EndpointSlice: namespaced('EndpointSlice', 'endpointslices', 'discovery.k8s.io'),
  ServiceAccount: namespaced('ServiceAccount', 'serviceaccounts'),
  RoleBinding: namespaced('RoleBinding', 'rolebindings', 'rbac.authorization.k8s.io'),
  LimitRange: namespaced('LimitRange', 'limitranges'),
  NetworkPolicy: namespaced('NetworkPolicy', 'networkpolicies', 'networking.k8s.io'),
  Lease: namespaced('Lease', 'leases', 'coordination.k8s.io'),
  Role: namespaced('Role', 'roles', 'rbac.authorization.k8s.io'),
  ClusterRole: global('ClusterRole', 'clusterroles', 'rbac.authorization.k8s.io'),
  ClusterRoleBinding: global('ClusterRoleBinding', 'clusterrolebindings', 'rbac.authorization.k8s.io'),
  ValidatingAdmissionPolicy: global(
    'ValidatingAdmissionPolicy',
    'validatingadmissionpolicies',
    'admissionregistration.k8s.io',
  ),
  ValidatingAdmissionPolicyBinding: global(
    'ValidatingAdmissionPolicyBinding',
    'validatingadmissionpolicybindings',
    'admissionregistration.k8s.io',
  ),
  Namespace: global('Namespace', 'namespaces'),
  Node: global('Node', 'nodes'),
  StorageClass: global('StorageClass', 'storageclasses', 'storage.k8s.io'),
  IngressClass: global('IngressClass', 'ingressclasses', 'networking.k8s.io'),
} as const satisfies Readonly<Record<string, Resource>>

export type KnownKind = keyof typeof resources

/** Those that run the pods of a service. */
export const workloadKinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job'] as const

/** `apps/v1`, `v1`. */
export const apiVersionOf = ({ group, version }: Pick<Resource, 'group' | 'version'>): string =>
  group === '' ? version : `${group}/${version}`

/** One object of the cluster. `namespace` is absent for cluster-scoped objects. */
export type ObjectKey = { readonly resource: Resource; readonly namespace?: string; readonly name: string }

/** `Deployment/web`; with its group when it is not one of our kinds: `Certificate.cert-manager.io/web`. */
export const showKey = ({ name, resource: { group, kind } }: Pick<ObjectKey, 'name' | 'resource'>): string =>
  Object.hasOwn(resources, kind) || group === '' ? `${kind}/${name}` : `${kind}.${group}/${name}`

const collectionPath = ({ group, isNamespaced, plural, version }: Resource, namespace: string | undefined): string => {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const within = isNamespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : ''
  return `${root}${within}/${plural}`
}

/** The path of all objects of a kind, in all namespaces if none is given. */
export const pathOfAll = ({
  resource,
  namespace,
}: {
  readonly resource: Resource
  readonly namespace?: string
}): string => collectionPath(resource, namespace)

export const pathOf = ({ name, namespace, resource }: ObjectKey): string =>
  `${collectionPath(resource, namespace)}/${encodeURIComponent(name)}`

export const selfReviews = global('SelfSubjectReview', 'selfsubjectreviews', 'authentication.k8s.io')
