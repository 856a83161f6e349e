/**
 * The record of an environment, kept in the cluster as the ConfigMap `devtool-env-<environment>`. Its `data` is for
 * people; `binaryData.record` is gzipped JSON with everything else.
 */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { JsonObject } from '../cluster/json.ts'
import { textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { workloadKinds } from '../cluster/resources.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { ownLabels } from '../k8s/labels.ts'
import { type DataOf, document, keys } from '../print/document.ts'
import { decodeBase64, encodeBase64 } from '../text/base64.ts'
import { RecordedEdge } from './edges.ts'
import { gunzip, gzip } from './gzip.ts'
import { HistoryEntry } from './history.ts'
import { RememberedSettings } from './remembered.ts'
import { EnvironmentSource, type SourceClaim } from './source.ts'

/**
 * An object of the environment. `namespace` is set only when it differs from the environment's. `uid` is '' for an
 * object that was about to be created: it is ours if it carries our label.
 */
const InventoryEntry = t.readonly(
  t.intersection([
    t.strict({ group: t.string, version: t.string, plural: t.string, kind: t.string, name: t.string, uid: t.string }),
    t.partial({ namespace: t.string }),
  ]),
  'inventory entry',
)
export type InventoryEntry = t.TypeOf<typeof InventoryEntry>

/** A destroy command, for people and for the platform: it is never run from here. */
const RecordedCommand = t.readonly(t.strict({ name: t.string, command: t.string }))
export type RecordedCommand = t.TypeOf<typeof RecordedCommand>

/** The environment of another repository that this one depends on. */
const RecordedDependency = t.readonly(t.strict({ name: t.string, repository: t.string }))

/** An external address that the manifest names. */
export const RecordedExternal = t.readonly(t.strict({ name: t.string, url: t.string }))
export type RecordedExternal = t.TypeOf<typeof RecordedExternal>

const Phase = keys({ name: [t.string, 'name of the phase'], ms: [t.number, 'duration in milliseconds'] })

/**
 * `history`: the last deployments, the oldest first. `settings`: what the next deploy uses unless it is told otherwise.
 * `services`: those of the files, by object name. `edges`: which of them wait for which. `inventory`: what deploy or
 * its commands created and destroy deletes. `foreign`: what commands created outside the namespace, which is only
 * listed. `phases`: how long each phase of the last run took.
 */
const Contents = t.readonly(
  t.intersection([
    t.strict({
      schema: t.literal(1),
      source: EnvironmentSource,
      inventory: t.readonlyArray(InventoryEntry),
      foreign: t.readonlyArray(InventoryEntry),
      endpoints: t.readonlyArray(t.string),
      phases: t.readonlyArray(Phase),
    }),
    t.partial({
      external: t.readonlyArray(RecordedExternal),
      history: t.readonlyArray(HistoryEntry),
      services: t.readonlyArray(t.string),
      edges: t.readonlyArray(RecordedEdge),
      settings: RememberedSettings,
      destroyCommands: t.readonlyArray(RecordedCommand),
      dependencies: t.readonlyArray(RecordedDependency),
    }),
  ]),
  'environment record',
)

type Status = 'progressing' | 'deployed' | 'error' | 'destroying'
const statuses: ReadonlyArray<string> = [
  'progressing',
  'deployed',
  'error',
  'destroying',
] satisfies ReadonlyArray<Status>
const isStatus = (text: string | undefined): text is Status => text !== undefined && statuses.includes(text)

/** `who` and `when` (UTC) refer to the last run. */
export type EnvironmentRecord = {
  readonly environment: string
  readonly status: Status
  readonly who: string
  readonly when: string
} & Omit<t.TypeOf<typeof Contents>, 'schema'>

export const emptyRecord = (environment: string): EnvironmentRecord => ({
  environment,
  status: 'progressing',
  who: '',
  when: '',
  source: {},
  inventory: [],
  foreign: [],
  endpoints: [],
  phases: [],
})

/** By whom and when it was last deployed, whatever has written the record since. */
export const lastDeploy = ({ history = [], when, who }: EnvironmentRecord): Pick<EnvironmentRecord, 'who' | 'when'> =>
  history.at(-1) ?? { who, when }

/** The name of the record, and also of the Lease and of the Secret with variables. */
export const recordName = (environment: string): string => `devtool-env-${environment}`

const mostBytes = 900 * 1024

/** The ConfigMap to write. Fails with DT3112 when it would be larger than the API allows. */
export const recordBody = (
  namespace: string,
  { environment, status, who, when, ...contents }: EnvironmentRecord,
): E.Either<Diagnostic, JsonObject> => {
  const json = JSON.stringify({ schema: 1, ...contents })
  const record = encodeBase64(gzip(json))
  if (record.length > mostBytes) {
    const count = contents.inventory.length + contents.foreign.length
    return E.left(
      error('DT3112', `the environment has ${count} objects, more than its record in the cluster can hold`, {
        help: 'split it into several environments, with a file and a name for each',
      }),
    )
  }
  return E.right({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: recordName(environment), namespace, labels: ownLabels(environment, 'environment') },
    data: { name: environment, status, who, when },
    binaryData: { record },
  })
}

