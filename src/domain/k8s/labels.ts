/** Labels and selectors. A selector is the environment and the service, and never changes: the API forbids it. */
import type { Strings } from './types.ts'

const ENVIRONMENT = 'dev.devtool/environment'
const SERVICE = 'dev.devtool/service'
const VOLUME_GROUP = 'dev.devtool/volume-group'

/** Of every object. */
export const environmentLabels = (environment: string): Strings =>
  new Map([
    ['app.kubernetes.io/managed-by', 'devtool'],
    ['app.kubernetes.io/part-of', environment],
    [ENVIRONMENT, environment],
  ])

/** `own` is for the objects of a service, `pod` for its pods, `selector` what those are selected by. */
export type ServiceLabels = { readonly own: Strings; readonly pod: Strings; readonly selector: Strings }

/** `group` is the volume group of the service, `owner` the service whose pods are its own. */
export const serviceLabels = (
  labels: Strings,
  service: string,
  group: string | undefined,
  owner: string,
): ServiceLabels => {
  const environment = labels.get(ENVIRONMENT) ?? ''
  const own = new Map([...labels, ['app.kubernetes.io/name', service], [SERVICE, service]])
  return {
    own,
    pod: group === undefined ? own : new Map([...own, [VOLUME_GROUP, group]]),
    selector: new Map([
      [ENVIRONMENT, environment],
      [SERVICE, owner],
    ]),
  }
}

/** What the pods of a volume group are found by. */
export const groupSelector = (environment: string, group: string): Strings =>
  new Map([
    [ENVIRONMENT, environment],
    [VOLUME_GROUP, group],
  ])
