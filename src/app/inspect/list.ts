/** `list`: the environments of a namespace, or the services of one. */

import * as E from 'fp-ts/lib/Either.js'
import { type Failure, failureDiagnostic } from '../../domain/cluster/failure.ts'
import { type KnownKind, resources } from '../../domain/cluster/resources.ts'
import { error } from '../../domain/diagnostic/diagnostic.ts'
import {
  type EnvironmentList,
  environmentRow,
  type ServiceList,
  serviceRows,
  workloadKinds,
} from '../../domain/environment/listing.ts'
import { environmentSelector } from '../../domain/k8s/labels.ts'
import { closest } from '../../domain/text/suggest.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Session } from '../context/target.ts'
import { asNote, findRecords } from '../environment/find-record.ts'
import type { Result } from '../result.ts'

type Place = Pick<Session, 'cluster' | 'namespace'>

type Needs = Pick<Ports, 'clock'>

const refused = (failure: Failure): Result<never> => ({ findings: [failureDiagnostic(failure)] })

const listKind = ({ cluster, namespace }: Place, kind: KnownKind, labels?: string) =>
  cluster.list({ resource: resources[kind], namespace, ...(labels === undefined ? {} : { labels }) })()

/** Whose record cannot be read is listed by its name alone. */
export const listEnvironments =
  ({ clock }: Needs) =>
  async (session: Place): Promise<Result<EnvironmentList>> => {
    const found = await findRecords(session)()
    if (E.isLeft(found)) return { findings: [found.left] }
    const now = clock.date()
    const environments = found.right.environments.map(({ name, record }) =>
      record === undefined
        ? { name, status: 'error' as const, services: 0, endpoints: 0, age: '', who: '' }
        : environmentRow(record, now),
    )
    return { findings: found.right.notes, value: { namespace: session.namespace, environments } }
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

/** Finds DT3407, and what the cluster refuses. Its workloads by label; pods and ReplicaSets all, since those of what commands made carry no label of ours. */
export const listServices =
  ({ clock }: Needs) =>
  async (session: Place, environment: string): Promise<Result<ServiceList>> => {
    const { namespace } = session
    const label = environmentSelector(environment)
    const [records, pods, sets, ...lists] = await Promise.all([
      findRecords(session)(),
      listKind(session, 'Pod'),
      listKind(session, 'ReplicaSet'),
      ...workloadKinds.map((kind) => listKind(session, kind, label)),
    ])
    const all = [pods, sets, ...lists]
    const failed = all.find(E.isLeft)
    if (failed !== undefined) return refused(failed.left)
    const items = all.map((list) => (E.isRight(list) ? list.right.items : []))
    const kinds = ['Pod', 'ReplicaSet', ...workloadKinds]
    const observed = new Map(
      kinds.map((kind, index) => [kind, new Map((items[index] ?? []).map((live) => [live.metadata.name, live]))]),
    )
    const rows = serviceRows(observed, items.slice(2).flat(), clock.date())
    const known = E.isRight(records) ? records.right.environments.map(({ name }) => name) : undefined
    if (rows.length === 0 && known?.includes(environment) === false) return absent(namespace, environment, known)
    const findings = E.isLeft(records) ? [asNote(records.left)] : []
    return { findings, value: { namespace, environment, services: rows } }
  }
