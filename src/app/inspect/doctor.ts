/** `doctor`: collects in one file, without secrets, the information that others need to help with an environment. */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failureDiagnostic } from '../../domain/cluster/failure.ts'
import { textAt, textsAt } from '../../domain/cluster/json.ts'
import { type ClusterObject, labelOf } from '../../domain/cluster/live.ts'
import { type KnownKind, resources } from '../../domain/cluster/resources.ts'
import { candidates, chooseFiles } from '../../domain/compose/choose.ts'
import { textOf } from '../../domain/compose/file-content.ts'
import { developerOf, recordsIn } from '../../domain/dev/developed.ts'
import { statusOf } from '../../domain/dev/listing.ts'
import { type Diagnostic, error, warning } from '../../domain/diagnostic/diagnostic.ts'
import { bundle, bundleName, type Collected, type ContainerLog, type Facts } from '../../domain/doctor/bundle.ts'
import { isToolLog } from '../../domain/doctor/redact.ts'
import { zipOf } from '../../domain/environment/archive.ts'
import { type InventoryEntry } from '../../domain/environment/record.ts'
import { environmentSelector, MIRROR_LABEL, SERVICE_LABEL } from '../../domain/k8s/labels.ts'
import { containersOf, isOfEnvironment, serviceOf } from '../../domain/logs/sources.ts'
import { defined } from '../../domain/object/defined.ts'
import { showRef } from '../../domain/plan/action.ts'
import { decodeBase64 } from '../../domain/text/base64.ts'
import type { Ports } from '../../ports/ports.ts'
import { bounded } from '../concurrency/bounded.ts'
import type { Target } from '../context/target.ts'
import { developmentObjects } from '../environment/developments.ts'
import { findRecord, recordIn, recordNotes } from '../environment/find-record.ts'
import { answer, type Result } from '../result.ts'
import { storedFolders } from '../sync/kept.ts'

/** `service`: limits the report to one service. `files`: those named by the user, else those that are found. */
export type Doctor = {
  readonly target: Target
  readonly environment: string
  readonly service?: string
  readonly files: ReadonlyArray<string>
  /** Once it is aborted, nothing is written. */
  readonly signal: AbortSignal
  readonly facts: Pick<Facts, 'version' | 'node' | 'os' | 'arch'>
}

type Needs = Pick<Ports, 'clock' | 'files' | 'home' | 'writer'>

const logLines = 500
const mostAtOnce = 8

const ownKinds = [
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'Service',
  'Ingress',
  'PersistentVolumeClaim',
] as const

const manifestsOf = async ({ files }: Needs, given: ReadonlyArray<string>): Promise<ReadonlyMap<string, string>> => {
  const kinds = new Map(await Promise.all(candidates.map(async (path) => [path, await files.kind(path)()] as const)))
  const chosen = chooseFiles({
    given,
    separator: ':',
    isFile: (path) => kinds.get(path) === 'File',
    isFolder: (path) => kinds.get(path) === 'Folder',
  })
  const texts = new Map<string, string>()
  for (const path of E.isRight(chosen) ? chosen.right.files : []) {
    const content = await files.read(path, {})()
    const text = content._tag === 'File' ? textOf(content.bytes) : undefined
    if (text !== undefined) texts.set(path, text)
  }
  return texts
}

/** devtool's own logs, of its last runs. */
const toolLogsOf = async ({ home }: Needs): Promise<ReadonlyMap<string, string>> => {
  const texts = new Map<string, string>()
  for (const name of (await home.list('log')()).filter(isToolLog)) {
    const text = await home.read(`log/${name}`)()
    if (E.isRight(text) && text.right !== undefined) texts.set(name, text.right)
  }
  return texts
}

/** Status and log of each folder that `up` synchronises, or has synchronised, on this machine. */
const syncLogsOf = async ({ home }: Needs): Promise<ReadonlyMap<string, string>> => {
  const texts = new Map<string, string>()
  for (const [key, { dev, local, remote }] of await storedFolders({ home })()) {
    const parts: Array<string> = []
    for (const name of ['log.1', 'log']) {
      const text = await home.read(`sync/${key}/${name}`)()
      if (E.isRight(text) && text.right !== undefined) parts.push(text.right)
    }
    if (parts.length > 0) texts.set(`${dev}-${key}.log`, [`${local} <-> ${remote}\n`, ...parts].join(''))
  }
  return texts
}

