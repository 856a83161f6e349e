/**
 * The JSON form of a plan (`schema: 1`), and the single source of its shape. Objects are read as the API would take them:
 * what they mean was decided when the plan was made.
 */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { KubeObject } from '../k8s/types.ts'
import type { Action, Plan } from './plan.ts'

const Place = t.readonly(
  t.strict({ file: t.string, line: t.number, col: t.number, endLine: t.number, endCol: t.number }),
  'place (lines and columns from 1)',
)

const kinds: { readonly [K in KubeObject['kind']]: null } = {
  Deployment: null,
  StatefulSet: null,
  DaemonSet: null,
  Job: null,
  Service: null,
  Ingress: null,
  PersistentVolumeClaim: null,
  ConfigMap: null,
  Secret: null,
}
const KindName = t.keyof(kinds, 'kind')

/** Members whose keys are the user's: they are `Map`s inside. */
const MAPPINGS: ReadonlySet<string> = new Set([
  'labels',
  'annotations',
  'matchLabels',
  'nodeSelector',
  'requests',
  'limits',
  'data',
  'binaryData',
])

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The selector of a Service is a mapping itself, that of a workload holds one. */
const isMapping = (key: string, value: Readonly<Record<string, unknown>>): boolean =>
  MAPPINGS.has(key) || (key === 'selector' && !('matchLabels' in value))

const revive = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(revive)
  if (!isObject(value) || value instanceof Map) return value
  const out: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    out[key] = isObject(member) && isMapping(key, member) ? new Map(Object.entries(member)) : revive(member)
  }
  return out
}

const Head = t.strict({
  apiVersion: t.string,
  kind: KindName,
  metadata: t.strict({ name: t.string }),
})

const isKubeObject = (value: unknown): value is KubeObject => Head.is(value)

const KubeObjectJson = new t.Type<KubeObject>(
  'Kubernetes object',
  isKubeObject,
  (value, context) => {
    const head = Head.validate(value, context)
    if (E.isLeft(head)) return head
    const object = revive(value)
    return isKubeObject(object) ? t.success(object) : t.failure(value, context)
  },
  t.identity,
)

const Origin = t.readonly(t.strict({ path: t.string, at: Place }), 'origin')
const Ref = t.readonly(t.strict({ kind: KindName, name: t.string }), 'reference')
const Condition = t.keyof(
  { service_started: null, service_healthy: null, service_completed_successfully: null },
  'condition',
)

const Apply = t.readonly(
  t.strict({
    type: t.literal('apply'),
    id: t.string,
    after: t.readonlyArray(t.string),
    object: KubeObjectJson,
    origins: t.readonlyArray(Origin),
  }),
  'apply action',
)
const Await = t.readonly(
  t.strict({
    type: t.literal('await'),
    id: t.string,
    after: t.readonlyArray(t.string),
    ref: Ref,
    condition: Condition,
    at: Place,
  }),
  'await action',
)

export const PlanJson = t.readonly(
  t.strict({
    schema: t.literal(1),
    environment: t.string,
    actions: t.readonlyArray(t.union([Apply, Await], 'action')),
  }),
  'plan',
)
export type PlanJson = t.TypeOf<typeof PlanJson>

const toAction = (json: PlanJson['actions'][number]): Action => {
  if (json.type === 'apply') {
    const { id, after, object, origins } = json
    return { _tag: 'Apply', id, after, object, origins }
  }
  const { id, after, ref, condition, at } = json
  return { _tag: 'Await', id, after, ref, condition, at }
}

/** Law: reads what `toPlanJson` printed as the same plan. Keys like `10` come in JavaScript's own order. */
export const readPlan = (json: unknown): E.Either<t.Errors, Plan> => {
  const read = PlanJson.decode(json)
  if (E.isLeft(read)) return read
  const { schema, environment, actions } = read.right
  return E.right({ schema, environment, actions: actions.map(toAction) })
}
