/**
 * What all admission policies of the platform have in common.
 *
 * A policy applies to the whole cluster, and when its expression cannot be evaluated the request is refused. So each
 * names its resources and their scope, never `*`, applies only to namespaces of the platform or to its own accounts, and
 * asks whether a field is there before it reads it.
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

/** A text of CEL. */
export const quoted = (text: string): string => JSON.stringify(text)

/** Whether `meta`, an expression, is the metadata of a namespace of the platform. */
export const isManaged = (meta: string): string => `${meta}.?labels[?${quoted(MANAGED_LABEL)}].orValue("") == "true"`

const user = 'request.userInfo.?username.orValue("")'

/** The platform's own programs. */
const isPlatform = `${user}.startsWith("system:serviceaccount:${SYSTEM_NAMESPACE}:")`

export const fromPlatform = { name: 'platform', expression: isPlatform } as const

/** One of the platform's programs. */
export const isFrom = (account: string): string =>
  `${user} == ${quoted(`system:serviceaccount:${SYSTEM_NAMESPACE}:${account}`)}`

/** The cluster's own controllers, which collect garbage and empty namespaces that are being deleted. */
const isController = `(${user}.startsWith("system:serviceaccount:kube-system:") || ${user} in ["system:apiserver", "system:kube-controller-manager"])`

/** Whoever could as well remove the policies is not held by them. */
const mayChangePolicies = `authorizer.group("admissionregistration.k8s.io").resource("validatingadmissionpolicies").check("update").allowed()`

export const isTrusted = `${isPlatform} || ${isController} || ${mayChangePolicies}`

/**
 * A change that leaves alone what a policy is about passes: whatever an object looks like, its finalizers can be removed
 * and its namespace can be deleted.
 */
export const changed = (...fields: ReadonlyArray<string>): { readonly name: string; readonly expression: string } => ({
  name: 'changed',
  expression: `request.operation != "UPDATE" || ${fields.map((field) => `object.${field} != oldObject.${field}`).join(' || ')}`,
})
