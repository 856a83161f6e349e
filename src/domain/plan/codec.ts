/**
 * The JSON form of a plan (`schema: 1`) and the only definition of its shape: each object once, and the actions that
 * refer to it. Objects are read in the form that the API takes and are not interpreted.
 */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { JsonObject } from '../cluster/json.ts'
import type { KubeObject } from '../k8s/types.ts'
import type { Value } from '../print/value.ts'
import { type ActionTarget, fold, partition, refOf } from './action.ts'
import type { Plan } from './plan.ts'

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

/** Members whose keys the user chooses: these are `Map`s. */
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

/** The selector of a Service is itself a mapping; that of a workload contains one. */
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

export const KubeObjectJson = new t.Type<KubeObject>(
  'Kubernetes object',
  isKubeObject,
  (value, context) => {
    const known = (): t.Validation<KubeObject> => {
      const object = revive(value)
      return isKubeObject(object) ? t.success(object) : t.failure(value, context)
    }
    return E.flatMap(known)(Head.validate(value, context))
  },
  t.identity,
)

const Origin = t.readonly(
  t.intersection([t.strict({ path: t.string, at: Place }), t.partial({ key: t.string })]),
  'origin',
)
export const Ref = t.readonly(t.strict({ kind: KindName, name: t.string }), 'reference')
/** An object of any kind, identified as in an inventory. */
const TargetJson = t.readonly(
  t.strict({ group: t.string, version: t.string, plural: t.string, kind: t.string, name: t.string }),
  'target',
)
const Condition = t.keyof(
  { service_started: null, service_healthy: null, service_completed_successfully: null, available: null },
  'condition',
)
const Propagation = t.keyof({ Foreground: null, Background: null, Orphan: null }, 'propagation policy')

/** The value was parsed from JSON, so everything inside is JSON as well. */
const isFields = (value: unknown): value is JsonObject => isObject(value)

const Body = new t.Type<JsonObject>(
  'fields of an object',
  isFields,
  (value, context) => (isFields(value) ? t.success(value) : t.failure(value, context)),
  t.identity,
)
const Fields = t.union(
  [
    t.readonly(t.strict({ strategy: t.literal('merge'), body: Body })),
    t.readonly(t.strict({ strategy: t.literal('apply'), body: Body, force: t.boolean })),
  ],
  'patch',
)

const every = { id: t.string, after: t.readonlyArray(t.string) }

export const ActionJson = t.union(
  [
    t.readonly(
      t.intersection([
        t.strict({ type: t.literal('apply'), ...every, ref: Ref }),
        t.partial({ origins: t.readonlyArray(Origin) }),
      ]),
      'apply action',
    ),
    t.readonly(
      t.strict({
        type: t.literal('create'),
        ...every,
        target: TargetJson,
        object: Body,
        manager: t.string,
        because: t.string,
      }),
      'create action',
    ),
    t.readonly(
      t.strict({
        type: t.literal('delete'),
        ...every,
        target: TargetJson,
        propagation: Propagation,
        because: t.string,
      }),
      'delete action',
    ),
    t.readonly(
      t.intersection([
        t.strict({ type: t.literal('await'), ...every, ref: Ref, condition: Condition, service: t.string }),
        t.partial({ at: Place }),
      ]),
      'await action',
    ),
    t.readonly(
      t.strict({
        type: t.literal('scale'),
        ...every,
        target: TargetJson,
        replicas: t.number,
        manager: t.string,
        because: t.string,
      }),
      'scale action',
    ),
    t.readonly(
      t.strict({
        type: t.literal('patch'),
        ...every,
        target: TargetJson,
        fields: Fields,
        manager: t.string,
        because: t.string,
      }),
      'patch action',
    ),
  ],
  'action',
)
type ActionJson = t.TypeOf<typeof ActionJson>

export const PlanJson = t.readonly(
  t.strict({
    schema: t.literal(1),
    environment: t.string,
    objects: t.readonlyArray(KubeObjectJson),
    actions: t.readonlyArray(ActionJson),
  }),
  'plan',
)
export type PlanJson = t.TypeOf<typeof PlanJson>

const targetJson = ({
  name,
  resource: { group, kind, plural, version },
}: ActionTarget): t.TypeOf<typeof TargetJson> => ({
  group,
  version,
  plural,
  kind,
  name,
})

const toActionJson = fold<ActionJson>({
  Apply: ({ id, after, object, origins }) => {
    const action = { type: 'apply', id, after, ref: refOf(object) } as const
    return origins.length === 0 ? action : { ...action, origins }
  },
  Create: ({ id, after, target, object, manager, because }) => ({
    type: 'create',
    id,
    after,
    target: targetJson(target),
    object,
    manager,
    because,
  }),
  Delete: ({ id, after, target, propagation, because }) => ({
    type: 'delete',
    id,
    after,
    target: targetJson(target),
    propagation,
    because,
  }),
  Await: ({ id, after, ref, condition, service, at }) => {
    const action = { type: 'await', id, after, ref, condition, service } as const
    return at === undefined ? action : { ...action, at }
  },
  Scale: ({ id, after, target, replicas, manager, because }) => ({
    type: 'scale',
    id,
    after,
    target: targetJson(target),
    replicas,
    manager,
    because,
  }),
  Patch: ({ id, after, target, fields, manager, because }) => ({
    type: 'patch',
    id,
    after,
    target: targetJson(target),
    fields,
    manager,
    because,
  }),
})

/**
 * Mappings with keys that the user chooses are `Map`s, so print it with `printJson`. Law: `PlanJson` reads back what
 * was printed; only keys like `10` come back in JavaScript's order.
 */
export const toPlanJson = ({ schema, environment, actions }: Plan): PlanJson & Value => ({
  schema,
  environment,
  objects: partition(actions).Apply.map(({ object }) => object),
  actions: actions.map(toActionJson),
})
