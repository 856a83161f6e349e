/**
 * What a Compose project means: every notation in one form, every Compose default filled in, every reference resolved.
 * Values keep the place they were written at. Translation reads nothing else.
 */
import type { Image } from '../build/image.ts'
import type { Span } from '../text/source.ts'
import type { Written } from '../text/written.ts'
import type { Annotation } from './annotation.ts'
import type { HostConfig, HostMount, Mount, StoredFile, Volume } from './volume-model.ts'

export type { Written } from '../text/written.ts'

export type Model = {
  readonly environment: string
  /** All services of the environment, in file order: what they share depends on every one of them. */
  readonly services: ReadonlyArray<ComposeService>
  /** Object names of the services to deploy; absent when all are deployed. */
  readonly part?: ReadonlySet<string>
  /** Images of the services to deploy, and those they are built on, in file order. */
  readonly images: ReadonlyArray<Image>
  /** Object names of the services that are outside the active profiles. */
  readonly switchedOff: ReadonlyArray<string>
  /** Object names of all services of the files. */
  readonly declared: ReadonlyArray<string>
  /** Volumes that some service mounts. */
  readonly volumes: ReadonlyArray<Volume>
  /** Configs that some service to deploy mounts; `secrets` likewise. */
  readonly configs: ReadonlyArray<StoredFile>
  readonly secrets: ReadonlyArray<StoredFile>
  readonly endpoints: ReadonlyArray<Endpoint>
}

export type ComposeService = {
  /** Name in the Compose file. */
  readonly name: string
  /** Name of its objects: a DNS label. */
  readonly object: string
  readonly at: Span
  readonly path: string
  readonly image: Written<string>
  readonly pullPolicy?: Written<'Always' | 'IfNotPresent' | 'Never'>
  /** ENTRYPOINT and CMD as lists of words. */
  readonly entrypoint?: Written<ReadonlyArray<string>>
  readonly command?: Written<ReadonlyArray<string>>
  readonly workingDir?: Written<string>
  readonly stdin?: Written<boolean>
  readonly tty?: Written<boolean>
  /** In order, each name once; `environment` overrides `env_file`. */
  readonly environment: ReadonlyArray<ServiceVariable>
  readonly kind: WorkloadKind
  /** Places of values that decide about the workload without being part of it, such as profiles and env files. */
  readonly decides?: ReadonlyArray<Span>
  /** `network_mode: service:…`: the Compose name of the enabled service whose pod it joins, with its own container. */
  readonly podOf?: Written<string>
  /** Set only when the file sets scale or replicas. */
  readonly replicas?: Written<number>
  /** Each (target, protocol) once: from `ports`, `expose`, and inferred. */
  readonly ports: ReadonlyArray<Port>
  /** `deploy.endpoint_mode: dnsrr`. */
  readonly headless?: Written<true>
  readonly dependsOn: ReadonlyArray<ServiceDependency>
  /** `undefined`: none, or disabled. */
  readonly healthcheck?: Healthcheck
  /** Its health check reaches it by the name of its own Service. */
  readonly checksItself?: Written<true>
  /** Compose `labels` and `annotations`: for the workload, its pods, its Services and the Ingress of its `ports`. */
  readonly annotations: ReadonlyArray<Annotation>
  /** `dev.devtool/*` labels and `deploy.labels`: for the workload only. */
  readonly workloadAnnotations: ReadonlyArray<Annotation>
  readonly update?: Written<'rolling' | 'recreate' | 'on-delete'>
  readonly updateConfig: UpdateConfig
  readonly resources: Resources
  readonly graceSeconds?: Written<number>
  readonly mounts: ReadonlyArray<Mount>
  /** Of this machine: not mounted in a cluster. */
  readonly hostMounts: ReadonlyArray<HostMount>
  /** The files of this machine that it mounts all the same. */
  readonly hostConfig?: HostConfig
  readonly placement: Placement
  readonly security: Security
  readonly network: ServiceNetwork
  readonly hooks: Hooks
  readonly preStart: ReadonlyArray<PreStart>
}

export type ServiceVariable = {
  readonly name: string
  readonly value: string
  readonly at: Span
  readonly path: string
}

/** `attempts` is absent for a Job that retries forever (`on-failure`), and 0 for one that runs once. */
export type WorkloadKind =
  | { readonly _tag: 'Deployment'; readonly at: Span }
  | { readonly _tag: 'StatefulSet'; readonly at: Span }
  | { readonly _tag: 'DaemonSet'; readonly at: Span }
  | {
      readonly _tag: 'Job'
      readonly restart: 'Never' | 'OnFailure'
      readonly attempts?: number
      readonly at: Span
    }

/**
 * A port of the container. `published`: further ports that other services may use; `isPublic`: an Ingress routes to it;
 * `hostPort`: bound on the node; `isMentioned`: known only because another service refers to it.
 */
export type Port = {
  readonly target: number
  readonly protocol: 'TCP' | 'UDP' | 'SCTP'
  readonly published: ReadonlyArray<number>
  readonly isPublic: boolean
  readonly isMentioned?: true
  /** Published for others, but its kind is never public through `ports`. */
  readonly isKeptPrivate?: true
  readonly hostPort?: number
  readonly name?: string
  readonly appProtocol?: string
  readonly at: Span
  /** Other places that list it. */
  readonly also?: ReadonlyArray<Span>
}

