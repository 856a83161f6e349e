/** All admission policies of the platform, with their bindings. */
import { TRIAL_ANNOTATION } from '../../k8s/labels.ts'
import { confine } from './confine.ts'
import { edge } from './edge.ts'
import { guard } from './guard.ts'
import { systemLabels } from './rights.ts'
import type { AdmissionPolicy, AdmissionPolicyBinding } from './types.ts'

/** `Audit` only notes in the API server's audit log what `Deny` would refuse. */
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

/** Marks bindings whose effect is not tested yet, so that those of an interrupted trial are found and removed. */
export const onTrial = (bindings: ReadonlyArray<AdmissionPolicyBinding>): ReadonlyArray<AdmissionPolicyBinding> =>
  bindings.map((binding) => ({
    ...binding,
    metadata: { ...binding.metadata, annotations: { [TRIAL_ANNOTATION]: 'true' } },
  }))
