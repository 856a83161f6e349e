/** `dev`: development containers, and the services beside them. */

import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, error, warning } from '../../diagnostic/diagnostic.ts'
import { defined, ifDefined } from '../../object/defined.ts'
import { labelsOf, valuesOf } from '../../shape/named-values.ts'
import { inRange, optional } from '../../shape/parse.ts'
import { type Located, located, type ValueOf } from '../../shape/shape.ts'
import { dnsLabel } from '../../text/dns-name.ts'
import { pathWritten } from '../../text/path.ts'
import type { Placed } from '../../text/written.ts'
import type { Variables } from '../../yaml/interpolate.ts'
import type { DevBase, DevContainer, DevWorkload, SyncFolder } from '../dev-model.ts'
import type * as fields from '../fields/dev.ts'
import { readExternalVolumes, readFolders, readSecrets, readVolumes } from './dev-mounts.ts'
import { commandOf, type RawBase, type RawDev, type RawDevService, readResources } from './dev-parts.ts'
import { contradictions, readPersistentVolume, readSecurity, readSettings } from './dev-settings.ts'
import { readForwards, readReverse } from './forward.ts'
import { legalNames } from './parts.ts'

type RawMember = ValueOf<typeof fields.dev>['value'][number]

/** `key`: the default name of the workload. */
const readWorkload = (raw: RawBase, key: Located<string> | undefined, whole: Placed): Checked<DevWorkload> => {
  const { name = key, selector } = raw
  if (selector !== undefined) {
    const found =
      raw.name === undefined
        ? []
        : [error('DT1515', 'name and selector exclude each other', { at: raw.name.at, path: raw.name.path })]
    return C.andThen((labels: DevContainer['labels']) => C.note<DevWorkload>({ _tag: 'Labelled', labels }, found))(
      labelsOf(selector),
    )
  }
  if (name === undefined) {
    return C.fail(error('DT1511', 'a service needs a name or a selector', { ...whole, help: 'name its workload' }))
  }
  if (name.value.includes('$') || /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(name.value)) {
    return C.ok({ _tag: 'Named', name })
  }
  const help = 'use lower-case letters, digits and -'
  return C.fail(error('DT1018', `"${name.value}" is not a valid workload name`, { at: name.at, path: name.path, help }))
}

const resolved = (written: Located<string>): Located<string> =>
  located(pathWritten(written.at, written.value), written.at, written.path)

const plainOf = ({ affinity, args, command, container, image, imagePullPolicy, tolerations, workdir }: RawBase) => ({
  ...defined({
    container,
    image,
    imagePullPolicy,
    command: ifDefined(command, commandOf),
    args: ifDefined(args, commandOf),
    workdir,
    affinity: affinity?.value,
    tolerations: tolerations?.value,
  }),
})

const readBase = (
  raw: RawBase,
  place: Placed,
  key: Located<string> | undefined,
  variables: Variables,
): Checked<DevBase> => {
  const parts = C.struct({
    workload: readWorkload(raw, key, place),
    environment: valuesOf(variables, raw.environment),
    folders: readFolders(raw.sync?.value.folders),
    resources: readResources(raw.resources),
    nodeSelector: labelsOf(raw.nodeSelector),
    labels: labelsOf(raw.metadata?.value.labels),
    annotations: labelsOf(raw.metadata?.value.annotations),
    replicas: optional(raw.replicas, inRange('replicas', 0, 1000)),
  })
  return C.map(
    (read: C.ValueIn<typeof parts>): DevBase => ({
      workload: read.workload ?? { _tag: 'Labelled', labels: [] },
      ...plainOf(raw),
      environment: read.environment ?? [],
      envFiles: (raw.envFiles?.value ?? []).map(resolved),
      folders: read.folders ?? [],
      resources: read.resources ?? { requests: [], limits: [] },
      nodeSelector: read.nodeSelector ?? [],
      labels: read.labels ?? [],
      annotations: read.annotations ?? [],
      ...defined({ replicas: read.replicas }),
      ...place,
    }),
  )(parts)
}

