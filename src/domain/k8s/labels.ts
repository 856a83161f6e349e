/** Labels and selectors. A selector is the environment and the service, and never changes: the API forbids it. */
import type { Service } from '../compose/model.ts'
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
  { object }: Service,
  group: string | undefined,
  owner: Service,
): ServiceLabels => {
  const environment = labels.get(ENVIRONMENT) ?? ''
  const own = new Map([...labels, ['app.kubernetes.io/name', object], [SERVICE, object]])
  return {
    own,
    pod: group === undefined ? own : new Map([...own, [VOLUME_GROUP, group]]),
    selector: new Map([
      [ENVIRONMENT, environment],
      [SERVICE, owner.object],
    ]),
  }
}

/** What the pods of a volume group are found by. */
export const groupSelector = (environment: string, group: string): Strings =>
  new Map([
    [ENVIRONMENT, environment],
    [VOLUME_GROUP, group],
  ])
