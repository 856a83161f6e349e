/** docs/json.md: every JSON document and progress event, generated from their codecs. */
import type * as t from 'io-ts'
import { Version } from '../src/cli/view/version.ts'
import { AnalyticsSetting } from '../src/domain/analytics/setting.ts'
import { BuiltImages } from '../src/domain/build/built.ts'
import { ContextList, ContextRecord } from '../src/domain/context/record.ts'
import { Destruction } from '../src/domain/destroy/show.ts'
import { DevStatusList, RestartedList, RestoredList } from '../src/domain/dev/listing.ts'
import { DiagnosticList } from '../src/domain/diagnostic/list.ts'
import { CheckList } from '../src/domain/doctor/check.ts'
import { EndpointList } from '../src/domain/environment/endpoints.ts'
import { HistoryList } from '../src/domain/environment/history.ts'
import { EnvironmentList, ServiceList } from '../src/domain/environment/listing.ts'
import { DeployReport } from '../src/domain/environment/record.ts'
import { RollbackReport } from '../src/domain/environment/rollback.ts'
import { CodeExplanation, FieldExplanation, TopicList } from '../src/domain/explain/explain.ts'
import { ForwardList } from '../src/domain/forward/document.ts'
import { LogDocument } from '../src/domain/logs/document.ts'
import { ChangeList } from '../src/domain/plan/change-list.ts'
import { PastPlanDocument, PlanDocument } from '../src/domain/plan/document.ts'
import {
  PipelineCancelled,
  PipelineDeployed,
  PipelineDestroyed,
  PipelineList,
  PreviewDeployed,
  PreviewDestroyed,
  PreviewList,
  RunLogLine,
} from '../src/domain/platform/api/run-listings.ts'
import { GarbageList } from '../src/domain/platform/gc/listing.ts'
import { MemberList, NamespaceList, VariableList } from '../src/domain/platform/listings.ts'
import { PlatformStatusDocument } from '../src/domain/platform/manifests/status.ts'
import type { Document, Rows } from '../src/domain/print/document.ts'
import { progressDocuments } from '../src/domain/progress/documents.ts'
import { SleepChange, WakeChange } from '../src/domain/sleep/listing.ts'
import { ConflictList, KeptList, PathExplanation, RestoredFiles } from '../src/domain/sync/listing.ts'
import { WhyReport } from '../src/domain/why/report.ts'

type Described = Pick<Document<unknown>, 'name' | 'about'> & { readonly codec: t.Mixed }

/** In the order of the help text. */
export const documents: ReadonlyArray<Described> = [
  DeployReport,
  PlanDocument,
  ChangeList,
  BuiltImages,
  Destruction,
  LogDocument,
  WhyReport,
  EnvironmentList,
  ServiceList,
  EndpointList,
  ForwardList,
  HistoryList,
  PastPlanDocument,
  RollbackReport,
  RestartedList,
  DevStatusList,
  RestoredList,
  KeptList,
  RestoredFiles,
  ConflictList,
  PathExplanation,
  CheckList,
  DiagnosticList,
  PlatformStatusDocument,
  GarbageList,
  ContextList,
  ContextRecord,
  SleepChange,
  WakeChange,
  NamespaceList,
  MemberList,
  VariableList,
  PipelineDeployed,
  PipelineDestroyed,
  PipelineCancelled,
  PipelineList,
  RunLogLine,
  PreviewDeployed,
  PreviewDestroyed,
  PreviewList,
  CodeExplanation,
  FieldExplanation,
  TopicList,
  Version,
  AnalyticsSetting,
]

const hasRows = (codec: t.Mixed): codec is t.Mixed & { readonly required: Rows; readonly optional: Rows } =>
  'required' in codec && 'optional' in codec

/** Members of io-ts codecs, by tag. */
const memberOf = (codec: object, key: 'type' | 'keys' | 'value'): unknown => Reflect.get(codec, key)

const isCodec = (value: unknown): value is t.Mixed => typeof value === 'object' && value !== null && 'decode' in value

const itemOf = (codec: t.Mixed): t.Mixed | undefined => {
  const item = memberOf(codec, 'type')
  return Reflect.get(codec, '_tag') === 'ReadonlyArrayType' && isCodec(item) ? item : undefined
}

const formOf = (codec: t.Mixed): string => {
  const item = itemOf(codec)
  if (item !== undefined) return `list of ${formOf(item)}`
  if (hasRows(codec)) return 'object'
  const texts = memberOf(codec, 'keys')
  if (typeof texts === 'object' && texts !== null) {
    return Object.keys(texts)
      .map((text) => `\`${text}\``)
      .join(', ')
  }
  const literal = memberOf(codec, 'value')
  return literal === undefined ? codec.name : `\`${JSON.stringify(literal)}\``
}

type Row = readonly [path: string, form: string, about: string]

export const rowsOf = (prefix: string, codec: t.Mixed): ReadonlyArray<Row> => {
  if (!hasRows(codec)) return []
  const rows = (keys: Rows, mark: string): ReadonlyArray<Row> =>
    Object.entries(keys).flatMap(([name, [inner, about]]): ReadonlyArray<Row> => {
      const item = itemOf(inner)
      const path = `${prefix}${name}`
      return [
        [path, formOf(inner), `${mark}${about}`],
        ...rowsOf(item === undefined ? `${path}.` : `${path}[].`, item ?? inner),
      ]
    })
  return [...rows(codec.required, ''), ...rows(codec.optional, 'may be absent: ')]
}

const intro = `With \`-o json\` a command prints one JSON document, with \`-o yaml\` the same document as YAML. Each has \`schema: 1\`. New keys may be
added without changing the schema; existing keys keep their name and meaning. A key that may be absent is never \`null\`.
\`devtool logs -o json\` and \`devtool pipeline logs -o json\` print one document per log line, \`devtool list --watch -o json\` and
\`devtool status --watch -o json\` one per change, each on a line of its own.

Findings go to standard error. With \`-o json\` or \`--progress json\` they are JSON objects, one per line, of the same form as a member of
\`diagnostics\` [below](#devtool-validate-devtool-build---check).
`

const progressIntro = `With \`--progress json\`, \`deploy\`, \`destroy\`, \`rollback\` and \`build\` write progress events to standard error, one JSON object per line.
\`type\` is the kind of event; findings are written to the same stream and have no \`type\`. With \`-o json\` this is the default unless standard error
is a terminal, so that programs get only JSON. The last line of every run is [\`end\`](#end), however it ends.
`

export type TableOf = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>) => string

const sectionOf = (tableOf: TableOf, heading: string, { about, codec }: Described): string => {
  const rows = rowsOf('', codec).map(([path, form, text]): Row => [`\`${path}\``, form, text])
  return `${heading}\n\n${about}\n\n${tableOf(['key', 'form', 'meaning'], rows)}\n`
}

const headingOf = ({ name }: Described): string =>
  `## ${name
    .split(', ')
    .map((one) => `\`devtool ${one}\``)
    .join(', ')}`

export const jsonPage = (made: string, tableOf: TableOf) =>
  [
    `# JSON documents\n\n${made}\n\n${intro}`,
    ...documents.map((document) => sectionOf(tableOf, headingOf(document), document)),
    `## Progress events\n\n${progressIntro}`,
    ...progressDocuments.map((event) => sectionOf(tableOf, `### \`${event.name}\``, event)),
  ].join('\n')
