/** The logs of an environment: the existing lines, sorted by time, or followed. */

import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic, isForbidden } from '../../domain/cluster/failure.ts'
import { type ClusterObject, labelOf } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { isAgentContainer } from '../../domain/dev/agent-pod.ts'
import { developerOf, recordsIn } from '../../domain/dev/developed.ts'
import type { DevRecord } from '../../domain/dev/record.ts'
import { type Diagnostic, error, warning } from '../../domain/diagnostic/diagnostic.ts'
import { ENVIRONMENT_LABEL, MIRROR_LABEL } from '../../domain/k8s/labels.ts'
import type { LogLine } from '../../domain/logs/line.ts'
import { firstOf } from '../../domain/logs/merge.ts'
import type { LogContainer } from '../../domain/logs/sources.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Listing } from '../../ports/cluster.ts'
import type { Ports } from '../../ports/ports.ts'
import { developmentObjects } from '../environment/developments.ts'
import { findRecord, recordIn, recordNotes } from '../environment/find-record.ts'
import { answer, type Result } from '../result.ts'
import { type Batches, batches } from './batches.ts'
import { followLogs } from './follow.ts'
import { notStarted, withoutPrevious } from './not-started.ts'
import { type ReaderWorld, readLog } from './reader.ts'
import { containersIn, isSelected, isWanted, type ReadLogs, type Recorded, unreadable } from './request.ts'

/** The result; `NoPrevious`: no container has been restarted. */
export type LogsRead = { readonly found: 'Logs' | 'NoPods' | 'NoPrevious' }

type Needs = Pick<Ports, 'clock' | 'progress'>

/**
 * The record is only needed for pods without devtool's label: most namespaces have none, and the first line is printed
 * sooner.
 */
const recorded = (
  { environment, target, signal }: ReadLogs,
  pods: ReadonlyArray<ClusterObject>,
): TE.TaskEither<Diagnostic, Recorded> => {
  const labels = pods.map((pod) => labelOf(pod, ENVIRONMENT_LABEL))
  if (environment === undefined || (labels.includes(environment) && !labels.includes(undefined))) {
    return TE.of({ isKnown: true, inventory: [], notes: [] })
  }
  return pipe(
    findRecord(target, environment, signal),
    TE.map((found) => ({
      isKnown: found._tag !== 'Absent' || labels.includes(environment),
      inventory: recordIn(found)?.inventory ?? [],
      notes: recordNotes(found),
    })),
  )
}

/** Reads one log at a time: the one whose next line is the oldest. */
const readAll = async (
  world: ReaderWorld,
  { isPrevious, tail }: ReadLogs,
  containers: ReadonlyArray<LogContainer>,
  lines: Batches,
): Promise<ReadonlyArray<Diagnostic>> => {
  const findings: Array<Diagnostic> = []
  const how = { instances: isPrevious ? 'Previous' : 'Present', ...defined({ tail }) } as const
  const open = containers.map((container) => readLog(world, container, how))
  const next = async (index: number): Promise<LogLine | undefined> => {
    for (;;) {
      const item = await open[index]?.next()
      if (item === undefined || item.done === true) return undefined
      if (item.value._tag === 'Line') return item.value.line
      const container = containers[index]
      if (item.value._tag === 'Failed' && container !== undefined) {
        const { failure } = item.value
        findings.push(isForbidden(failure) ? failureDiagnostic(failure) : unreadable(container, failure))
      }
    }
  }
  const heads = await Promise.all(containers.map((_, index) => next(index)))
  for (let at = firstOf(heads); at !== -1 && !world.signal.aborted; at = firstOf(heads)) {
    const [source, line] = [containers[at], heads[at]]
    if (source !== undefined && line !== undefined) await lines.put(source, line)
    heads[at] = await next(at)
  }
  await lines.flush()
  return findings
}

const namesOf = (names: ReadonlyArray<string>): string => [...new Set(names)].toSorted().join(', ')

const nothing = (wanted: ReadLogs, all: ReadonlyArray<LogContainer>): Result<LogsRead> => {
  const { container = '', expression } = wanted
  if (all.length === 0) return { findings: [], value: { found: 'NoPods' } }
  const selected = all.filter((one) => isSelected(wanted, one))
  if (selected.length > 0) {
    const help = `containers: ${namesOf(selected.map((one) => one.container))}`
    return { findings: [error('DT3402', `no container is named "${container}"`, { help })] }
  }
  return {
    findings: [
      error('DT3402', expression === '' ? 'every service is excluded' : `no service matches "${expression}"`, {
        help: `services with pods: ${namesOf(all.map(({ service }) => service))}`,
      }),
    ],
  }
}

