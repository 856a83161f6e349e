/** The files of doctor's bug report, all of which pass through the redactor. */
import { isObject, type Json, numberAt, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { printJson } from '../print/json.ts'
import type { Value } from '../print/value.ts'
import { harmless } from '../text/harmless.ts'
import { variablesIn, withoutVariables } from './manifest.ts'
import { redactor, valuesIn, withoutValues } from './redact.ts'

/** Facts about this machine and the cluster. `cluster` and other unknown facts are absent. */
export type Facts = {
  readonly date: string
  readonly version: string
  readonly node: string
  readonly os: string
  readonly arch: string
  readonly environment: string
  readonly context?: string
  readonly namespace?: string
  readonly cluster?: string
}

export type ContainerLog = {
  readonly pod: string
  readonly container: string
  readonly isPrevious: boolean
  readonly lines: ReadonlyArray<string>
}

/**
 * `developments`: one line each. `toolLogs`, `syncLogs`: by the names of their files. `secrets`: values that must not
 * be in it. `troubles`: what could not be collected, and why.
 */
export type Collected = {
  readonly facts: Facts
  readonly manifests: ReadonlyMap<string, string>
  readonly objects: ReadonlyArray<ClusterObject>
  readonly events: ReadonlyArray<ClusterObject>
  readonly logs: ReadonlyArray<ContainerLog>
  readonly toolLogs: ReadonlyMap<string, string>
  readonly syncLogs: ReadonlyMap<string, string>
  readonly developments: ReadonlyArray<string>
  readonly secrets: ReadonlyArray<string>
  readonly troubles: ReadonlyArray<string>
}

const isList = (json: Json): json is ReadonlyArray<Json> => Array.isArray(json)

const redacted = (json: Json, redact: (text: string) => string): Value => {
  if (typeof json === 'string') return redact(json)
  if (isList(json)) return json.map((item) => redacted(item, redact))
  if (!isObject(json)) return json
  return new Map(
    Object.entries(json).flatMap(([key, value]) => (value === undefined ? [] : [[key, redacted(value, redact)]])),
  )
}

const eventTime = (event: ClusterObject): string =>
  textAt(event, 'lastTimestamp') ?? textAt(event, 'eventTime') ?? event.metadata.creationTimestamp ?? ''

const showEvent = (event: ClusterObject): string => {
  const about = `${textAt(event, 'involvedObject', 'kind')}/${textAt(event, 'involvedObject', 'name')}`
  const count = numberAt(event, 'count') ?? 1
  const times = count > 1 ? ` (${count} times)` : ''
  const [type, reason, message] = ['type', 'reason', 'message'].map((name) => textAt(event, name) ?? '')
  return `${eventTime(event)}  ${type}  ${reason}  ${about}  ${message?.replace(/\s+/g, ' ')}${times}`
}

const showSummary = ({
  developments,
  events,
  facts,
  logs,
  manifests,
  objects,
  toolLogs,
  troubles,
}: Collected): string => {
  const line = (name: string, value: string | undefined): string => `${`${name}:`.padEnd(14)}${value ?? 'unknown'}\n`
  return [
    line('devtool', facts.version),
    line('made', facts.date),
    line('node', facts.node),
    line('system', `${facts.os} ${facts.arch}`),
    line('kubernetes', facts.cluster),
    line('context', facts.context),
    line('namespace', facts.namespace),
    line('environment', facts.environment),
    '\n',
    line('manifests', [...manifests.keys()].join(', ') || 'none'),
    line('objects', String(objects.length)),
    line('events', String(events.length)),
    line('logs', String(logs.length)),
    line('tool log', toolLogs.size === 0 ? 'none' : `the last ${toolLogs.size} runs`),
    ...(developments.length === 0 ? ['none'] : developments).map((one) => line('developed', one)),
    '\nvalues of Secrets and variables are left out everywhere, and anything that looks like a credential is masked\n',
    ...troubles.map((trouble) => `missing: ${trouble}\n`),
  ].join('')
}

const harmlessLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => harmless(line, false))
    .join('\n')

const manifestText = (path: string, text: string): string =>
  withoutVariables(path, text) ?? 'left out: it cannot be parsed, so its values cannot be told apart\n'

/** Turns a cluster's name into a file name. */
const safe = (name: string): string => name.replace(/[^\w.-]/g, '_')

/** `../web/compose.yaml` → `web_compose.yaml`. */
const pathName = (path: string): string => safe(path.replace(/^(?:\.{0,2}\/)+/, ''))

/** Keyed by path in the archive. */
export const bundle = (collected: Collected): ReadonlyMap<string, string> => {
  const { events, facts, logs, manifests, objects, secrets, syncLogs, toolLogs } = collected
  const known = [...manifests].flatMap(([path, text]) => variablesIn(path, text))
  const redact = redactor([...secrets, ...known, ...objects.flatMap(valuesIn)])
  const texts = new Map([
    ['summary.txt', redact(showSummary(collected))],
    ['metadata.json', printJson({ schema: 1, ...facts })],
    [
      'events.txt',
      redact(
        events
          .map(showEvent)
          .toSorted()
          .map((line) => `${line}\n`)
          .join(''),
      ),
    ],
  ])
  for (const [path, text] of manifests) texts.set(`manifest/${pathName(path)}`, redact(manifestText(path, text)))
  for (const object of objects) {
    const { kind, metadata } = object
    texts.set(`objects/${kind}-${safe(metadata.name)}.json`, printJson(redacted(withoutValues(object), redact)))
  }
  for (const [name, text] of toolLogs) texts.set(`tool-log/${safe(name)}`, redact(text))
  for (const [name, text] of syncLogs) texts.set(`sync-log/${safe(name)}`, redact(text))
  for (const { container, isPrevious, lines, pod } of logs) {
    const path = `logs/${safe(pod)}/${safe(container)}${isPrevious ? '-previous' : ''}.log`
    texts.set(path, lines.map((line) => `${redact(line)}\n`).join(''))
  }
  // JSON escapes the control characters that a terminal would act on.
  return new Map([...texts].map(([path, text]) => [path, path.endsWith('.json') ? text : harmlessLines(text)]))
}

/** `devtool-doctor-20261121100000.zip`. `date` as `2026-11-21T10:00:00Z`. */
export const bundleName = (date: string): string => `devtool-doctor-${date.replace(/\D/g, '').slice(0, 14)}.zip`
