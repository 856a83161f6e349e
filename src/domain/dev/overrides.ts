/** What a `dev` section changes in a pod; everything else stays as it is. */
import { isObject, type Json, type JsonObject, listAt, objectAt, textAt } from '../cluster/json.ts'
import type { DevCommand } from '../manifest/dev-model.ts'
import { defined, ifDefined } from '../object/defined.ts'
import { escapeExpansion } from '../translate/env.ts'
import type { DevRecipe, ServiceRecipe } from './recipe.ts'
import type { EnvironmentValue } from './request.ts'

export const textsOf = (named: DevRecipe['labels']): JsonObject =>
  Object.fromEntries(named.map(({ name, value = '' }) => [name, value]))

/** Members of `over` take precedence; the field is not added when it would be empty. */
const laidOver = (json: JsonObject, name: string, over: JsonObject): JsonObject =>
  Object.keys(over).length === 0 ? json : { ...json, [name]: { ...objectAt(json, name), ...over } }

/** A variable replaces the one of the same name; new ones are appended. */
const withEnvironment = (container: JsonObject, environment: ReadonlyArray<EnvironmentValue>): JsonObject => {
  if (environment.length === 0) return container
  const named = new Map(environment.map(({ name, value }) => [name, { name, value: escapeExpansion(value) }] as const))
  const env = listAt(container, 'env')
  const before = new Set(env.map((one) => textAt(one, 'name')))
  return {
    ...container,
    env: [
      ...env.map((one) => named.get(textAt(one, 'name') ?? '') ?? one),
      ...[...named.values()].filter(({ name }) => !before.has(name)),
    ],
  }
}

export const resourcesOf = ({ limits, requests }: DevRecipe['resources']): JsonObject => ({
  ...(requests.length === 0 ? {} : { requests: textsOf(requests) }),
  ...(limits.length === 0 ? {} : { limits: textsOf(limits) }),
})

const withResources = (container: JsonObject, resources: DevRecipe['resources']): JsonObject => {
  const wanted = resourcesOf(resources)
  const own = objectAt(container, 'resources')
  const merged = Object.keys(wanted).reduce((all, name) => laidOver(all, name, objectAt(wanted, name)), own)
  return laidOver(container, 'resources', merged)
}

const withSecurity = (container: JsonObject, security: DevRecipe['securityContext']): JsonObject => {
  if (security === undefined) return container
  const { add, allowPrivilegeEscalation, drop, readOnlyRootFilesystem, runAsGroup, runAsNonRoot, runAsUser } = security
  const capabilities = defined({
    add: add.length === 0 ? undefined : add.map(({ value }) => value),
    drop: drop.length === 0 ? undefined : drop.map(({ value }) => value),
  })
  const own = objectAt(container, 'securityContext')
  return laidOver(container, 'securityContext', {
    ...defined({
      runAsUser: runAsUser?.value,
      runAsGroup: runAsGroup?.value,
      runAsNonRoot: runAsNonRoot?.value,
      allowPrivilegeEscalation: allowPrivilegeEscalation?.value,
      readOnlyRootFilesystem: readOnlyRootFilesystem?.value,
    }),
    ...(Object.keys(capabilities).length === 0
      ? {}
      : { capabilities: { ...objectAt(own, 'capabilities'), ...capabilities } }),
  })
}

const wordsOf = (command: DevCommand): ReadonlyArray<string> =>
  command._tag === 'Shell' ? ['sh', '-c', command.text] : command.words

const escaped = (command: DevCommand): ReadonlyArray<string> => wordsOf(command).map(escapeExpansion)

/** A mount replaces the one at the same path. */
const withMounts = (container: JsonObject, mounts: ReadonlyArray<JsonObject>): JsonObject => {
  if (mounts.length === 0) return container
  const taken = new Set(mounts.map((mount) => mount['mountPath']))
  const kept = listAt(container, 'volumeMounts').filter((mount) => !taken.has(textAt(mount, 'mountPath')))
  return { ...container, volumeMounts: [...kept, ...mounts] }
}