const unknown = ({ environment = '', target: { namespace } }: ReadLogs): Result<LogsRead> => ({
  findings: [
    error('DT3407', `there is no environment "${environment}" in namespace ${namespace}`, {
      help: '`devtool list` lists the environments, `devtool deploy` creates one; --all shows every log of the namespace',
    }),
  ],
})

/** Logs of mirrors contain only messages of the agent. */
const developedAmong = (
  pods: ReadonlyArray<ClusterObject>,
  containers: ReadonlyArray<LogContainer>,
): ReadonlySet<string> => {
  const mirrored = new Set(
    pods.filter((pod) => labelOf(pod, MIRROR_LABEL) !== undefined).map(({ metadata }) => metadata.uid),
  )
  const developed = containers.filter(({ container, uid }) => isAgentContainer(container) && mirrored.has(uid))
  return new Set(developed.map(({ service }) => service))
}

/** Who develops a service is in a record, which not everybody may read. */
const developedText = (service: string, record: DevRecord | undefined): string => {
  const by = record === undefined ? '' : ` by ${developerOf(record)} since ${record.since}`
  const { isDetached, machine } = record?.holder ?? {}
  const where = isDetached === true ? `the log of that session, on ${machine}` : 'the terminal of `devtool up`'
  return `${service} is developed${by}: its output is in ${where}`
}

const tellDeveloped = async (
  { progress }: Needs,
  { target }: ReadLogs,
  services: ReadonlySet<string>,
): Promise<void> => {
  if (services.size === 0) return
  const records = recordsIn(await developmentObjects(target, ['ConfigMap']))
  for (const service of services) {
    const record = records.find(({ workload }) => workload.name === service)
    progress.tell({ _tag: 'Said', text: developedText(service, record) })
  }
}

const read = async (ports: Needs, wanted: ReadLogs, list: Listing, record: Recorded): Promise<Result<LogsRead>> => {
  if (!record.isKnown) return unknown(wanted)
  const { notes } = record
  const noted = (result: Result<LogsRead>): Result<LogsRead> => ({
    ...result,
    findings: [...result.findings, ...notes],
  })
  const all = containersIn(wanted, record, list.items)
  const containers = all.filter((container) => isWanted(wanted, container))
  const before = wanted.isPrevious ? withoutPrevious(containers) : []
  const waiting = [...notStarted(wanted, record, list.items), ...before]
  const isNothing = containers.length === 0 && waiting.length === 0
  if (isNothing && (all.length > 0 || !wanted.isFollowing)) return noted(nothing(wanted, all))
  await tellDeveloped(ports, wanted, developedAmong(list.items, containers))
  const gone = new AbortController()
  const signal = AbortSignal.any([wanted.signal, gone.signal])
  const lines = batches(ports, wanted.sink, () => gone.abort())
  if (wanted.isFollowing) {
    const said = isNothing ? ['no pods yet'] : waiting.map(({ help, message }) => `${message} (${help})`)
    for (const text of said) ports.progress.tell({ _tag: 'Said', text })
    wanted.sink.sources(containers)
    const findings = await followLogs(ports, wanted, record, list, lines, signal)
    return noted({ findings, value: { found: 'Logs' } })
  }
  const world: ReaderWorld = {
    ...wanted.target,
    ...ports,
    signal,
    sinceSeconds: wanted.sinceSeconds,
    isFollowing: false,
    changed: () => Promise.resolve(),
    latest: () => undefined,
  }
  const readable = containers.filter(({ hasLog, hasPrevious }) => (wanted.isPrevious ? hasPrevious : hasLog))
  wanted.sink.sources(readable)
  const isEmpty = readable.length === 0
  const silent = waiting.map(({ help, message }) => (isEmpty ? error : warning)('DT3403', message, { help }))
  const found = isEmpty && wanted.isPrevious && silent.length === 0 ? 'NoPrevious' : 'Logs'
  return noted({ findings: [...(await readAll(world, wanted, readable, lines)), ...silent], value: { found } })
}

/** Finds DT3402, DT3403 and DT3407, and what the cluster refuses. */
export const readLogs =
  (ports: Needs) =>
  (wanted: ReadLogs): Promise<Result<LogsRead>> => {
    const { cluster, namespace } = wanted.target
    const pods = cluster.list({ resource: resources.Pod, namespace }, { signal: wanted.signal })
    const work = pipe(
      TE.mapLeft(failureDiagnostic)(pods),
      TE.bindTo('list'),
      TE.bind('record', ({ list }) => recorded(wanted, list.items)),
      TE.flatMapTask(
        ({ list, record }) =>
          () =>
            read(ports, wanted, list, record),
      ),
    )
    return answer(work)
  }
