/**
 * The kinds of the platform's objects other than workloads, with the fields that devtool sets. `test/types` checks
 * them.
 */

type Texts = Readonly<Record<string, string>>

type Kind<V extends string, K extends string, Body> = {
  readonly apiVersion: V
  readonly kind: K
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels: Texts
    readonly annotations?: Texts
  }
} & Body

export type RbacRule = {
  readonly apiGroups: ReadonlyArray<string>
  readonly resources: ReadonlyArray<string>
  readonly verbs: ReadonlyArray<string>
  readonly resourceNames?: ReadonlyArray<string>
}

type Rights = { readonly rules: ReadonlyArray<RbacRule> }

type Granted = {
  readonly roleRef: { readonly apiGroup: string; readonly kind: 'Role' | 'ClusterRole'; readonly name: string }
  readonly subjects: ReadonlyArray<
    | { readonly kind: 'ServiceAccount'; readonly name: string; readonly namespace: string }
    | { readonly apiGroup: string; readonly kind: 'Group'; readonly name: string }
  >
}

type RbacVersion = 'rbac.authorization.k8s.io/v1'

export type PlatformNamespace = Kind<'v1', 'Namespace', unknown>
export type ServiceAccount = Kind<'v1', 'ServiceAccount', { readonly automountServiceAccountToken: boolean }>
export type Role = Kind<RbacVersion, 'Role', Rights>
export type RoleBinding = Kind<RbacVersion, 'RoleBinding', Granted>
export type ClusterRole = Kind<
  RbacVersion,
  'ClusterRole',
  Partial<Rights> & {
    readonly aggregationRule?: { readonly clusterRoleSelectors: ReadonlyArray<{ readonly matchLabels: Texts }> }
  }
>
export type ClusterRoleBinding = Kind<RbacVersion, 'ClusterRoleBinding', Granted>

export type PodDisruptionBudget = Kind<
  'policy/v1',
  'PodDisruptionBudget',
  { readonly spec: { readonly minAvailable: number; readonly selector: { readonly matchLabels: Texts } } }
>

type Requirement =
  | { readonly key: string; readonly operator: 'Exists' | 'DoesNotExist' }
  | { readonly key: string; readonly operator: 'NotIn'; readonly values: ReadonlyArray<string> }

/** Pods in the namespaces that the selector matches, or addresses. */
export type NetworkPeer =
  | { readonly namespaceSelector: { readonly matchExpressions: ReadonlyArray<Requirement> } }
  | { readonly ipBlock: { readonly cidr: string; readonly except?: ReadonlyArray<string> } }

export type NetworkPolicy = Kind<
  'networking.k8s.io/v1',
  'NetworkPolicy',
  {
    readonly spec: {
      readonly podSelector: { readonly matchLabels?: Texts }
      readonly policyTypes: ReadonlyArray<'Ingress' | 'Egress'>
      readonly ingress: ReadonlyArray<{
        readonly from: ReadonlyArray<NetworkPeer>
        readonly ports: ReadonlyArray<{ readonly port: number }>
      }>
      readonly egress?: ReadonlyArray<{ readonly to: ReadonlyArray<NetworkPeer> }>
    }
  }
>

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE'

export type ResourceRule = {
  readonly apiGroups: ReadonlyArray<string>
  readonly apiVersions: ReadonlyArray<string>
  readonly operations: ReadonlyArray<Operation>
  readonly resources: ReadonlyArray<string>
  readonly scope: 'Namespaced' | 'Cluster'
}

/** CEL; `name` only appears in messages of the API server. */
type Condition = { readonly name: string; readonly expression: string }

export type PolicySpec = {
  readonly failurePolicy: 'Fail'
  readonly matchConstraints: {
    readonly namespaceSelector?: { readonly matchLabels: Texts }
    readonly objectSelector?: { readonly matchExpressions: ReadonlyArray<Requirement> }
    readonly resourceRules: ReadonlyArray<ResourceRule>
  }
  readonly matchConditions?: ReadonlyArray<Condition>
  readonly variables?: ReadonlyArray<Condition>
  readonly validations: ReadonlyArray<{ readonly expression: string; readonly message: string }>
}

type AdmissionVersion = 'admissionregistration.k8s.io/v1'

export type AdmissionPolicy = Kind<AdmissionVersion, 'ValidatingAdmissionPolicy', { readonly spec: PolicySpec }>
export type AdmissionPolicyBinding = Kind<
  AdmissionVersion,
  'ValidatingAdmissionPolicyBinding',
  { readonly spec: { readonly policyName: string; readonly validationActions: ReadonlyArray<'Audit' | 'Deny'> } }
>

/** Every object of an installation other than its workloads. */
export type PlatformObject =
  | PlatformNamespace
  | ServiceAccount
  | Role
  | RoleBinding
  | ClusterRole
  | ClusterRoleBinding
  | PodDisruptionBudget
  | NetworkPolicy
  | AdmissionPolicy
  | AdmissionPolicyBinding
