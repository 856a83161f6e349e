/** `list`: the environments of a namespace, or the services of one. */

import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { type KnownKind, resources, workloadKinds } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import {
  type EnvironmentList,
  environmentRow,
  type ServiceList,
  serviceRows,
} from '../../domain/environment/listing.ts'
import { environmentSelector } from '../../domain/k8s/labels.ts'
import { defined } from '../../domain/object/defined.ts'
import { closest } from '../../domain/text/suggest.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Target } from '../context/target.ts'
import { asNote, type Environments, findRecords } from '../environment/find-record.ts'
import { answer, type Result } from '../result.ts'

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
export const listEnvironments =
  ({ clock }: Needs) =>
  (target: RecordNamespace): Promise<Result<EnvironmentList>> => {
    const rowsOf = (environments: Environments['environments']): EnvironmentList['environments'] => {
      const now = clock.date()
      return environments.map(({ name, record }) =>
        record === undefined
          ? { name, status: 'error' as const, services: 0, endpoints: 0, age: '', who: '' }
          : environmentRow(record, now),
      )
    }
    const work = pipe(
      findRecords(target),
      TE.map(({ environments, notes }) => ({
        findings: notes,
        value: { namespace: target.namespace, environments: rowsOf(environments) },
      })),
    )
    return answer(work)
  }

const absent = (namespace: string, environment: string, known: ReadonlyArray<string>): Result<never> => {
  const near = closest(environment, known)
  const others = known.length === 0 ? '`devtool deploy` creates one' : `there are ${known.join(', ')}`
  return {
    findings: [
      error('DT3407', `there is no environment "${environment}" in namespace ${namespace}`, {
        help: near === undefined ? others : `did you mean "${near}"?`,
      }),
    ],
  }
}

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
 * Finds DT3407, and what the cluster refuses. Workloads are found by label; pods and ReplicaSets are all listed, since
 * those created by commands carry no label of ours.
 */
export const listServices =
  ({ clock }: Needs) =>
  (target: RecordNamespace, environment: string): Promise<Result<ServiceList>> => {
    const { namespace } = target
    const label = environmentSelector(environment)
    const kinds = ['Pod', 'ReplicaSet', ...workloadKinds] as const
    const lists = kinds.map((kind) =>
      listKind(target, kind, kind === 'Pod' || kind === 'ReplicaSet' ? undefined : label),
    )
    const shown = (
      { findings, names }: KnownEnvironments,
      items: ReadonlyArray<ReadonlyArray<ClusterObject>>,
    ): Result<ServiceList> => {
      const observed = new Map(
        kinds.map((kind, index) => [kind, new Map((items[index] ?? []).map((live) => [live.metadata.name, live]))]),
      )
      const rows = serviceRows(observed, items.slice(2).flat(), clock.date())
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
