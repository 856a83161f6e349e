/**
 * A run on the platform: one deploy or destroy in a pod of its namespace. Its record is the ConfigMap
 * `devtool-run-<id>`, which remains when the pod is gone.
 */
import * as t from 'io-ts'
import type { JsonObject } from '../../cluster/json.ts'
import { textAt } from '../../cluster/json.ts'
import { annotationOf, type ClusterObject, labelOf } from '../../cluster/live.ts'
import { Diagnostic } from '../../diagnostic/codec.ts'
import {
  CANCELLED_ANNOTATION,
  EMAIL_ANNOTATION,
  KIND_LABEL,
  QUEUED_ANNOTATION,
  RECORD_ANNOTATION,
  RUN_LABEL,
  RUN_OF_LABEL,
  RUN_STATUS_LABEL,
} from '../../k8s/labels.ts'
import { fromJson } from '../../object/codecs.ts'
import { defined, ifDefined } from '../../object/defined.ts'
import { atLeast, keys, oneOf } from '../../print/document.ts'
import { decodeBase64, encodeBase64 } from '../../text/base64.ts'

export const RunAction = oneOf('deploy', 'destroy')
export type RunAction = t.TypeOf<typeof RunAction>

export const RunStatus = oneOf('queued', 'running', 'succeeded', 'failed', 'cancelled', 'timed-out')
export type RunStatus = t.TypeOf<typeof RunStatus>

const RunUser = keys({ user: [t.string, 'id of the user'], email: [t.string, 'e-mail address, or empty'] })
export type RunUser = t.TypeOf<typeof RunUser>

/** The rows of a run as the API shows it. */
const runRows = {
  id: [t.string, 'id of the run'],
  action: [RunAction, 'what it does'],
  status: [RunStatus, 'how far it is, or how it ended'],
  environment: [t.string, 'name of the environment'],
  namespace: [t.string, 'its namespace'],
  who: [RunUser, 'who started it'],
  created: [t.string, 'when it was started'],
  timeoutSeconds: [t.number, 'how long it may take'],
  volumes: [t.boolean, 'whether a destroy deletes volumes, too'],
  variables: [t.readonlyArray(t.string), 'names of the variables that it was given'],
} as const
const optionalRunRows = {
  repository: [t.string, 'address of the repository'],
  branch: [t.string, 'its branch; before the clone, that of the repository if absent'],
  commit: [t.string, 'the commit that was cloned'],
  file: [t.string, 'the file that was deployed'],
  started: [t.string, 'when its program began'],
  ended: [t.string, 'when it ended'],
  exitStatus: [t.number, 'exit status of the command'],
  failure: [Diagnostic, 'why it failed'],
  cancelledBy: [RunUser, 'who cancelled it'],
  replacedBy: [t.string, 'id of the newer run that replaced it before it started'],
} as const

/** Computed when it is shown. */
const RunWait = keys(
  {
    for: [
      oneOf('run', 'namespace', 'platform'),
      'another run of the pipeline; one of the runs of the namespace, of which there are as many as may be; or its turn on the platform',
    ],
  },
  { run: [t.string, 'id of the other run of the pipeline'] },
)
export type RunWait = t.TypeOf<typeof RunWait>

export const RunRecord = keys(runRows, { ...optionalRunRows, waitsFor: [RunWait, 'what a queued run waits for'] })
export type RunRecord = t.TypeOf<typeof RunRecord>

const Stored = atLeast({ schema: [t.literal(1), 'version of this record'], ...runRows }, optionalRunRows)

/** The statuses of runs that have ended. */
export type EndedStatus = Exclude<RunStatus, 'queued' | 'running'>

export const hasEnded = ({ status }: { readonly status: string }): boolean =>
  status !== 'queued' && status !== 'running'

/** The name of its record, its Job and its Secret. */
export const runName = (id: string): string => `devtool-run-${id}`

const RUN_KIND = 'run'

/** Selects the records and the Jobs of runs. */
export const RUN_SELECTOR = `${KIND_LABEL}=${RUN_KIND}`
/** Selects the records of runs that have not ended. */
export const ACTIVE_SELECTOR = `${RUN_SELECTOR},${RUN_STATUS_LABEL} in (queued,running)`
/** Selects the records of an environment. */
export const runsOfSelector = (environment: string): string => `${RUN_SELECTOR},${RUN_OF_LABEL}=${environment}`

