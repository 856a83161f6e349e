/**
 * Reads the record of an environment, the same way for all commands. Commands that write stop at an invalid record;
 * read-only ones warn and rely on the labels of objects.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failureDiagnostic, isForbidden } from '../../domain/cluster/failure.ts'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { type ObjectKey, resources } from '../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { type EnvironmentRecord, readRecord, recordName } from '../../domain/environment/record.ts'
import { RECORD_SELECTOR } from '../../domain/k8s/labels.ts'
import type { Target } from '../context/target.ts'

type RecordNamespace = Pick<Target, 'cluster' | 'namespace'>

/** The record is a ConfigMap, the variables a Secret, the lock a Lease, all with the same name. */
export const ownKey = (kind: 'ConfigMap' | 'Secret', namespace: string, environment: string): ObjectKey => ({
  resource: resources[kind],
  namespace,
  name: recordName(environment),
})

/** `Unreadable`: written by somebody else, or by a newer devtool (DT3113). `Forbidden`: DT3003. */
export type FoundRecord =
  | { readonly _tag: 'Known'; readonly record: EnvironmentRecord; readonly live: ClusterObject }
  | { readonly _tag: 'Absent' }
  | { readonly _tag: 'Unreadable' | 'Forbidden'; readonly why: Diagnostic }

const readFound = (live: ClusterObject): FoundRecord =>
  pipe(
    readRecord(live),
    E.match(
      (why): FoundRecord => ({ _tag: 'Unreadable', why }),
      (record) => ({ _tag: 'Known', record, live }),
    ),
  )

const refused = (failure: Failure): TE.TaskEither<Diagnostic, FoundRecord> => {
  const why = failureDiagnostic(failure)
  return isForbidden(failure) ? TE.of({ _tag: 'Forbidden', why }) : TE.left(why)
}

export type KnownRecord = Extract<FoundRecord, { readonly _tag: 'Known' }>

const isSame = ({ metadata: a }: ClusterObject, { metadata: b }: ClusterObject): boolean =>
  a.uid === b.uid && a.resourceVersion === b.resourceVersion

/** Fails when the cluster cannot be reached. `known`: the record as it was read before. */
export const findRecord = (
  { cluster, namespace }: RecordNamespace,
  environment: string,
  signal?: AbortSignal,
  known?: KnownRecord,
): TE.TaskEither<Diagnostic, FoundRecord> =>
  pipe(
    cluster.get(ownKey('ConfigMap', namespace, environment), signal),
    TE.map((live): FoundRecord => {
      if (live === undefined) return { _tag: 'Absent' }
      return known !== undefined && isSame(known.live, live) ? known : readFound(live)
    }),
    TE.orElse(refused),
  )

export type ReadableRecord = Exclude<FoundRecord, { readonly why: Diagnostic }>

/** For commands that require the record. */
export const readable = (found: FoundRecord): E.Either<Diagnostic, ReadableRecord> =>
  'why' in found ? E.left(found.why) : E.right(found)

export const recordIn = (found: FoundRecord): EnvironmentRecord | undefined =>
  found._tag === 'Known' ? found.record : undefined

/** For commands that continue without the record. */
export const asNote = (why: Diagnostic): Diagnostic => ({
  ...why,
  severity: 'warning',
  help: 'objects of the environment are found by their labels',
})

export const recordNotes = (found: FoundRecord): ReadonlyArray<Diagnostic> =>
  found._tag === 'Known' || found._tag === 'Absent' ? [] : [asNote(found.why)]

/** `record` is absent where it cannot be read. */
type Environment = { readonly name: string; readonly record?: EnvironmentRecord }

/** The environments of a namespace, by name, with a warning for each whose record cannot be read. */
export type Environments = {
  readonly environments: ReadonlyArray<Environment>
  readonly notes: ReadonlyArray<Diagnostic>
}

export const environmentsOf = (lives: ReadonlyArray<ClusterObject>): Environments => {
  const found = lives.map((live) => ({ name: live.metadata.name, found: readFound(live) }))
  const environments = found.map(({ found: one, name }): Environment => {
    const record = recordIn(one)
    return record === undefined ? { name: name.slice(recordName('').length) } : { name: record.environment, record }
  })
  return {
    environments: environments.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    notes: found.flatMap(({ found: one }) => recordNotes(one)),
  }
}

export const findRecords = ({ cluster, namespace }: RecordNamespace): TE.TaskEither<Diagnostic, Environments> =>
  pipe(
    cluster.list({ resource: resources.ConfigMap, namespace, labels: RECORD_SELECTOR }),
    TE.mapBoth(failureDiagnostic, ({ items }) => environmentsOf(items)),
  )
