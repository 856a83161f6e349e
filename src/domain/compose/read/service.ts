/** One service as written → what it means. */

import { deployedAs, generatedName } from '../../build/names.ts'
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { error } from '../../diagnostic/diagnostic.ts'
import { defined } from '../../object/defined.ts'
import { isWritten } from '../../shape/field.ts'
import { as, choose, optional, parse } from '../../shape/parse.ts'
import type { Located, ShapeMember, ValueOf } from '../../shape/shape.ts'
import { hasVariables } from '../../shape/unset.ts'
import { dnsLabel } from '../../text/dns-name.ts'
import { readDuration } from '../../text/duration.ts'
import { checkImage } from '../../text/image.ts'
import type { Variables } from '../../yaml/interpolate.ts'
import type { service } from '../fields/service.ts'
import type { Files } from '../files.ts'
import type { ComposeService, WorkloadKind, Written } from '../model.ts'
import { readCommands, readHooks } from './command.ts'
import { decidesOf } from './decides.ts'
import { readDependsOn, type ServiceNames } from './depends-on.ts'
import type { ReadEnvFile } from './env-file.ts'
import { readEnvironment } from './environment.ts'
import { readHealthcheck } from './healthcheck.ts'
import { imageName } from './image-name.ts'
import { readKind, readReplicas } from './kind.ts'
import { type ReadLabelFile, readLabels } from './labels.ts'
import { readMounts } from './mounts.ts'
import { readNetwork } from './network.ts'
import { readPlacement } from './placement.ts'
import { readPodOf } from './pods.ts'
import { readPorts } from './ports.ts'
import { readPreStart } from './pre-start.ts'
import { readBuiltPullPolicy, readPullPolicy } from './pull-policy.ts'
import { readResources } from './resources.ts'
import { readSecurity } from './security.ts'
import { readUpdateConfig } from './update.ts'

export type RawService = ValueOf<typeof service>

/** What reading one service requires from the rest of the project. */
export type ServiceContext = {
  readonly environment: string
  readonly registry?: string | undefined
  /** The built image, by path of its `build`. */
  readonly built?: ReadonlyMap<string, string> | undefined
  readonly names: ServiceNames
  /** Services whose completion is awaited. */
  readonly awaited: ReadonlyMap<string, unknown>
  readonly variables: Variables
  readonly files: Files
  readonly readEnvFile: ReadEnvFile
  readonly readLabelFile: ReadLabelFile
}

/** The name to push to, or the name generated for the service's image. */
const readImage = (
  { key, value: raw }: ShapeMember<RawService>,
  object: string,
  { built, environment, registry }: ServiceContext,
): Checked<Written<string> | undefined> => {
  const { build } = raw.value
  const { name: image, found } = imageName(raw)
  const known = build === undefined ? undefined : built?.get(build.path)
  if (known !== undefined) return C.ok(as(deployedAs(known), image ?? build ?? raw))
  if (image !== undefined) {
    const help = hasVariables(image) ? 'set its variables, or write repository/name:tag' : 'write repository/name:tag'
    return parse('DT1026', checkImage, help)(image)
  }
  if (build !== undefined) return C.note(as(generatedName({ environment, registry }, object, 'dev'), build), found)
  // If the field was invalid or `extends` failed, that has been reported: the image is not missing.
  if (['image', 'build', 'extends'].some((field) => isWritten(raw, field))) return C.ok(undefined)
  const why = isWritten(raw, 'provider') ? 'a provider cannot run in the cluster' : 'there is neither image nor build'
  return C.fail(error('DT1003', why, { at: key, path: raw.path, help: 'add image: or build:' }))
}

/** Whole seconds, rounded up; a number without unit means seconds (reference). */
const readGrace = (written: Located<string>): Checked<Written<number>> => {
  if (/^[0-9]{1,9}$/.test(written.value)) return C.ok(as(Number(written.value), written))
  return C.map((ms: Located<number>) => as(Math.ceil(ms.value / 1000), written))(
    parse('DT1019', readDuration, 'write a duration such as 10s or 1m30s')(written),
  )
}

const readHeadless = (written: Located<string>): Checked<Written<true> | undefined> =>
  C.map((mode: Located<boolean>) => (mode.value ? as(true as const, written) : undefined))(
    choose('endpoint mode', { vip: false, dnsrr: true })(written),
  )

const isSet = (flag: Located<boolean> | undefined): flag is Located<true> => flag?.value === true

/**
 * `undefined` without an image, though the rest is checked all the same. Finds DT1003 and the findings of its parts.
 */
export const readService = (
  member: ShapeMember<RawService>,
  context: ServiceContext,
): Checked<ComposeService | undefined> => {
  const { key } = member
  const { value, path } = member.value
  const name = key.text
  const object = dnsLabel(name)
  const mounts = readMounts(value)
  const parts = C.struct({
    image: C.orElse(undefined)(readImage(member, object, context)),
    pullPolicy: optional(value.pull_policy, value.build === undefined ? readPullPolicy : readBuiltPullPolicy),
    commands: readCommands(value),
    environment: readEnvironment(value, context.variables, context.readEnvFile),
    mounts,
    kind: readKind(value, C.valueOf(mounts)?.mounts ?? [], key, context.awaited.has(name)),
    podOf: readPodOf(value, name, context.names),
    replicas: readReplicas(value),
    ports: readPorts(value, context.files.budget),
    headless: optional(value.deploy?.value.endpoint_mode, readHeadless),
    dependsOn: readDependsOn(value, name, context.names),
    healthcheck: optional(value.healthcheck, readHealthcheck),
    labels: readLabels(value, context.readLabelFile),
    updateConfig: readUpdateConfig(value),
    resources: readResources(value),
    graceSeconds: optional(value.stop_grace_period, readGrace),
    placement: readPlacement(value),
    security: readSecurity(value),
    network: readNetwork(value, object, context.names),
    hooks: readHooks(value),
    preStart: readPreStart(value, context.variables, context.readEnvFile),
  })
  return C.map((read: C.ValueIn<typeof parts>): ComposeService | undefined =>
    read.image === undefined
      ? undefined
      : {
          name,
          object,
          at: key,
          path,
          image: read.image,
          ...read.commands,
          ...defined({
            pullPolicy: read.pullPolicy,
            workingDir: value.working_dir,
            stdin: isSet(value.stdin_open) ? value.stdin_open : undefined,
            tty: isSet(value.tty) ? value.tty : undefined,
            podOf: read.podOf,
            replicas: read.replicas,
            headless: read.headless,
            healthcheck: read.healthcheck,
            update: read.labels?.update,
            graceSeconds: read.graceSeconds,
          }),
          environment: read.environment ?? [],
          kind: read.kind ?? ({ _tag: 'Deployment', at: key } satisfies WorkloadKind),
          decides: decidesOf(value, name, read.healthcheck !== undefined),
          ports: read.ports ?? [],
          dependsOn: read.dependsOn ?? [],
          annotations: read.labels?.annotations ?? [],
          workloadAnnotations: read.labels?.workloadAnnotations ?? [],
          updateConfig: read.updateConfig ?? {},
          resources: read.resources ?? { requests: {}, limits: {} },
          ...(read.mounts ?? { mounts: [], hostMounts: [] }),
          placement: read.placement ?? { nodeSelector: [], expressions: [], spread: [] },
          security: read.security ?? { sysctls: [] },
          network: read.network ?? { hostAliases: [], aliases: [] },
          hooks: read.hooks ?? {},
          preStart: read.preStart ?? [],
        },
  )(parts)
}
