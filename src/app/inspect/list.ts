/** `list`: the environments of a namespace, or the services of one. */

import * as E from 'fp-ts/lib/Either.js'
import type { Failure } from '../../domain/cluster/failure.ts'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import type { Live } from '../../domain/cluster/live.ts'
import { type KnownKind, resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error, warning } from '../../domain/diagnostic/diagnostic.ts'
import {
  type EnvironmentRow,
  environmentRow,
  type ServiceRow,
  serviceRows,
  workloadKinds,
} from '../../domain/environment/listing.ts'
import { readRecord, recordName } from '../../domain/environment/record.ts'
import { environmentSelector, RECORD_SELECTOR } from '../../domain/k8s/labels.ts'
import { printTable } from '../../domain/print/table.ts'
import { closest } from '../../domain/text/suggest.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Session } from '../context/target.ts'
import { printData } from '../output/data.ts'
import type { ListForm } from '../output/forms.ts'
import type { Outcome } from '../output/outcome.ts'

/** `environment`: absent for all of the namespace. */
export type List = {
  readonly session: Pick<Session, 'cluster' | 'namespace'>
  readonly environment?: string
  readonly output: ListForm
}

type Needs = Pick<Ports, 'clock'>

const refused = (failure: Failure): Outcome => ({ findings: [failureDiagnostic(failure)] })

const listKind = ({ session: { cluster, namespace } }: List, kind: KnownKind, labels?: string) =>
  cluster.list({ resource: resources[kind], namespace, ...(labels === undefined ? {} : { labels }) })()

/** Whose record cannot be read is listed by its name alone. */
const rowsOf = (records: ReadonlyArray<Live>, now: string) => {
  const findings: Array<Diagnostic> = []
  const rows = records.map((configMap): EnvironmentRow => {
    const record = readRecord(configMap)
    if (E.isRight(record)) return environmentRow(record.right, now)
    findings.push({ ...record.left, severity: 'warning' })
    const name = configMap.metadata.name.slice(recordName('').length)
    return { name, status: 'error', services: 0, endpoints: 0, age: '', who: '' }
  })
  return { findings, rows: rows.toSorted((a, b) => (a.name < b.name ? -1 : 1)) }
}

const listEnvironments = async ({ clock }: Needs, wanted: List): Promise<Outcome> => {
  const { output, session } = wanted
  const list = await listKind(wanted, 'ConfigMap', RECORD_SELECTOR)
  if (E.isLeft(list)) return refused(list.left)
  const { findings, rows } = rowsOf(list.right.items, clock.date())
  if (output === 'json' || output === 'yaml') {
    return { findings, output: printData(output, { namespace: session.namespace, environments: rows }) }
  }
  if (rows.length === 0) return { findings, said: [`no environment in namespace ${session.namespace}`] }
  if (output === 'name') return { findings, output: rows.map(({ name }) => `${name}\n`).join('') }
  const cells = rows.map(({ age, endpoints, name, services, status, who }) => [
    name,
    status,
    String(services),
    String(endpoints),
    age,
    who,
  ])
  return { findings, output: printTable(['Name', 'Status', 'Services', 'Endpoints', 'Age', 'Who'], cells) }
}

const cellsOf = ({ age, image, kind, ready, reason, restarts, service, state }: ServiceRow): ReadonlyArray<string> => [
  service,
  kind,
  ready,
  reason === '' ? state : `${state}: ${reason}`,
  String(restarts),
  age,
  image,
]

/** Its workloads by label; pods and ReplicaSets all, since those of what commands made carry no label of ours. */
const listServices = async ({ clock }: Needs, wanted: List, environment: string): Promise<Outcome> => {
  const { output, session } = wanted
  const label = environmentSelector(environment)
  const [records, pods, sets, ...lists] = await Promise.all([
    listKind(wanted, 'ConfigMap', RECORD_SELECTOR),
    listKind(wanted, 'Pod'),
    listKind(wanted, 'ReplicaSet'),
    ...workloadKinds.map((kind) => listKind(wanted, kind, label)),
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
  const known = E.isRight(records) ? rowsOf(records.right.items, '').rows.map(({ name }) => name) : undefined
  if (rows.length === 0 && known?.includes(environment) === false) return absent(session.namespace, environment, known)
  const findings = E.isLeft(records) ? [warning('DT3003', failureDiagnostic(records.left).message)] : []
  if (output === 'json' || output === 'yaml') {
    return { findings, output: printData(output, { namespace: session.namespace, environment, services: rows }) }
  }
  if (rows.length === 0) return { findings, said: [`environment ${environment} has no services`] }
  if (output === 'name') return { findings, output: rows.map(({ service }) => `${service}\n`).join('') }
  const head = ['Service', 'Kind', 'Ready', 'State', 'Restarts', 'Age', 'Image']
  return { findings, output: printTable(head, rows.map(cellsOf)) }
}

const absent = (namespace: string, environment: string, known: ReadonlyArray<string>): Outcome => {
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

/** Finds DT3407, and what the cluster refuses. */
export const list =
  (ports: Needs) =>
  (wanted: List): Promise<Outcome> =>
    wanted.environment === undefined ? listEnvironments(ports, wanted) : listServices(ports, wanted, wanted.environment)
