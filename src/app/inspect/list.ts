/** `list`: the environments of a namespace, or the services of one. */

import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failureDiagnostic } from '../../domain/cluster/failure.ts'
import { allOf, type ClusterObject, type Observed } from '../../domain/cluster/live.ts'
import { type KnownKind, resources, workloadKinds } from '../../domain/cluster/resources.ts'
import { developedRows } from '../../domain/dev/developed.ts'
import { UP_SELECTOR } from '../../domain/dev/names.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import {
  type EnvironmentList,
  environmentRow,
  type ServiceList,
  serviceRows,
} from '../../domain/environment/listing.ts'
import { environmentSelector, RECORD_SELECTOR } from '../../domain/k8s/labels.ts'
import { defined } from '../../domain/object/defined.ts'
import { suggestion } from '../../domain/text/suggest.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Target } from '../context/target.ts'
import { asNote, type Environments, environmentsOf, findRecords } from '../environment/find-record.ts'
import { answer, type Result } from '../result.ts'
import { followKinds } from '../watch/kinds.ts'

type RecordNamespace = Pick<Target, 'cluster' | 'namespace'>

type Needs = Pick<Ports, 'clock'>

const listKind = (
  { cluster, namespace }: RecordNamespace,
  kind: KnownKind,
  labels?: string,
): TE.TaskEither<Diagnostic, ReadonlyArray<ClusterObject>> =>
  pipe(
    cluster.list({ resource: resources[kind], namespace, ...defined({ labels }) }),
    TE.mapBoth(failureDiagnostic, ({ items }) => items),
  )

/** An environment whose record cannot be read is listed by name only. */
const environmentList = (
  { clock }: Needs,
  { namespace }: RecordNamespace,
  { environments, notes }: Environments,
): Result<EnvironmentList> & { readonly value: EnvironmentList } => {
  const now = clock.date()
  const rows = environments.map(({ name, record }) =>
    record === undefined
      ? { name, status: 'error' as const, services: 0, endpoints: 0, age: '', who: '' }
      : environmentRow(record, now),
  )
  return { findings: notes, value: { namespace, environments: rows } }
}

export const listEnvironments =
  (ports: Needs) =>
  (target: RecordNamespace): Promise<Result<EnvironmentList>> =>
    answer(
      pipe(
        findRecords(target),
        TE.map((found) => environmentList(ports, target, found)),
      ),
    )

const absent = (namespace: string, environment: string, known: ReadonlyArray<string>): Result<never> => {
  return {
    findings: [
      error('DT3407', `there is no environment "${environment}" in namespace ${namespace}`, {
        help: suggestion(environment, known, '`devtool deploy` creates one'),
      }),
    ],
  }
}

const workloadsIn = (observed: Observed): ReadonlyArray<ClusterObject> =>
  workloadKinds.flatMap((kind) => allOf(observed, kind))

/** `names`: of all environments; absent when their records cannot be listed. */
type KnownEnvironments = { readonly findings: ReadonlyArray<Diagnostic>; readonly names?: ReadonlyArray<string> }

const knownEnvironments = (target: RecordNamespace): TE.TaskEither<Diagnostic, KnownEnvironments> =>
  pipe(
    findRecords(target),
    TE.map(
      ({ environments, notes }): KnownEnvironments => ({
        findings: notes,
        names: environments.map(({ name }) => name),
      }),
    ),
    TE.orElse((why) =>
      why.code === 'DT3003' ? TE.right<Diagnostic, KnownEnvironments>({ findings: [asNote(why)] }) : TE.left(why),
    ),
  )

/**
 * The objects for the list of an environment's services. Workloads are found by label; pods and ReplicaSets are all
 * listed, since those created by commands do not carry devtool's labels.
 */
const kindsOf = (environment: string): ReadonlyMap<KnownKind, { readonly labels?: string }> => {
  const labels = environmentSelector(environment)
  return new Map<KnownKind, { readonly labels?: string }>([
    ['Pod', {}],
    ['ReplicaSet', {}],
    // The records of those that are developed.
    ['ConfigMap', { labels: UP_SELECTOR }],
    ...workloadKinds.map((kind) => [kind, { labels }] as const),
  ])
}

/** Finds DT3407, and what the cluster refuses. */
export const listServices =
  ({ clock }: Needs) =>
  (target: RecordNamespace, environment: string): Promise<Result<ServiceList>> => {
    const { namespace } = target
    const kinds = [...kindsOf(environment)]
    const lists = kinds.map(([kind, { labels }]) => {
      const list = listKind(target, kind, labels)
      return kind === 'ConfigMap' ? TE.orElse(() => TE.of<Diagnostic, ReadonlyArray<ClusterObject>>([]))(list) : list
    })
    const shown = (
      { findings, names }: KnownEnvironments,
      items: ReadonlyArray<ReadonlyArray<ClusterObject>>,
    ): Result<ServiceList> => {
      const observed = new Map(
        kinds.map(([kind], index) => [kind, new Map((items[index] ?? []).map((live) => [live.metadata.name, live]))]),
      )
      const now = clock.date()
      const rows = serviceRows(observed, workloadsIn(observed), developedRows(observed, now), now)
      if (rows.length === 0 && names?.includes(environment) === false) return absent(namespace, environment, names)
      return { findings, value: { namespace, environment, services: rows } }
    }
    const work = pipe(
      TE.Do,
      TE.apS('known', knownEnvironments(target)),
      TE.apS('items', TE.sequenceArray(lists)),
      TE.map(({ items, known }) => shown(known, items)),
    )
    return answer(work)
  }

/** The current list; `trouble`: why it may be out of date. `shown` returns false to end. */
type Watching<A> = {
  readonly signal: AbortSignal
  readonly shown: (list: A, trouble: string | undefined) => Promise<boolean>
}

const troubleIn = (troubles: ReadonlyArray<Failure>): string | undefined =>
  troubles[0] === undefined ? undefined : `${failureDiagnostic(troubles[0]).message}: retrying`

/** {@link listEnvironments} again after each change, until the signal. */
export const watchEnvironments =
  (ports: Needs) =>
  (target: RecordNamespace, { shown, signal }: Watching<EnvironmentList>): Promise<void> => {
    const kinds = new Map([['ConfigMap', { labels: RECORD_SELECTOR }]] as const)
    return followKinds(ports, { ...target, kinds, signal }, (observed, troubles) =>
      shown(environmentList(ports, target, environmentsOf(allOf(observed, 'ConfigMap'))).value, troubleIn(troubles)),
    )
  }

/** {@link listServices} again after each change, until the signal. */
export const watchServices =
  (ports: Needs) =>
  (target: RecordNamespace, environment: string, { shown, signal }: Watching<ServiceList>): Promise<void> =>
    followKinds(ports, { ...target, kinds: kindsOf(environment), signal }, (observed, troubles) => {
      const now = ports.clock.date()
      const services = serviceRows(observed, workloadsIn(observed), developedRows(observed, now), now)
      return shown({ namespace: target.namespace, environment, services }, troubleIn(troubles))
    })
