/**
 * What a mirror is made of besides its workload: what the section says, and what this machine gave. It is kept beside
 * the record, so that a later change of the workload can be applied from any machine, without the files.
 */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { parsedJson, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import type { DevBase } from '../manifest/dev-model.ts'
import { defined, ifDefined } from '../object/defined.ts'
import type { SyncMode } from '../sync/act.ts'
import { sha256 } from '../text/sha256.ts'
import { jsonOf } from '../yaml/json.ts'
import { JsonValue } from './record.ts'
import type { UpRequest } from './request.ts'

/** Other members, such as places in the files, are not stored. */
const stored = <A extends t.Props, B extends t.Props>(required: A, optional: B) =>
  t.readonly(t.exact(t.intersection([t.type(required), t.partial(optional)])))

const holding = <A extends t.Mixed>(value: A) => stored({ value }, {})

const Text = holding(t.string)
const Flag = holding(t.boolean)
const Count = holding(t.number)
const Texts = t.readonlyArray(Text)
const Named = t.readonlyArray(stored({ name: t.string }, { value: t.string }))
const Resources = stored({ requests: Named, limits: Named }, {})
const Command = holding(
  t.union([
    stored({ _tag: t.literal('Shell'), text: t.string }, {}),
    stored({ _tag: t.literal('Words'), words: t.readonlyArray(t.string) }, {}),
  ]),
)
const Hook = stored({ enabled: t.boolean }, { command: Command })
/** A mode that is added has to be read as well. */
const Mode = t.keyof({ 'two-way': null, push: null, pull: null } satisfies Readonly<Record<SyncMode, null>>)

const ofAll = {
  folders: t.readonlyArray(stored({ local: t.string, remote: t.string }, { mode: Mode })),
  resources: Resources,
  nodeSelector: Named,
  labels: Named,
  annotations: Named,
}
/** `affinity`, `tolerations`: in Kubernetes' own notation. */
const ofSome = {
  image: Text,
  imagePullPolicy: Text,
  command: Command,
  args: Command,
  workdir: Text,
  affinity: JsonValue,
  tolerations: JsonValue,
  replicas: Count,
}

const ServiceRecipe = stored(ofAll, ofSome)
export type ServiceRecipe = t.TypeOf<typeof ServiceRecipe>

const Security = stored(
  { add: Texts, drop: Texts },
  {
    runAsUser: Count,
    runAsGroup: Count,
    fsGroup: Count,
    runAsNonRoot: Flag,
    allowPrivilegeEscalation: Flag,
    readOnlyRootFilesystem: Flag,
  },
)

const DevRecipe = stored(
  {
    ...ofAll,
    mode: t.union([t.literal('sync'), t.literal('hybrid')]),
    volumes: Texts,
    externalVolumes: t.readonlyArray(stored({ claim: t.string, target: t.string }, { subPath: t.string })),
    persistentVolume: stored({ enabled: t.boolean, accessMode: t.string }, {}),
    probes: stored({ liveness: t.boolean, readiness: t.boolean, startup: t.boolean }, {}),
    lifecycle: stored({ postStart: Hook, preStop: Hook }, {}),
    initContainer: stored({ resources: Resources }, { image: Text }),
  },
  { ...ofSome, securityContext: Security, serviceAccount: Text, priorityClassName: Text },
)
export type DevRecipe = t.TypeOf<typeof DevRecipe>

/**
 * `service`: the mirror is that of this service of the development container. `image`: instead of the section's.
 * `secrets`: where their files are mounted. `keys`: a hash of the agent's.
 */
const MirrorRecipe = stored(
  {
    dev: DevRecipe,
    agentImage: t.string,
    keys: t.string,
    environment: t.readonlyArray(stored({ name: t.string, value: t.string }, {})),
    secrets: t.readonlyArray(stored({ remote: t.string, mode: t.number }, {})),
  },
  { service: ServiceRecipe, image: t.string },
)
export type MirrorRecipe = t.TypeOf<typeof MirrorRecipe>

const asJson = <A extends DevBase>({ affinity, tolerations, ...section }: A) => ({
  ...section,
  ...defined({ affinity: ifDefined(affinity, jsonOf), tolerations: ifDefined(tolerations, jsonOf) }),
})

export const recipeOf = ({ agent, dev, environment, image, secrets, service }: UpRequest): MirrorRecipe => ({
  dev: asJson(dev),
  agentImage: agent.image,
  keys: sha256(JSON.stringify(agent.keys)),
  environment,
  secrets,
  ...defined({ image, service: ifDefined(service, asJson) }),
})

/** Equal for equal recipes. Law: {@link recipeIn} reads back a recipe of which the same mirrors are made. */
export const showRecipe = (recipe: MirrorRecipe): string => JSON.stringify(MirrorRecipe.encode(recipe))

/** `undefined` when the record has none that this version can read. */
export const recipeIn = (record: ClusterObject): MirrorRecipe | undefined => {
  const read = MirrorRecipe.decode(parsedJson(textAt(record, 'data', 'recipe') ?? ''))
  return E.isRight(read) ? read.right : undefined
}