/** `image`: instead of the section's; `mounts`: those of the developed container. */
export type Overriding = {
  readonly image?: string
  readonly environment: ReadonlyArray<EnvironmentValue>
  readonly mounts: ReadonlyArray<JsonObject>
}

const withoutMembers = (json: JsonObject, names: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)))

/** Changes that apply to development containers and to their services. */
const commonIn = (
  container: JsonObject,
  dev: ServiceRecipe,
  { environment, image, mounts }: Overriding,
): JsonObject => {
  const wanted = image ?? dev.image?.value
  const changed = {
    ...container,
    ...defined({ image: wanted, imagePullPolicy: dev.imagePullPolicy?.value, workingDir: dev.workdir?.value }),
  }
  return withMounts(withResources(withEnvironment(changed, environment), dev.resources), mounts)
}

const hooksOf = ({ lifecycle }: DevRecipe, container: JsonObject): JsonObject => {
  const own = objectAt(container, 'lifecycle')
  const hook = (name: 'postStart' | 'preStop'): Json | undefined => {
    const { command, enabled } = lifecycle[name]
    if (!enabled) return undefined
    return command === undefined ? own[name] : { exec: { command: wordsOf(command.value) } }
  }
  return defined({ postStart: hook('postStart'), preStop: hook('preStop') })
}

/** The probes and hooks of the workload that the section turns on again. */
export const keptOf = ({ probes }: DevRecipe): ReadonlyArray<string> => [
  ...(probes.liveness ? ['livenessProbe'] : []),
  ...(probes.readiness ? ['readinessProbe'] : []),
  ...(probes.startup ? ['startupProbe'] : []),
  'lifecycle',
]

/** In hybrid mode no program runs in the container: only its environment and its place in the network matter. */
export const developedIn = (container: JsonObject, dev: DevRecipe, over: Overriding): JsonObject => {
  if (dev.mode === 'hybrid') {
    return withoutMembers(withResources(withEnvironment(container, over.environment), dev.resources), ['lifecycle'])
  }
  const { lifecycle: _lifecycle, ...changed } = withSecurity(commonIn(container, dev, over), dev.securityContext)
  return laidOver(changed, 'lifecycle', hooksOf(dev, container))
}

/** A service runs its own command, or that of the workload. */
export const serviceIn = (container: JsonObject, service: ServiceRecipe, over: Overriding): JsonObject => {
  const { args, command } = service
  const changed = commonIn(container, service, over)
  const own = command === undefined ? changed : withoutMembers(changed, ['args'])
  return {
    ...own,
    ...defined({
      command: ifDefined(command, ({ value }) => escaped(value)),
      args: ifDefined(args, ({ value }) => escaped(value)),
    }),
  }
}

const isEmpty = (json: Json | undefined): boolean => isObject(json) && Object.keys(json).length === 0

/** Where the pod runs. */
export const placedIn = (pod: JsonObject, { affinity, nodeSelector, tolerations }: ServiceRecipe): JsonObject => {
  const selected = laidOver(pod, 'nodeSelector', textsOf(nodeSelector))
  const tolerated = Array.isArray(tolerations) ? [...listAt(pod, 'tolerations'), ...tolerations] : undefined
  return {
    ...selected,
    ...defined({ tolerations: tolerated, affinity: isEmpty(affinity) ? undefined : affinity }),
  }
}

/** Fields of the pod that only a development container may set. */
export const podOf = (
  pod: JsonObject,
  { priorityClassName, securityContext, serviceAccount }: DevRecipe,
): JsonObject => {
  const account = serviceAccount?.value
  // The API server fills in the deprecated field `serviceAccount` too, and requires both to be equal.
  const named = defined({ serviceAccountName: account, serviceAccount: account })
  const changed = { ...pod, ...named, ...defined({ priorityClassName: priorityClassName?.value }) }
  return laidOver(changed, 'securityContext', defined({ fsGroup: securityContext?.fsGroup?.value }))
}
