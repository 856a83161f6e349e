/**
 * The labels and annotations that devtool writes and reads. Pods are selected by environment and service; this never
 * changes, because the API forbids changing a selector.
 */
import { sha256 } from '../text/sha256.ts'
import type { Strings } from './types.ts'

export const ENVIRONMENT_LABEL = 'dev.devtool/environment'
export const SERVICE_LABEL = 'dev.devtool/service'
/** On objects that devtool keeps for itself, and never on the user's objects. */
export const KIND_LABEL = 'dev.devtool/kind'
/** The development container that an object belongs to. */
export const MIRROR_LABEL = 'dev.devtool/mirror'
/** On the claim of a development container: its name, as `up` and `down` take it. */
export const DEV_ANNOTATION = 'dev.devtool/dev'
/** Prefix of the annotations on an object of others that is paused, one for each development container. */
export const PAUSED_FOR = 'dev.devtool/up-'
const VOLUME_GROUP_LABEL = 'dev.devtool/volume-group'
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by'
/** A standard label of nodes. */
export const HOSTNAME_LABEL = 'kubernetes.io/hostname'

/** On namespaces that the platform created, the only ones that it changes. */
export const MANAGED_LABEL = 'dev.devtool/managed'
/** On a namespace: the user who created it. */
export const OWNER_LABEL = 'dev.devtool/owner'
/**
 * On a namespace: host names outside of the platform's domain that it may use, set by administrators, separated by
 * commas.
 */
export const HOSTS_ANNOTATION = 'dev.devtool/hosts'
/** On a preview: `personal` or `global`. */
export const SCOPE_LABEL = 'dev.devtool/scope'
/** On a preview: the repository that it shows. */
export const REPOSITORY_ANNOTATION = 'dev.devtool/repository'
export const BRANCH_ANNOTATION = 'dev.devtool/branch'
/** On a preview: the page of its pull request or merge request. */
export const SOURCE_URL_ANNOTATION = 'dev.devtool/source-url'
/** On a preview: the pipeline that deploys it. */
export const PIPELINE_ANNOTATION = 'dev.devtool/pipeline'
/** On objects that the platform created in a namespace or for a user, which nobody else may change. */
export const PLATFORM_LABEL = 'dev.devtool/platform'

/** On the binding of an admission policy that is only tried, and may be removed again. */
export const TRIAL_ANNOTATION = 'dev.devtool/trial'

/** A hash of the configuration that a pod reads when it starts. */
export const CONFIG_ANNOTATION = 'dev.devtool/config'
/** The services a workload depends on, as JSON. */
export const DEPENDS_ON_ANNOTATION = 'dev.devtool/depends-on'
/** Compose labels whose keys Kubernetes rejects, as JSON. */
export const LABELS_ANNOTATION = 'dev.devtool/labels'
/** On a lock: the process that holds it. */
export const PROCESS_ANNOTATION = 'dev.devtool/process'
export const POLICY_ANNOTATION = 'dev.devtool/policy'
/** Hash of the template that a Job was created from: when it changes, the Job has to run again. */
export const TEMPLATE_HASH_ANNOTATION = 'dev.devtool/template-hash'
/** On workloads that `up` created because there was nothing to develop. */
export const CREATED_BY_ANNOTATION = 'dev.devtool/created-by'
/** A label that no node has. */
export const NOWHERE_LABEL = 'dev.devtool/nowhere'
export const NAME_LABEL = 'app.kubernetes.io/name'
/** A hash of the SSH keys of a development container. */
export const KEYS_ANNOTATION = 'dev.devtool/keys'
export const UPDATE_ANNOTATION = 'dev.devtool/update'

/** On a user's ServiceAccount or RoleBinding, and on the record of a run that this user cancels. */
export const EMAIL_ANNOTATION = 'dev.devtool/email'
/** On a user's ServiceAccount: the issuer and subject of their identity, as JSON. */
export const SUBJECT_ANNOTATION = 'dev.devtool/subject'
/** On a user's ServiceAccount: `admin` or `developer`. */
export const ROLE_ANNOTATION = 'dev.devtool/role'
/** On the ServiceAccount of a user who may not log in. */
export const DISABLED_ANNOTATION = 'dev.devtool/disabled'
/** On a user's ServiceAccount: sessions and tokens of any other epoch are invalid. */
export const EPOCH_ANNOTATION = 'dev.devtool/epoch'
/** On an administrator's ServiceAccount: the last change that this administrator made to another one. */
export const ACTED_ANNOTATION = 'dev.devtool/acted'

/** On a Namespace that is not complete yet. */
export const CREATING_ANNOTATION = 'dev.devtool/creating'
/** On variables for all namespaces: the names of those that previews get, too. */
export const PREVIEWS_ANNOTATION = 'dev.devtool/in-previews'

/** On the Job, the pod, the Secret and the record of a run: its id. */
export const RUN_LABEL = 'dev.devtool/run'
/** On the same objects: the environment that the run deploys or destroys. */
export const RUN_OF_LABEL = 'dev.devtool/run-of'
/** On the record of a run: its status, by which unfinished runs are selected. */
export const RUN_STATUS_LABEL = 'dev.devtool/run-status'
/** On the Job and the record of a run: when it was requested, in milliseconds since 1970. */
export const QUEUED_ANNOTATION = 'dev.devtool/queued-ms'
/** On the record of a run: what it says, as JSON, so that lists need not read its log. */
export const RECORD_ANNOTATION = 'dev.devtool/run-record'
/** On the record of a run that is to be cancelled: who requested that. */
export const CANCELLED_ANNOTATION = 'dev.devtool/cancelled-by'
/** On a Namespace: `Deleting` or `DeleteFailed`; absent while it can be used. */
export const STATUS_ANNOTATION = 'dev.devtool/status'
/** On a Namespace that is being deleted: since when, by whom, and the result, as JSON. */
export const DELETION_ANNOTATION = 'dev.devtool/deletion'
/** The record of a namespace that sleeps or has slept, and its state there: `asleep` or `awake`. */
export const SLEEP_NAME = 'devtool-sleep'
export const SLEEP_LABEL = 'dev.devtool/sleep'
/** On a Namespace, by an administrator: after how long without use it sleeps, like `12h`, or `never`. */
export const SLEEP_AFTER_ANNOTATION = 'dev.devtool/sleep-after'
/** On a preview: the id and the status of its last run. */
export const LAST_RUN_ANNOTATION = 'dev.devtool/last-run'
/** On a preview: when it is deleted automatically. */
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

/** On the pods of every service that shares the alias with others. */
const aliasLabel = (alias: string): string => `dev.devtool/alias-${sha256(alias).slice(0, 8)}`

/** Labels of a service's pods: its volume group, and the aliases that it shares with other services. */
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
