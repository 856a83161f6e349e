/**
 * Parts that all admission policies of the platform share. A policy applies to the whole cluster, and a request is
 * refused when the policy's expression cannot be evaluated. So each policy names its resources and their scope, never
 * `*`, applies only to namespaces of the platform or to its own accounts, and checks that a field exists before reading
 * it.
 */
import { MANAGED_LABEL } from '../../k8s/labels.ts'
import { SYSTEM_NAMESPACE } from '../names.ts'
import { systemLabels } from './rights.ts'
import type { AdmissionPolicy, Operation, PolicySpec, ResourceRule } from './types.ts'

export const policy = (name: string, spec: Omit<PolicySpec, 'failurePolicy'>): AdmissionPolicy => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: `devtool-${name}`, labels: systemLabels },
  spec: { failurePolicy: 'Fail', ...spec },
})

export const writes: ReadonlyArray<Operation> = ['CREATE', 'UPDATE', 'DELETE']

export const namespaced = (
  group: string,
  resources: ReadonlyArray<string>,
  operations: ReadonlyArray<Operation>,
  apiVersions: ReadonlyArray<string> = ['v1'],
): ResourceRule => ({ apiGroups: [group], apiVersions, operations, resources, scope: 'Namespaced' })

/** Namespaces of tenants. */
export const inManaged = { matchLabels: { [MANAGED_LABEL]: 'true' } } as const

/** A string literal of CEL. */
export const quoted = (text: string): string => JSON.stringify(text)

/** Whether `meta`, an expression, is the metadata of a namespace of the platform. */
export const isManaged = (meta: string): string => `${meta}.?labels[?${quoted(MANAGED_LABEL)}].orValue("") == "true"`

const user = 'request.userInfo.?username.orValue("")'

/** Whether the request comes from one of the platform's programs. */
const isPlatform = `${user}.startsWith("system:serviceaccount:${SYSTEM_NAMESPACE}:")`

export const fromPlatform = { name: 'platform', expression: isPlatform } as const

/** Whether the request comes from this program of the platform. */
export const isFrom = (account: string): string =>
  `${user} == ${quoted(`system:serviceaccount:${SYSTEM_NAMESPACE}:${account}`)}`

/** The cluster's own controllers, which collect garbage and empty namespaces that are being deleted. */
const isController = `(${user}.startsWith("system:serviceaccount:kube-system:") || ${user} in ["system:apiserver", "system:kube-controller-manager"])`

/** Users who may remove the policies are exempt from them. */
const mayChangePolicies = `authorizer.group("admissionregistration.k8s.io").resource("validatingadmissionpolicies").check("update").allowed()`

export const isTrusted = `${isPlatform} || ${isController} || ${mayChangePolicies}`

/**
 * Changes that do not touch these fields are allowed: finalizers of any object can be removed, and its namespace can be
 * deleted.
 */
export const changed = (...fields: ReadonlyArray<string>): { readonly name: string; readonly expression: string } => ({
  name: 'changed',
  expression: `request.operation != "UPDATE" || ${fields.map((field) => `object.${field} != oldObject.${field}`).join(' || ')}`,
})
