/** The installed objects as YAML, for users who apply them themselves; Secrets are left out and only named. */
import { printManifests } from '../../plan/manifests.ts'
import { printYamlStream } from '../../print/yaml.ts'
import { builderPlan } from './builder.ts'
import { foundationFor } from './foundation.ts'
import type { PlatformInstallation } from './installation.ts'
import { bindingsOf, policiesFor } from './policies.ts'
import { noKeys, platformPlan } from './workloads.ts'

export const printInstallation = (installation: PlatformInstallation): string => {
  const policies = policiesFor(installation.domain)
  const { builder } = installation
  const built = builder === undefined ? [] : [printManifests(builderPlan(builder, noKeys), false)]
  const beneath = printYamlStream([...foundationFor(installation), ...policies, ...bindingsOf(policies, 'Deny')])
  const programs = printManifests(platformPlan(installation, { clientSecret: '', sessionKey: '' }), false)
  return [beneath, programs, ...built].join('---\n')
}