const withoutEffectInHybrid = [
  ...['affinity', 'externalVolumes', 'image', 'imagePullPolicy', 'lifecycle', 'nodeSelector', 'persistentVolume'],
  ...['priorityClassName', 'secrets', 'securityContext', 'serviceAccount', 'sync', 'tolerations', 'volumes'],
]

/** DT1508 for settings that hybrid mode does not use. */
const hybridFindings = ({ at, path, value }: Located<RawDev>): ReadonlyArray<Diagnostic> => {
  if (value.mode?.value !== 'hybrid' || at._tag !== 'Mapping') return []
  return at.entries
    .filter(({ key }) => withoutEffectInHybrid.includes(key.text))
    .map(({ key }) =>
      warning('DT1508', `${key.text} has no effect with mode: hybrid`, { at: key, path, help: 'remove it' }),
    )
}

/**
 * With neither folders nor a workdir, the manifest's folder is synchronised to the default path; with only a workdir,
 * to that path.
 */
const defaultFolders = ({ at, path, value }: Located<RawDev>): ReadonlyArray<SyncFolder> => {
  const { mode, sync, workdir } = value
  if (sync !== undefined || mode?.value === 'hybrid') return []
  return [{ local: at.source.folder, remote: workdir?.value ?? '/devtool', at: workdir?.at ?? at, path }]
}

const readServices = (raw: RawDev['services'], variables: Variables) =>
  C.each(({ at, path, value }: RawDevService) => readBase(value, { at, path }, undefined, variables))(raw?.value ?? [])

const readContainer =
  (variables: Variables) =>
  ({ key, value: written }: RawMember): Checked<DevContainer> => {
    const { path, value: raw } = written
    const parts = C.struct({
      base: readBase(raw, { at: key, path }, located(dnsLabel(key.text), key, path), variables),
      settings: readSettings(raw),
      volumes: readVolumes(raw.volumes),
      externalVolumes: readExternalVolumes(raw.externalVolumes),
      persistentVolume: readPersistentVolume(raw.persistentVolume),
      forward: readForwards(raw.forward, false),
      reverse: C.each(readReverse)(raw.reverse?.value ?? []),
      secrets: readSecrets(raw.secrets),
      securityContext: readSecurity(raw.securityContext),
      services: readServices(raw.services, variables),
    })
    return C.andThen((read: C.ValueIn<typeof parts>): Checked<DevContainer> => {
      const { base, persistentVolume, securityContext, settings } = read
      if (base === undefined || settings === undefined || persistentVolume === undefined) {
        return C.failBecause(C.findings(parts), error('DT1511', 'it cannot be read', { at: key, path }))
      }
      const container: DevContainer = {
        ...base,
        ...settings,
        name: key.text,
        folders: base.folders.length === 0 ? defaultFolders(written) : base.folders,
        volumes: read.volumes ?? [],
        externalVolumes: read.externalVolumes ?? [],
        persistentVolume,
        forward: read.forward ?? [],
        reverse: read.reverse ?? [],
        secrets: read.secrets ?? [],
        ...defined({ securityContext }),
        services: read.services ?? [],
      }
      return C.note(container, [...hybridFindings(written), ...contradictions(container, written)])
    })(parts)
  }

/** Finds DT1018, DT1019, DT1022, DT1028, DT1504, DT1509, DT1510, DT1511, DT1515; warns DT1103, DT1508. */
export const readDev = (
  raw: ValueOf<typeof fields.dev> | undefined,
  variables: Variables,
): Checked<ReadonlyArray<DevContainer>> => {
  if (raw === undefined) return C.ok([])
  const named = legalNames('dev', raw.value)
  const names = C.valueOf(named)
  return C.andThen((containers: ReadonlyArray<DevContainer>) =>
    C.note(
      containers.map((one) => ({ ...one, name: names?.get(one.path) ?? one.name })),
      C.findings(named),
    ),
  )(C.each(readContainer(variables))(raw.value))
}
