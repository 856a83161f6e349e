/** All admission policies of the platform, with the bindings that put them into effect. */
import { TRIAL_ANNOTATION } from '../../k8s/labels.ts'
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

/** Not known to harm nobody yet: a trial that was killed leaves them. */
export const onTrial = (bindings: ReadonlyArray<AdmissionPolicyBinding>): ReadonlyArray<AdmissionPolicyBinding> =>
  bindings.map((binding) => ({
    ...binding,
    metadata: { ...binding.metadata, annotations: { [TRIAL_ANNOTATION]: 'true' } },
  }))
