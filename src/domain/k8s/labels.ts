/**
 * The labels and annotations that devtool writes and reads. Pods are selected by environment and service; this never
 * changes, because the API forbids changing a selector.
 */
import { sha256 } from '../text/sha256.ts'
import type { Strings } from './types.ts'

export const ENVIRONMENT_LABEL = 'dev.devtool/environment'
export const SERVICE_LABEL = 'dev.devtool/service'
/** On objects that devtool keeps for itself; the user's objects do not have it. */
export const KIND_LABEL = 'dev.devtool/kind'
/** The development container that something belongs to. */
export const MIRROR_LABEL = 'dev.devtool/mirror'
/** Begins an annotation for each development container for which an object of others is paused. */
export const PAUSED_FOR = 'dev.devtool/up-'
const VOLUME_GROUP_LABEL = 'dev.devtool/volume-group'
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by'
/** Of nodes. */
export const HOSTNAME_LABEL = 'kubernetes.io/hostname'

/** On namespaces that the platform made, which are the only ones that it changes. */
export const MANAGED_LABEL = 'dev.devtool/managed'
/** Of a namespace: the user who made it. */
export const OWNER_LABEL = 'dev.devtool/owner'
/** Of a namespace: host names outside of the domain that it may use, set by administrators, separated by commas. */
export const HOSTS_ANNOTATION = 'dev.devtool/hosts'
/** Of a preview: `personal` or `global`. */
export const SCOPE_LABEL = 'dev.devtool/scope'
/** Of a preview: what it shows. */
export const REPOSITORY_ANNOTATION = 'dev.devtool/repository'
export const BRANCH_ANNOTATION = 'dev.devtool/branch'
/** Of a preview: the page of the pull request or merge request that it belongs to. */
export const SOURCE_URL_ANNOTATION = 'dev.devtool/source-url'
/** Of a preview: its pipeline, which deploys it. */
export const PIPELINE_ANNOTATION = 'dev.devtool/pipeline'
/** On what the platform made in a namespace or for a user, and nobody else may change. */
export const PLATFORM_LABEL = 'dev.devtool/platform'

/** Of the binding of an admission policy that may still be removed again. */
export const TRIAL_ANNOTATION = 'dev.devtool/trial'

/** A hash of the configuration that a pod reads when it starts. */
export const CONFIG_ANNOTATION = 'dev.devtool/config'
/** The services a workload depends on, as JSON. */
export const DEPENDS_ON_ANNOTATION = 'dev.devtool/depends-on'
/** Compose labels whose keys Kubernetes rejects, as JSON. */
export const LABELS_ANNOTATION = 'dev.devtool/labels'
/** Of a lock: the process that holds it. */
export const PROCESS_ANNOTATION = 'dev.devtool/process'
export const POLICY_ANNOTATION = 'dev.devtool/policy'
/** Hash of the template that a Job was created from: when it changes, the Job has to run again. */
export const TEMPLATE_HASH_ANNOTATION = 'dev.devtool/template-hash'
/** On what `up` made because there was nothing to develop. */
export const CREATED_BY_ANNOTATION = 'dev.devtool/created-by'
/** No node has this label. */
export const NOWHERE_LABEL = 'dev.devtool/nowhere'
export const NAME_LABEL = 'app.kubernetes.io/name'
/** A hash of the keys with which a development container is entered. */
export const KEYS_ANNOTATION = 'dev.devtool/keys'
export const UPDATE_ANNOTATION = 'dev.devtool/update'

/** Of a ServiceAccount or RoleBinding of a user. */
export const EMAIL_ANNOTATION = 'dev.devtool/email'
/** Of a ServiceAccount of a user: what the issuer calls them, as JSON. */
export const SUBJECT_ANNOTATION = 'dev.devtool/subject'
/** Of a ServiceAccount of a user: `admin` or `developer`. */
export const ROLE_ANNOTATION = 'dev.devtool/role'
/** Of a ServiceAccount of a user who may not log in. */
export const DISABLED_ANNOTATION = 'dev.devtool/disabled'
/** Of a ServiceAccount of a user: sessions and tokens of another epoch have ended. */
export const EPOCH_ANNOTATION = 'dev.devtool/epoch'
/** Of a ServiceAccount of an administrator: the last change of another administrator by this one. */
export const ACTED_ANNOTATION = 'dev.devtool/acted'

/** Of a Namespace that is not complete yet. */
export const CREATING_ANNOTATION = 'dev.devtool/creating'
/** Of variables for all namespaces: the names of those that previews get, too. */
export const PREVIEWS_ANNOTATION = 'dev.devtool/in-previews'

