/**
 * The labels and annotations that devtool writes and reads. A selector of pods is the environment and the service, and
 * never changes: the API forbids it.
 */
import type { Strings } from './types.ts'

export const ENVIRONMENT_LABEL = 'dev.devtool/environment'
export const SERVICE_LABEL = 'dev.devtool/service'
/** On what devtool keeps for itself; objects of users have none. */
export const KIND_LABEL = 'dev.devtool/kind'
const VOLUME_GROUP_LABEL = 'dev.devtool/volume-group'
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by'

/** A hash of what a pod reads at its start. */
export const CONFIG_ANNOTATION = 'dev.devtool/config'
/** The services a workload depends on, as JSON. */
export const DEPENDS_ON_ANNOTATION = 'dev.devtool/depends-on'
/** Labels of Compose that Kubernetes refuses as keys, as JSON. */
export const LABELS_ANNOTATION = 'dev.devtool/labels'
export const POLICY_ANNOTATION = 'dev.devtool/policy'
/** What a Job was rendered as: it has to run again when that changes. */
export const TEMPLATE_HASH_ANNOTATION = 'dev.devtool/template-hash'
export const UPDATE_ANNOTATION = 'dev.devtool/update'

/** Whether the meaning of a key is ours to define. */
export const isOurKey = (key: string): boolean => key.startsWith('dev.devtool/')

/** Keys that users cannot set. */
export const reservedKeys: ReadonlySet<string> = new Set([
  CONFIG_ANNOTATION,
  DEPENDS_ON_ANNOTATION,
  LABELS_ANNOTATION,
  TEMPLATE_HASH_ANNOTATION,
])

/** Of every object. */
export const environmentLabels = (environment: string): Strings =>
  new Map([
    [MANAGED_BY_LABEL, 'devtool'],
    ['app.kubernetes.io/part-of', environment],
    [ENVIRONMENT_LABEL, environment],
  ])

/** What devtool keeps of an environment in the cluster: its record, its variables and its lock. */
type OwnKind = 'environment' | 'variables' | 'lock'

export const ownLabels = (environment: string, kind: OwnKind): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(environmentLabels(environment)),
  [KIND_LABEL]: kind,
})

/** `own` is for the objects of a service, `pod` for its pods, `selector` what those are selected by. */
export type ServiceLabels = { readonly own: Strings; readonly pod: Strings; readonly selector: Strings }

/** `group` is the volume group of the service, `owner` the service whose pods are its own. */
export const serviceLabels = (
  labels: Strings,
  service: string,
  group: string | undefined,
  owner: string,
): ServiceLabels => {
  const environment = labels.get(ENVIRONMENT_LABEL) ?? ''
  const own = new Map([...labels, ['app.kubernetes.io/name', service], [SERVICE_LABEL, service]])
  return {
    own,
    pod: group === undefined ? own : new Map([...own, [VOLUME_GROUP_LABEL, group]]),
    selector: new Map([
      [ENVIRONMENT_LABEL, environment],
      [SERVICE_LABEL, owner],
    ]),
  }
}

/** What the pods of a volume group are found by. */
export const groupSelector = (environment: string, group: string): Strings =>
  new Map([
    [ENVIRONMENT_LABEL, environment],
    [VOLUME_GROUP_LABEL, group],
  ])

/** Lists and watches all that belongs to an environment. */
export const environmentSelector = (environment: string): string => `${ENVIRONMENT_LABEL}=${environment}`

/** Lists the records of all environments of a namespace. */
export const RECORD_SELECTOR = `${KIND_LABEL}=environment`