export type Condition = 'service_started' | 'service_healthy' | 'service_completed_successfully'
/** `service` is the Compose name of an enabled service. */
export type ServiceDependency = {
  readonly service: string
  readonly condition: Condition
  readonly at: Span
  readonly path: string
}

export type HealthTest =
  | { readonly _tag: 'Exec'; readonly command: ReadonlyArray<string> }
  | { readonly _tag: 'Http'; readonly path: string; readonly port: number }
/** Whole seconds, at least 1. At least one of `readiness` and `liveness` is set. */
export type Healthcheck = {
  readonly at: Span
  readonly check: HealthTest
  readonly readiness: boolean
  readonly liveness: boolean
  readonly periodSeconds: number
  readonly timeoutSeconds: number
  readonly failureThreshold: number
  readonly initialDelaySeconds?: number
  /** Where these were written; absent for defaults. */
  readonly places?: Readonly<Partial<Record<Exclude<keyof Healthcheck, 'at' | 'places'>, Span>>>
}

/** `rolling`: Kubernetes' defaults apply to absent values. */
export type UpdateConfig = {
  readonly at?: Span
  readonly order?: 'start-first' | 'stop-first'
  readonly parallelism?: number
  readonly minReadySeconds?: number
}

/** Kubernetes quantities. `gpu` is an extended resource such as `nvidia.com/gpu`. */
export type Resources = {
  readonly requests: { readonly cpu?: Written<string>; readonly memory?: Written<string> }
  readonly limits: { readonly cpu?: Written<string>; readonly memory?: Written<string> }
  readonly gpu?: Written<{ readonly name: string; readonly count: number }>
}

/** Requirements for a node: `nodeSelector` entries, and expressions for what those cannot express. */
export type Placement = {
  readonly nodeSelector: ReadonlyArray<Annotation>
  readonly expressions: ReadonlyArray<{
    readonly key: string
    readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'
    readonly values?: ReadonlyArray<string>
    readonly at: Span
  }>
  readonly spread: ReadonlyArray<Written<string>>
  /** A RuntimeClass, which the cluster must have. */
  readonly runtimeClass?: Written<string>
  /** At most one replica on a node. */
  readonly onePerNode?: Written<true>
}

export type Security = {
  readonly runAsUser?: Written<number>
  readonly runAsGroup?: Written<number>
  readonly supplementalGroups?: Written<ReadonlyArray<number>>
  readonly capAdd?: Written<ReadonlyArray<string>>
  readonly capDrop?: Written<ReadonlyArray<string>>
  readonly privileged?: Written<boolean>
  readonly readOnlyRootFilesystem?: Written<boolean>
  readonly allowPrivilegeEscalation?: Written<boolean>
  readonly seccompUnconfined?: Written<true>
  readonly appArmor?: Written<{
    readonly type: 'Unconfined' | 'Localhost' | 'RuntimeDefault'
    readonly profile?: string
  }>
  readonly seLinux?: Written<{
    readonly user?: string
    readonly role?: string
    readonly type?: string
    readonly level?: string
  }>
  readonly sysctls: ReadonlyArray<Annotation>
}

export type ServiceNetwork = {
  readonly hostname?: Written<string>
  readonly subdomain?: Written<string>
  readonly hostNetwork?: Written<true>
  readonly hostPid?: Written<true>
  readonly hostIpc?: Written<true>
  readonly hostAliases: ReadonlyArray<{
    readonly ip: string
    readonly hostnames: ReadonlyArray<string>
    readonly at: Span
    readonly also?: ReadonlyArray<Span>
  }>
  readonly nameservers?: Written<ReadonlyArray<string>>
  readonly searches?: Written<ReadonlyArray<string>>
  readonly options?: Written<ReadonlyArray<{ readonly name: string; readonly value?: string }>>
  /** Additional names of the service: DNS labels. */
  readonly aliases: ReadonlyArray<Alias>
}

/**
 * `networks`: those on which the service has this name; what `links` adds is known to the linking service only. `old`:
 * the written name, when it is not a DNS label.
 */
export type Alias = Written<string> & { readonly networks: ReadonlyArray<string>; readonly old?: ReadonlyArray<string> }

/** A step before the container. Absent fields are as in the container of its service. */
export type PreStart = Pick<ComposeService, 'command' | 'entrypoint' | 'environment' | 'pullPolicy' | 'workingDir'> & {
  readonly image?: Written<string>
  readonly security: Partial<Security>
  readonly at: Span
}

export type Hooks = {
  readonly postStart?: Written<ReadonlyArray<string>>
  readonly preStop?: Written<ReadonlyArray<string>>
}

/** One host: `<key>-<namespace>.<domain>`; in the list and object notations the key is the environment's name. */
export type Endpoint = {
  readonly key: string
  readonly object: string
  readonly annotations: ReadonlyArray<Annotation>
  readonly rules: ReadonlyArray<EndpointRule>
  readonly at: Span
}
/** `service` is a Compose name; `port` one of its ports, by target or published number. */
export type EndpointRule = {
  readonly path: string
  readonly service: string
  readonly port: number
  readonly at: Span
}
