/** What the sections `dev` and `forward` mean. They are not deployed: `up` uses them. */
import type { Written } from '../compose/model.ts'
import type { SyncMode } from '../sync/act.ts'
import type { NamedValue, Placed } from '../text/written.ts'
import type { Node } from '../yaml/node.ts'

/** A string for a shell, or words that are run as they are. */
export type DevCommand =
  | { readonly _tag: 'Shell'; readonly text: string }
  | { readonly _tag: 'Words'; readonly words: ReadonlyArray<string> }

/** The workload to develop: by name, or by labels that only one workload has. */
export type DevWorkload =
  | { readonly _tag: 'Named'; readonly name: Written<string> }
  | { readonly _tag: 'Labelled'; readonly labels: ReadonlyArray<NamedValue> }

/** Settings shared by a development container and the services beside it. */
export type DevBase = Placed & {
  readonly workload: DevWorkload
  readonly container?: Written<string>
  readonly image?: Written<string>
  readonly imagePullPolicy?: Written<'Always' | 'IfNotPresent' | 'Never'>
  readonly command?: Written<DevCommand>
  readonly args?: Written<DevCommand>
  readonly workdir?: Written<string>
  readonly environment: ReadonlyArray<NamedValue>
  readonly envFiles: ReadonlyArray<Written<string>>
  readonly folders: ReadonlyArray<SyncFolder>
  readonly resources: DevResources
  readonly nodeSelector: ReadonlyArray<NamedValue>
  /** In Kubernetes' own notation, as written. */
  readonly affinity?: Node
  readonly tolerations?: Node
  readonly labels: ReadonlyArray<NamedValue>
  readonly annotations: ReadonlyArray<NamedValue>
  readonly replicas?: Written<number>
}

export type DevContainer = DevBase & {
  /** The key in `dev`, by which commands refer to it. */
  readonly name: string
  readonly mode: 'sync' | 'hybrid'
  readonly autocreate: boolean
  /** Remote paths that are kept when the container is replaced. */
  readonly volumes: ReadonlyArray<Written<string>>
  readonly externalVolumes: ReadonlyArray<ExternalVolume>
  readonly persistentVolume: PersistentVolume
  readonly forward: ReadonlyArray<DevForward>
  readonly reverse: ReadonlyArray<Reverse>
  /** The address that forwarded ports listen on. */
  readonly interface: string
  /** Local port of the SSH server; absent means any free one. */
  readonly remote?: Written<number>
  readonly sshServerPort: number
  readonly secrets: ReadonlyArray<DevSecret>
  readonly securityContext?: DevSecurityContext
  readonly serviceAccount?: Written<string>
  readonly priorityClassName?: Written<string>
  readonly probes: { readonly liveness: boolean; readonly readiness: boolean; readonly startup: boolean }
  readonly lifecycle: { readonly postStart: Hook; readonly preStop: Hook }
  readonly initContainer: { readonly image?: Written<string>; readonly resources: DevResources }
  /** Until its pods are ready. */
  readonly timeoutSeconds: number
  readonly services: ReadonlyArray<DevBase>
}

/**
 * A local folder, or a file of a Compose service, and the absolute remote path it is synchronised to; both ways without
 * `mode`.
 */
export type SyncFolder = Placed & { readonly local: string; readonly remote: string; readonly mode?: SyncMode }

export type ExternalVolume = Placed & { readonly claim: string; readonly subPath?: string; readonly target: string }

export type PersistentVolume = {
  readonly enabled: boolean
  readonly size?: Written<string>
  readonly storageClass?: Written<string>
  readonly accessMode: string
  readonly volumeMode: string
  readonly labels: ReadonlyArray<NamedValue>
  readonly annotations: ReadonlyArray<NamedValue>
}

/** Forwards a local port to a port of the container, of a Service, or of the workload with these labels. */
export type DevForward = Placed & {
  readonly local: number
  readonly remote: number
  readonly service?: string
  readonly labels?: ReadonlyArray<NamedValue>
}

/** Forwards a port of the container to a local one. */
export type Reverse = Placed & { readonly remote: number; readonly local: number }

/** `mode` is the number itself: 0o644 is 420. */
export type DevSecret = Placed & { readonly local: string; readonly remote: string; readonly mode: number }

export type DevSecurityContext = {
  readonly runAsUser?: Written<number>
  readonly runAsGroup?: Written<number>
  readonly fsGroup?: Written<number>
  readonly runAsNonRoot?: Written<boolean>
  readonly allowPrivilegeEscalation?: Written<boolean>
  readonly readOnlyRootFilesystem?: Written<boolean>
  readonly add: ReadonlyArray<Written<string>>
  readonly drop: ReadonlyArray<Written<string>>
}

/** Kubernetes quantities by resource name. */
export type DevResources = {
  readonly requests: ReadonlyArray<NamedValue>
  readonly limits: ReadonlyArray<NamedValue>
}

export type Hook = { readonly enabled: boolean; readonly command?: Written<DevCommand> }