const decodeContents = (json: unknown): E.Either<string, t.TypeOf<typeof Contents>> =>
  pipe(
    Contents.decode(json),
    E.mapLeft(() => 'its record has an unknown format, perhaps from a newer devtool'),
  )

const contentsOf = (configMap: ClusterObject): E.Either<string, t.TypeOf<typeof Contents>> => {
  const text = textAt(configMap, 'binaryData', 'record')
  if (text === undefined) return E.left('it has no record')
  const bytes = decodeBase64(text)
  if (bytes === undefined) return E.left('its record is not valid base64')
  return pipe(
    E.tryCatch(
      (): unknown => JSON.parse(gunzip(bytes)),
      () => 'its record cannot be decompressed',
    ),
    E.flatMap(decodeContents),
  )
}

/** Law: reads back what {@link recordBody} wrote. Fails with DT3113 for anything else. */
export const readRecord = (configMap: ClusterObject): E.Either<Diagnostic, EnvironmentRecord> => {
  const { name } = configMap.metadata
  const namespace = textAt(configMap, 'metadata', 'namespace')
  const where = namespace === undefined ? '' : ` --namespace ${namespace}`
  const status = textAt(configMap, 'data', 'status')
  return pipe(
    contentsOf(configMap),
    E.bimap(
      (why) =>
        error('DT3113', `the ConfigMap ${name} cannot be read: ${why}`, {
          help: `update devtool, or delete the ConfigMap (\`kubectl delete configmap ${name}${where}\`): objects of the environment are then found by their labels`,
        }),
      ({ schema: _schema, ...rest }) => ({
        environment: textAt(configMap, 'data', 'name') ?? name.slice(recordName('').length),
        status: isStatus(status) ? status : 'error',
        who: textAt(configMap, 'data', 'who') ?? '',
        when: textAt(configMap, 'data', 'when') ?? '',
        ...rest,
      }),
    ),
  )
}

const isWorkload = ({ kind, namespace }: InventoryEntry): boolean =>
  namespace === undefined && workloadKinds.some((known) => known === kind)

/** Whose environment it is. */
export const claimIn = ({ inventory, services, source }: EnvironmentRecord): SourceClaim => ({
  source,
  services: services ?? inventory.filter(isWorkload).map(({ name }) => name),
})

const idOf = ({ group, name, namespace = '', plural }: InventoryEntry): string =>
  `${group}/${plural}/${namespace}/${name}`

/** The union of the entries. For the same object the later entry wins, unless only the earlier one has its uid. */
export const unionOf = (
  ...inventories: ReadonlyArray<ReadonlyArray<InventoryEntry>>
): ReadonlyArray<InventoryEntry> => {
  const byId = new Map<string, InventoryEntry>()
  for (const entries of inventories) {
    for (const entry of entries) if (entry.uid !== '' || !byId.has(idOf(entry))) byId.set(idOf(entry), entry)
  }
  return [...byId.values()]
}

export const DeployReport = document(
  'deploy',
  'What was deployed.',
  {
    environment: [t.string, 'name of the environment'],
    namespace: [t.string, 'the namespace'],
    endpoints: [t.readonlyArray(t.string), 'public addresses'],
    phases: [t.readonlyArray(Phase), 'how long each phase took'],
  },
  { status: [t.string, '`deployed`'] },
)
export type DeployReport = DataOf<typeof DeployReport>
