/**
 * How a development container is run: ports, permissions, probes, timeouts; and settings that contradict each other.
 */

import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts'
import { defined, ifDefined } from '../../object/defined.ts'
import { labelsOf } from '../../shape/named-values.ts'
import { inRange, optional } from '../../shape/parse.ts'
import type { Located } from '../../shape/shape.ts'
import type { DevContainer, DevSecurityContext, Hook, PersistentVolume } from '../dev-model.ts'
import { commandOf, type RawDev, readResources } from './dev-parts.ts'
import { quantityOf, readTimeout } from './parts.ts'

export const readPersistentVolume = (raw: RawDev['persistentVolume']): Checked<PersistentVolume> => {
  const { accessMode, annotations, enabled, labels, size, storageClass, volumeMode } = raw?.value ?? {}
  const parts = C.struct({
    size: optional(size, quantityOf),
    labels: labelsOf(labels),
    annotations: labelsOf(annotations),
  })
  return C.map(
    (read: C.ValueIn<typeof parts>): PersistentVolume => ({
      enabled: enabled?.value ?? true,
      ...defined({ size: read.size, storageClass }),
      accessMode: accessMode?.value ?? 'ReadWriteOnce',
      volumeMode: volumeMode?.value ?? 'Filesystem',
      labels: read.labels ?? [],
      annotations: read.annotations ?? [],
    }),
  )(parts)
}

const readId = (id: Located<number> | undefined) => optional(id, inRange('an id', 0, 2 ** 31 - 1))

export const readSecurity = (raw: RawDev['securityContext']): Checked<DevSecurityContext | undefined> => {
  if (raw === undefined) return C.ok(undefined)
  const { allowPrivilegeEscalation, capabilities, readOnlyRootFilesystem, runAsNonRoot } = raw.value
  const ids = C.struct({
    runAsUser: readId(raw.value.runAsUser),
    runAsGroup: readId(raw.value.runAsGroup),
    fsGroup: readId(raw.value.fsGroup),
  })
  const root = raw.value.runAsUser
  const found =
    root?.value === 0 && runAsNonRoot?.value === true
      ? [error('DT1515', 'runAsUser 0 is root, which runAsNonRoot forbids', { at: root.at, path: root.path })]
      : []
  return C.andThen((read: C.ValueIn<typeof ids>) =>
    C.note<DevSecurityContext>(
      {
        ...read,
        ...defined({ runAsNonRoot, allowPrivilegeEscalation, readOnlyRootFilesystem }),
        add: capabilities?.value.add?.value ?? [],
        drop: capabilities?.value.drop?.value ?? [],
      },
      found,
    ),
  )(ids)
}

type RawHook = NonNullable<NonNullable<RawDev['lifecycle']>['value']['postStart']>

const hookOf = (raw: RawHook | undefined): Hook => {
  const { command, enabled } = raw?.value ?? {}
  return {
    enabled: enabled?.value ?? command !== undefined,
    ...defined({ command: ifDefined(command, commandOf) }),
  }
}

type Settings = Pick<
  DevContainer,
  | 'mode'
  | 'autocreate'
  | 'interface'
  | 'remote'
  | 'sshServerPort'
  | 'serviceAccount'
  | 'priorityClassName'
  | 'probes'
  | 'lifecycle'
  | 'initContainer'
  | 'timeoutSeconds'
>

const port = inRange('a port', 1, 65_535)

export const readSettings = (raw: RawDev): Checked<Settings> => {
  const { autocreate, initContainer, lifecycle, mode, priorityClassName, probes, serviceAccount, timeout } = raw
  const parts = C.struct({
    remote: optional(raw.remote, port),
    sshServerPort: optional(raw.sshServerPort, port),
    pods: optional(timeout?.value.resources, readTimeout),
    resources: readResources(initContainer?.value.resources),
  })
  return C.map((read: C.ValueIn<typeof parts>): Settings => {
    const image = initContainer?.value.image
    return {
      mode: mode?.value ?? 'sync',
      autocreate: autocreate?.value ?? false,
      interface: raw.interface?.value ?? 'localhost',
      ...defined({ remote: read.remote }),
      sshServerPort: read.sshServerPort?.value ?? 2222,
      ...defined({ serviceAccount, priorityClassName }),
      probes: {
        liveness: probes?.value.liveness?.value ?? false,
        readiness: probes?.value.readiness?.value ?? false,
        startup: probes?.value.startup?.value ?? false,
      },
      lifecycle: { postStart: hookOf(lifecycle?.value.postStart), preStop: hookOf(lifecycle?.value.preStop) },
      initContainer: {
        ...defined({ image }),
        resources: read.resources ?? { requests: [], limits: [] },
      },
      timeoutSeconds: (read.pods?.value ?? 120_000) / 1000,
    }
  })(parts)
}

/** `.` is the manifest's folder, which contains all relative paths. */
const isBelow = (folder: string, other: string): boolean =>
  folder !== other && (other === '.' ? !/^(?:\.\.|\/|[A-Za-z]:)/.test(folder) : folder.startsWith(`${other}/`))

/**
 * Finds DT1515: settings that require the persistent volume without it, and folders of a service that are not
 * synchronised.
 */
export const contradictions = (container: DevContainer, { value: raw }: Located<RawDev>): ReadonlyArray<Diagnostic> => {
  const { folders, persistentVolume, services } = container
  const local = folders.map((folder) => folder.local)
  const disabled = raw.persistentVolume?.value.enabled
  const needs = [
    ...(raw.services === undefined ? [] : [raw.services]),
    ...(raw.volumes === undefined ? [] : [raw.volumes]),
    ...folders.filter((folder) => local.some((other) => isBelow(folder.local, other))),
  ]
  return [
    ...(persistentVolume.enabled
      ? []
      : needs.map(({ at, path }) =>
          error('DT1515', 'this needs the persistent volume, which is disabled', {
            at,
            path,
            help: 'remove it, or remove enabled: false under persistentVolume',
            ...defined({ related: disabled && [{ at: disabled.at, message: 'switched off here' }] }),
          }),
        )),
    ...services
      .flatMap((service) => service.folders)
      .filter((folder) => !local.some((other) => other === folder.local || isBelow(folder.local, other)))
      .map(({ at, local: missing, path }) =>
        error('DT1515', `${missing} is not in any folder of the development container`, {
          at,
          path,
          help: 'synchronize it there too: the service shares that volume',
        }),
      ),
  ]
}