/**
 * Without the label of the environment: destroying the environment deletes every object with that label, and a run must
 * not delete itself.
 */
export const runLabels = ({
  environment,
  id,
}: Pick<RunRecord, 'environment' | 'id'>): { readonly [name: string]: string } => ({
  [KIND_LABEL]: RUN_KIND,
  [RUN_LABEL]: id,
  [RUN_OF_LABEL]: environment,
})

/** Those of all runs of a namespace are read at once. */
const MOST_LISTED = 8192

/** `listed`: what the annotation says; absent for a long one. */
const storedOf = (run: RunRecord): { readonly data: JsonObject; readonly listed?: string } => {
  const record = JSON.stringify(Stored.encode({ schema: 1, ...run }))
  return { data: { status: run.status, record }, ...(record.length > MOST_LISTED ? {} : { listed: record }) }
}

/** With the status, for selectors. */
const labelsOf = (run: RunRecord): JsonObject => ({ ...runLabels(run), [RUN_STATUS_LABEL]: run.status })

/** `version`: that of the record as it was read, so that no change of others is overwritten. */
export const recordChange = (run: RunRecord, version: string, log?: Uint8Array): JsonObject => {
  const { data, listed = null } = storedOf(run)
  return {
    metadata: { resourceVersion: version, labels: labelsOf(run), annotations: { [RECORD_ANNOTATION]: listed } },
    data,
    ...defined({ binaryData: ifDefined(log, (bytes) => ({ log: encodeBase64(bytes) })) }),
  }
}

/** Annotations of the Job and the record of a run that was requested at that time. */
export const runAnnotations = (queuedMs: number): { readonly [name: string]: string } => ({
  [QUEUED_ANNOTATION]: String(queuedMs),
})

/** A new record; `queuedMs` as in its Job. */
export const recordObject = (run: RunRecord, queuedMs?: number): JsonObject => {
  const { data, listed } = storedOf(run)
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: runName(run.id),
      namespace: run.namespace,
      labels: labelsOf(run),
      annotations: { ...ifDefined(queuedMs, runAnnotations), ...defined({ [RECORD_ANNOTATION]: listed }) },
    },
    data,
  }
}

const readFrom = (live: ClusterObject, text = ''): RunRecord | undefined =>
  ifDefined(fromJson(Stored, text), ({ schema: _schema, ...run }) =>
    run.namespace === live.metadata.namespace && runName(run.id) === live.metadata.name
      ? { ...run, ...defined({ cancelledBy: cancelledBy(live) }) }
      : undefined,
  )

/**
 * `undefined` for objects that are not a record of this namespace, or cannot be read. Law: reads what `recordObject`
 * writes.
 */
export const runIn = (live: ClusterObject): RunRecord | undefined => readFrom(live, textAt(live, 'data', 'record'))

/**
 * From the metadata of a record. `undefined` when the record has to be read, since it is long, or another version has
 * changed the run without the annotation.
 */
export const listedRunIn = (live: ClusterObject): RunRecord | undefined => {
  const run = readFrom(live, annotationOf(live, RECORD_ANNOTATION))
  return run?.status === labelOf(live, RUN_STATUS_LABEL) ? run : undefined
}

/** The compressed tail of the log. */
export const logIn = (live: ClusterObject): Uint8Array | undefined =>
  decodeBase64(textAt(live, 'binaryData', 'log') ?? '')

/** Who requested the cancellation. */
export const cancelledBy = (live: ClusterObject): RunUser | undefined =>
  ifDefined(annotationOf(live, CANCELLED_ANNOTATION), (user) => ({
    user,
    email: annotationOf(live, EMAIL_ANNOTATION) ?? '',
  }))

/** Written to the record before the Job is deleted, so that the run knows why it is stopped. */
export const cancellation = ({ email, user }: RunUser): JsonObject => ({
  metadata: { annotations: { [CANCELLED_ANNOTATION]: user, [EMAIL_ANNOTATION]: email } },
})