/** On the Job, the pod, the Secret and the record of a run: its id. */
export const RUN_LABEL = 'dev.devtool/run'
/** On the same objects: the environment that the run deploys or destroys. */
export const RUN_OF_LABEL = 'dev.devtool/run-of'
/** On the record of a run: its status, so that runs which have not ended can be listed. */
export const RUN_STATUS_LABEL = 'dev.devtool/run-status'
/** On the Job and the record of a run: when it was asked for, in milliseconds. */
export const QUEUED_ANNOTATION = 'dev.devtool/queued-ms'
/** On the record of a run that is to be cancelled: who asked for it. */
export const CANCELLED_ANNOTATION = 'dev.devtool/cancelled-by'
/** Of a Namespace: `Deleting` or `DeleteFailed`; absent while it can be used. */
export const STATUS_ANNOTATION = 'dev.devtool/status'
/** Of a Namespace that is being deleted: since when, by whom, and what came of it, as JSON. */
export const DELETION_ANNOTATION = 'dev.devtool/deletion'
/** The record of a namespace that sleeps or has slept, and its state there: `asleep` or `awake`. */
export const SLEEP_NAME = 'devtool-sleep'
export const SLEEP_LABEL = 'dev.devtool/sleep'
/** Of a preview: when it is deleted by itself. */
export const EXPIRES_ANNOTATION = 'dev.devtool/expires'

/** The type of Secrets that hold the hash of an API token. */
export const TOKEN_TYPE = 'dev.devtool/api-token'

/** Whether a key is in our own namespace. */
export const isOurKey = (key: string): boolean => key.startsWith('dev.devtool/')

/** Keys that users must not set. */
export const reservedKeys: ReadonlySet<string> = new Set([
  CONFIG_ANNOTATION,
  DEPENDS_ON_ANNOTATION,
  LABELS_ANNOTATION,
  TEMPLATE_HASH_ANNOTATION,
])

/** Labels of every object. */
export const environmentLabels = (environment: string): Strings =>
  new Map([
    [MANAGED_BY_LABEL, 'devtool'],
    ['app.kubernetes.io/part-of', environment],
    [ENVIRONMENT_LABEL, environment],
  ])

/** The kinds of objects that devtool keeps for itself: the record, the variables, the lock and the plans. */
type OwnKind = 'environment' | 'variables' | 'lock' | 'plan'

export const ownLabels = (environment: string, kind: OwnKind): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(environmentLabels(environment)),
  [KIND_LABEL]: kind,
})

/** `own` is for the objects of a service, `pod` for its pods, `selector` for selecting those. */
export type ServiceLabels = { readonly own: Strings; readonly pod: Strings; readonly selector: Strings }

/** On the pods of every service that has the alias in common with others. */
const aliasLabel = (alias: string): string => `dev.devtool/alias-${sha256(alias).slice(0, 8)}`

/** What the pods of a service belong to: its volume group, and the aliases that it shares with other services. */
export const membershipLabels = (group: string | undefined, aliases: ReadonlyArray<string>): Strings =>
  new Map([
    ...(group === undefined ? [] : [[VOLUME_GROUP_LABEL, group] as const]),
    ...aliases.map((alias) => [aliasLabel(alias), 'true'] as const),
  ])

/** `memberships` are further labels of its pods, `owner` the service that owns its pod. */
export const serviceLabels = (labels: Strings, service: string, memberships: Strings, owner: string): ServiceLabels => {
  const environment = labels.get(ENVIRONMENT_LABEL) ?? ''
  const own = new Map(labels).set(NAME_LABEL, service).set(SERVICE_LABEL, service)
  return {
    own,
    pod: memberships.size === 0 ? own : new Map([...own, ...memberships]),
    selector: new Map([
      [ENVIRONMENT_LABEL, environment],
      [SERVICE_LABEL, owner],
    ]),
  }
}

/** Selects the pods of a volume group. */
export const groupSelector = (environment: string, group: string): Strings =>
  new Map([
    [ENVIRONMENT_LABEL, environment],
    [VOLUME_GROUP_LABEL, group],
  ])

/** Selects the pods of all services that share an alias. */
export const aliasSelector = (environment: string, alias: string): Strings =>
  new Map([
    [ENVIRONMENT_LABEL, environment],
    [aliasLabel(alias), 'true'],
  ])

/** Selects everything that belongs to an environment. */
export const environmentSelector = (environment: string): string => `${ENVIRONMENT_LABEL}=${environment}`

/** Selects the records of all environments of a namespace. */
export const RECORD_SELECTOR = `${KIND_LABEL}=environment`