/** Lists objects; what could not be listed goes to `troubles`. */
const lister =
  ({ cluster, namespace }: Target, troubles: Array<string>) =>
  async (kind: KnownKind, labels?: string): Promise<ReadonlyArray<ClusterObject>> => {
    const selection = { resource: resources[kind], namespace, ...defined({ labels }) }
    const list = await cluster.list(selection)()
    if (E.isRight(list)) return list.right.items
    troubles.push(`${resources[kind].plural}: ${failureDiagnostic(list.left).message}`)
    return []
  }

const secretValues = (secrets: ReadonlyArray<ClusterObject>): ReadonlyArray<string> =>
  secrets
    .flatMap((secret) => [...textsAt(secret, 'data').values()])
    .flatMap((encoded) => {
      const bytes = decodeBase64(encoded)
      const text = bytes === undefined ? undefined : textOf(bytes)
      return text === undefined ? [encoded] : [encoded, text]
    })

const readLog = async (
  { cluster, namespace }: Target,
  { container, isPrevious, pod }: Omit<ContainerLog, 'lines'>,
): Promise<ContainerLog | Failure> => {
  const lines: Array<string> = []
  const options = { container, follow: false, isPrevious, tail: logLines, timestamps: true }
  const key = { resource: resources.Pod, namespace, name: pod }
  for await (const item of cluster.logs(key, options, new AbortController().signal)) {
    if (item._tag === 'Failed') return item.failure
    lines.push(item.text)
  }
  return { pod, container, isPrevious, lines }
}

const logsOf = async (target: Target, pods: ReadonlyArray<ClusterObject>, troubles: Array<string>) => {
  const wanted = pods
    .flatMap(containersOf)
    .flatMap(({ container, hasLog, pod, restarts }) => [
      ...(hasLog ? [{ pod, container, isPrevious: false }] : []),
      ...(restarts > 0 ? [{ pod, container, isPrevious: true }] : []),
    ])
  const logs: Array<ContainerLog> = []
  for (const log of await bounded(wanted, (one) => readLog(target, one), mostAtOnce)) {
    if ('_tag' in log) troubles.push(`a log: ${failureDiagnostic(log).message}`)
    else logs.push(log)
  }
  return logs
}

const inventoryOf = async (
  target: Target,
  environment: string,
  troubles: Array<string>,
): Promise<ReadonlyArray<InventoryEntry>> => {
  const read = pipe(
    findRecord(target, environment),
    TE.matchW(
      (why) => ({ notes: [why], inventory: [] }),
      (found) => ({ notes: recordNotes(found), inventory: recordIn(found)?.inventory ?? [] }),
    ),
  )
  const { inventory, notes } = await read()
  for (const { message } of notes) troubles.push(`the record: ${message}`)
  return inventory
}

/** Also events about pods and other objects created by these: their names begin with the name of their creator. */
const isAbout = (event: ClusterObject, names: ReadonlySet<string>): boolean => {
  const name = textAt(event, 'involvedObject', 'name') ?? ''
  return [...names].some((one) => name === one || name.startsWith(`${one}-`))
}

