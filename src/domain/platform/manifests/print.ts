/** Everything that is installed, as YAML for those who apply it themselves; Secrets are only named. */
import { printManifests } from '../../plan/manifests.ts'
import { printYamlStream } from '../../print/yaml.ts'
import { foundationFor } from './foundation.ts'
import type { PlatformInstallation } from './installation.ts'
import { bindingsOf, policiesFor } from './policies.ts'
import { platformPlan } from './workloads.ts'

export const printInstallation = (installation: PlatformInstallation): string => {
  const policies = policiesFor(installation.domain)
  const beneath = printYamlStream([...foundationFor(installation), ...policies, ...bindingsOf(policies, 'Deny')])
  return `${beneath}---\n${printManifests(platformPlan(installation, { clientSecret: '', sessionKey: '' }), false)}`
}
