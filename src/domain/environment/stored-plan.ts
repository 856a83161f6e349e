/**
 * The plan of a deployment, kept as the Secret `devtool-env-<environment>.<number>`, since it holds the Secrets of the
 * environment. It never changes.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type JsonObject, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { ENVIRONMENT_LABEL, ownLabels } from '../k8s/labels.ts'
import type { KubeObject } from '../k8s/types.ts'
import { type Action, fold, partition, refOf, showRef } from '../plan/action.ts'
import { PlanJson, toPlanJson } from '../plan/codec.ts'
import { fromPlanJson } from '../plan/from-json.ts'
import type { Plan } from '../plan/plan.ts'
import { printJsonLine } from '../print/json.ts'
import { decodeBase64, encodeBase64 } from '../text/base64.ts'
import { gunzip, gzip } from './gzip.ts'
import { RecordedExternal, recordName } from './record.ts'
import { RememberedSettings } from './remembered.ts'
import { EnvironmentSource } from './source.ts'

/** What a deploy needs besides the plan. */
const StoredSettings = t.strict({
  source: EnvironmentSource,
  settings: RememberedSettings,
  services: t.readonlyArray(t.string),
  switchedOff: t.readonlyArray(t.string),
  external: t.readonlyArray(RecordedExternal),
})

const Contents = t.readonly(t.intersection([t.strict({ schema: t.literal(1), plan: PlanJson }), StoredSettings]))

export type StoredPlan = t.TypeOf<typeof StoredSettings> & { readonly plan: Plan }

export const planName = (environment: string, number: number): string => `${recordName(environment)}.${number}`

/** Places refer to files that may have changed since. */
const withoutPlaces = fold<Action>({
  Apply: (action) => ({ ...action, origins: [] }),
  Await: ({ at: _at, ...action }) => action,
  Create: (action) => action,
  Delete: (action) => action,
  Scale: (action) => action,
  Patch: (action) => action,
})

/** Equal plans have equal texts. */
export const planText = (plan: Plan): string =>
  printJsonLine(toPlanJson({ ...plan, actions: plan.actions.map(withoutPlaces) }))

/** The API server accepts 1 MiB. */
const mostBytes = 1_000_000

/** `undefined` when it is too large. `text`: see {@link planText}. */
export const planBody = (
  namespace: string,
  number: number,
  text: string,
  { plan: { environment }, external, services, settings, source, switchedOff }: StoredPlan,
): JsonObject | undefined => {
  const head = JSON.stringify({ schema: 1, source, settings, services, switchedOff, external })
  const json = `${head.slice(0, -1)},"plan":${text.trimEnd()}}`
  const bytes = gzip(json)
  if (bytes.length > mostBytes) return undefined
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: planName(environment, number), namespace, labels: ownLabels(environment, 'plan') },
    type: 'Opaque',
    immutable: true,
    data: { plan: encodeBase64(bytes) },
  }
}

const isOwn = (environment: string, namespace: string, { metadata }: KubeObject): boolean =>
  metadata.labels?.get(ENVIRONMENT_LABEL) === environment &&
  (metadata.namespace === undefined || metadata.namespace === namespace)

const unusable = ({ metadata: { name } }: ClusterObject, why: string): Diagnostic =>
  error('DT3143', `the Secret ${name} holds no plan that can be used: ${why}`, {
    help: 'it was written by a newer devtool, or changed: go back to another deployment, or deploy the commit that you want',
  })

/**
 * Law: reads back what {@link planBody} wrote. DT3143 for anything else, and for objects that do not belong to the
 * environment.
 */
export const readPlan = (
  secret: ClusterObject,
  environment: string,
  namespace: string,
): E.Either<Diagnostic, StoredPlan> => {
  const bytes = decodeBase64(textAt(secret, 'data', 'plan') ?? '') ?? new Uint8Array()
  return pipe(
    E.tryCatch(
      (): unknown => JSON.parse(gunzip(bytes)),
      () => 'it cannot be decompressed',
    ),
    E.flatMap((json) =>
      pipe(
        Contents.decode(json),
        E.mapLeft(() => 'its format is unknown'),
      ),
    ),
    E.flatMap(({ plan: json, schema: _schema, ...rest }) => {
      const plan = fromPlanJson(json)
      const foreign = partition(plan.actions).Apply.find(({ object }) => !isOwn(environment, namespace, object))
      if (foreign !== undefined) {
        return E.left(`${showRef(refOf(foreign.object))} does not belong to the environment "${environment}"`)
      }
      return plan.environment === environment
        ? E.right({ ...rest, plan })
        : E.left(`it belongs to the environment "${plan.environment}"`)
    }),
    E.mapLeft((why) => unusable(secret, why)),
  )
}