const collect = async (ports: Needs, wanted: Doctor) => {
  const { environment, service, target } = wanted
  const troubles: Array<string> = []
  const list = lister(target, troubles)
  const label = environmentSelector(environment)
  const [developed, version, inventory, own, allPods, allEvents, secrets] = await Promise.all([
    developmentObjects(target),
    target.cluster.version()(),
    inventoryOf(target, environment, troubles),
    Promise.all(ownKinds.map((kind) => list(kind, label))),
    list('Pod'),
    list('Event'),
    list('Secret'),
  ])
  const workloads = new Set(own.flat().map(({ metadata }) => metadata.uid))
  const records = recordsIn(developed).filter(
    ({ dev, workload }) =>
      service === dev || (service === undefined && (workloads.size === 0 || workloads.has(workload.uid))),
  )
  const mirrors = new Set(records.map(({ mirror }) => mirror))
  const isDeveloped = (live: ClusterObject): boolean => mirrors.has(labelOf(live, MIRROR_LABEL) ?? '')
  const environmentPods = allPods.filter((pod) => isOfEnvironment(pod, environment, inventory) || isDeveloped(pod))
  const pods = environmentPods.filter((pod) => service === undefined || serviceOf(pod) === service || isDeveloped(pod))
  const objects = [
    ...own.flat().filter((live) => service === undefined || labelOf(live, SERVICE_LABEL) === service),
    ...[...developed.values()]
      .flatMap((lives) => [...lives.values()])
      .filter(({ metadata }) => mirrors.has(metadata.name)),
  ]
  const names = new Set([...pods, ...objects].map(({ metadata }) => metadata.name))
  return {
    facts: {
      ...wanted.facts,
      date: ports.clock.date(),
      environment,
      context: target.context,
      namespace: target.namespace,
      ...(E.isRight(version) ? { cluster: version.right } : {}),
    },
    manifests: await manifestsOf(ports, wanted.files),
    objects: [...objects, ...pods],
    events: allEvents.filter((event) => isAbout(event, names)),
    logs: await logsOf(target, pods, troubles),
    toolLogs: await toolLogsOf(ports),
    syncLogs: await syncLogsOf(ports),
    developments: records.map((record) => {
      const { pod, reason, state } = statusOf(
        record,
        pods.filter((one) => labelOf(one, MIRROR_LABEL) === record.mirror),
      )
      const { dev, since, workload } = record
      const how = [state, pod, reason].filter((word) => word !== '').join(', ')
      return `${dev} (${showRef(workload)}) by ${developerOf(record)} since ${since}: ${how}`
    }),
    secrets: secretValues(secrets),
    troubles,
    services: [
      ...new Set([
        ...own.flat().flatMap((live) => labelOf(live, SERVICE_LABEL) ?? []),
        ...environmentPods.map(serviceOf),
        ...records.map(({ dev }) => dev),
      ]),
    ].toSorted(),
  }
}

/** DT3402, unless the service may be among the objects that could not be read. */
const unknownService = (
  { environment, service }: Doctor,
  { services, troubles }: { readonly services: ReadonlyArray<string>; readonly troubles: ReadonlyArray<string> },
): Diagnostic | undefined =>
  service === undefined || services.includes(service) || troubles.length > 0
    ? undefined
    : error('DT3402', `environment ${environment} has no service "${service}"`, {
        help: services.length === 0 ? 'nothing is deployed' : `services: ${services.join(', ')}`,
      })

/** The written file and its size. */
export type SupportReport = {
  readonly file: string
  readonly environment: string
  readonly objects: number
  readonly logs: number
}

const write = ({ writer }: Needs, collected: Collected): Promise<Result<SupportReport>> => {
  const file = bundleName(collected.facts.date)
  const { facts, logs, objects, troubles } = collected
  const work = pipe(
    writer.replace(file, zipOf(bundle(collected)), { isPrivate: true }),
    TE.map(() => ({
      findings: troubles.map((trouble) => warning('DT3408', `not in the report: ${trouble}`)),
      value: { file, environment: facts.environment, objects: objects.length, logs: logs.length },
    })),
  )
  return answer(work)
}

/** A report without a cluster: the manifest and devtool's own requests. Finds DT2006 and DT3408. */
export const doctorOffline =
  (ports: Needs) =>
  async ({
    environment,
    facts,
    files,
  }: Omit<Doctor, 'target' | 'signal' | 'service'>): Promise<Result<SupportReport>> =>
    write(ports, {
      facts: { ...facts, date: ports.clock.date(), environment },
      manifests: await manifestsOf(ports, files),
      objects: [],
      events: [],
      logs: [],
      toolLogs: await toolLogsOf(ports),
      syncLogs: await syncLogsOf(ports),
      developments: [],
      secrets: [],
      troubles: ['everything in the cluster, which could not be read'],
    })

/** Finds DT2006 when the file cannot be written; DT3408 for what could not be read and is left out. */
export const doctor =
  (ports: Needs) =>
  async (wanted: Doctor): Promise<Result<SupportReport>> => {
    const collected = await collect(ports, wanted)
    if (wanted.signal.aborted) return { findings: [] }
    const unknown = unknownService(wanted, collected)
    if (unknown !== undefined) return { findings: [unknown] }
    return write(ports, collected)
  }
