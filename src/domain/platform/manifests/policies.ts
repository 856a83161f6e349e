/** All admission policies of the platform, with the bindings that put them into effect. */
import { confine } from './confine.ts'
import { edge } from './edge.ts'
import { guard } from './guard.ts'
import { systemLabels } from './rights.ts'
import type { AdmissionPolicy, AdmissionPolicyBinding } from './types.ts'

/** `Audit` only notes in the audit log of the API server what `Deny` would refuse. */
export type Enforcement = 'Audit' | 'Deny'

export const policiesFor = (domain: string): ReadonlyArray<AdmissionPolicy> => [...confine, guard, ...edge(domain)]

export const bindingsOf = (
  policies: ReadonlyArray<AdmissionPolicy>,
  enforcement: Enforcement,
): ReadonlyArray<AdmissionPolicyBinding> =>
  policies.map(({ metadata: { name } }) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name, labels: systemLabels },
    spec: { policyName: name, validationActions: [enforcement] },
  }))
