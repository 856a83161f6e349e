/** Our types are narrower than the API's own: what we write, the client's types accept. Checked by the compiler only. */
import type * as api from '@kubernetes/client-node'
import type * as our from '../../src/domain/k8s/types.ts'
import type * as platform from '../../src/domain/platform/manifests/types.ts'

/** As it is in JSON: a `Map` is an object, and what we only read may be changed. */
type Json<A> =
  A extends ReadonlyMap<string, infer V>
    ? Record<string, Json<V>>
    : A extends ReadonlyArray<infer I>
      ? Array<Json<I>>
      : A extends object
        ? { -readonly [K in keyof A]: Json<A[K]> }
        : A

type Fits<A extends B, B> = A

/** The members of `A`, at any depth, that `B` does not have. */
type Strange<A, B> =
  A extends ReadonlyArray<infer I>
    ? NonNullable<B> extends ReadonlyArray<infer J>
      ? Strange<I, J>
      : 'list'
    : A extends object
      ? string extends keyof A
        ? never
        : Exclude<keyof A, keyof NonNullable<B>> | StrangeBelow<A, NonNullable<B>>
      : never
type StrangeBelow<A, B> = {
  [K in keyof A & keyof B]-?: Strange<NonNullable<A[K]>, NonNullable<B[K]>>
}[keyof A & keyof B]
type None<S extends never> = S

export type Checked = readonly [
  Fits<Json<our.Deployment>, api.V1Deployment>,
  Fits<Json<our.StatefulSet>, api.V1StatefulSet>,
  Fits<Json<our.DaemonSet>, api.V1DaemonSet>,
  Fits<Json<our.Job>, api.V1Job>,
  Fits<Json<our.Service>, api.V1Service>,
  Fits<Json<our.Ingress>, api.V1Ingress>,
  Fits<Json<our.PersistentVolumeClaim>, api.V1PersistentVolumeClaim>,
  Fits<Json<our.ConfigMap>, api.V1ConfigMap>,
  Fits<Json<our.Secret>, api.V1Secret>,
  None<Strange<Json<our.Deployment>, api.V1Deployment>>,
  None<Strange<Json<our.StatefulSet>, api.V1StatefulSet>>,
  None<Strange<Json<our.DaemonSet>, api.V1DaemonSet>>,
  None<Strange<Json<our.Job>, api.V1Job>>,
  None<Strange<Json<our.Service>, api.V1Service>>,
  None<Strange<Json<our.Ingress>, api.V1Ingress>>,
  None<Strange<Json<our.PersistentVolumeClaim>, api.V1PersistentVolumeClaim>>,
  None<Strange<Json<our.ConfigMap>, api.V1ConfigMap>>,
  None<Strange<Json<our.Secret>, api.V1Secret>>,
  Fits<Json<platform.PlatformNamespace>, api.V1Namespace>,
  None<Strange<Json<platform.PlatformNamespace>, api.V1Namespace>>,
  Fits<Json<platform.ServiceAccount>, api.V1ServiceAccount>,
  None<Strange<Json<platform.ServiceAccount>, api.V1ServiceAccount>>,
  Fits<Json<platform.Role>, api.V1Role>,
  None<Strange<Json<platform.Role>, api.V1Role>>,
  Fits<Json<platform.RoleBinding>, api.V1RoleBinding>,
  None<Strange<Json<platform.RoleBinding>, api.V1RoleBinding>>,
  Fits<Json<platform.ClusterRole>, api.V1ClusterRole>,
  None<Strange<Json<platform.ClusterRole>, api.V1ClusterRole>>,
  Fits<Json<platform.ClusterRoleBinding>, api.V1ClusterRoleBinding>,
  None<Strange<Json<platform.ClusterRoleBinding>, api.V1ClusterRoleBinding>>,
  Fits<Json<platform.PodDisruptionBudget>, api.V1PodDisruptionBudget>,
  None<Strange<Json<platform.PodDisruptionBudget>, api.V1PodDisruptionBudget>>,
  Fits<Json<platform.NetworkPolicy>, api.V1NetworkPolicy>,
  // The client calls it `_from`.
  None<Exclude<Strange<Json<platform.NetworkPolicy>, api.V1NetworkPolicy>, 'from'>>,
  Fits<Json<platform.AdmissionPolicy>, api.V1ValidatingAdmissionPolicy>,
  None<Strange<Json<platform.AdmissionPolicy>, api.V1ValidatingAdmissionPolicy>>,
  Fits<Json<platform.AdmissionPolicyBinding>, api.V1ValidatingAdmissionPolicyBinding>,
  None<Strange<Json<platform.AdmissionPolicyBinding>, api.V1ValidatingAdmissionPolicyBinding>>,
]

type Odd = {
  readonly spec: { readonly template: { readonly spec: { readonly containers: Array<{ imgae: string }> } } }
}
// @ts-expect-error a member that the API does not have is noticed, however deep
export type Noticed = None<Strange<Odd, api.V1Deployment>>
// @ts-expect-error so is a value of another type
export type Refused = Fits<{ spec: { replicas: string } }, Pick<api.V1Deployment, 'spec'>>
