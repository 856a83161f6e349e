/**
 * The Kubernetes kinds we write, with the fields we set. `test/types` checks them against the API's own types. Mappings
 * with keys that the user chooses are Maps: a plain object would reorder `10` and `2` and lose `__proto__`.
 */

export type Strings = ReadonlyMap<string, string>

export type Metadata = {
  readonly name: string
  readonly namespace?: string
  readonly labels?: Strings
  readonly annotations?: Strings
}

type Kind<V extends string, K extends string, Body> = {
  readonly apiVersion: V
  readonly kind: K
  readonly metadata: Metadata
} & Body

export type EnvVar = { readonly name: string; readonly value: string }

export type Probe = {
  readonly exec?: { readonly command: ReadonlyArray<string> }
  readonly httpGet?: { readonly path: string; readonly port: number }
  readonly initialDelaySeconds?: number
  readonly periodSeconds: number
  readonly timeoutSeconds: number
  readonly failureThreshold: number
}

type Protocol = 'TCP' | 'UDP' | 'SCTP'

export type ContainerPort = {
  readonly containerPort: number
  readonly hostPort?: number
  readonly protocol: Protocol
}

export type VolumeMount = {
  readonly name: string
  readonly mountPath: string
  readonly subPath?: string
  readonly readOnly?: boolean
}

export type SecurityContext = {
  readonly allowPrivilegeEscalation?: boolean
  readonly appArmorProfile?: { readonly type: string; readonly localhostProfile?: string }
  readonly capabilities?: { readonly add?: ReadonlyArray<string>; readonly drop?: ReadonlyArray<string> }
  readonly privileged?: boolean
  readonly readOnlyRootFilesystem?: boolean
  readonly runAsGroup?: number
  readonly runAsNonRoot?: boolean
  readonly runAsUser?: number
  readonly seLinuxOptions?: {
    readonly user?: string
    readonly role?: string
    readonly type?: string
    readonly level?: string
  }
  readonly seccompProfile?: { readonly type: string }
}

type Handler = { readonly exec: { readonly command: ReadonlyArray<string> } }

export type Container = {
  readonly name: string
  readonly image: string
  readonly imagePullPolicy?: string
  readonly command?: ReadonlyArray<string>
  readonly args?: ReadonlyArray<string>
  readonly workingDir?: string
  readonly env?: ReadonlyArray<EnvVar>
  readonly ports?: ReadonlyArray<ContainerPort>
  readonly resources?: { readonly requests?: Strings; readonly limits?: Strings }
  readonly readinessProbe?: Probe
  readonly livenessProbe?: Probe
  readonly lifecycle?: { readonly postStart?: Handler; readonly preStop?: Handler }
  readonly securityContext?: SecurityContext
  readonly volumeMounts?: ReadonlyArray<VolumeMount>
  readonly stdin?: boolean
  readonly tty?: boolean
}

type KeyToPath = { readonly key: string; readonly path: string; readonly mode?: number }

export type PodVolume = {
  readonly name: string
  readonly persistentVolumeClaim?: { readonly claimName: string }
  readonly emptyDir?: { readonly medium?: string; readonly sizeLimit?: string }
  readonly configMap?: {
    readonly name: string
    readonly items?: ReadonlyArray<KeyToPath>
    readonly optional?: boolean
  }
  readonly secret?: { readonly secretName: string; readonly items?: ReadonlyArray<KeyToPath> }
  readonly image?: { readonly reference: string }
}

type Selector = { readonly matchLabels: Strings }

type NodeRequirement = {
  readonly key: string
  readonly operator: string
  readonly values?: ReadonlyArray<string>
}

type PodTerm = { readonly labelSelector: Selector; readonly topologyKey: string }

export type Affinity = {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution: {
      readonly nodeSelectorTerms: ReadonlyArray<{ readonly matchExpressions: ReadonlyArray<NodeRequirement> }>
    }
  }
  readonly podAffinity?: { readonly requiredDuringSchedulingIgnoredDuringExecution: ReadonlyArray<PodTerm> }
  readonly podAntiAffinity?: { readonly requiredDuringSchedulingIgnoredDuringExecution: ReadonlyArray<PodTerm> }
}

export type PodSpec = {
  readonly enableServiceLinks: boolean
  readonly automountServiceAccountToken: boolean
  readonly serviceAccountName?: string
  readonly restartPolicy?: string
  readonly terminationGracePeriodSeconds: number
  readonly hostname?: string
  readonly subdomain?: string
  readonly hostNetwork?: boolean
  readonly hostPID?: boolean
  readonly hostIPC?: boolean
  readonly dnsPolicy?: string
  readonly dnsConfig?: {
    readonly nameservers?: ReadonlyArray<string>
    readonly searches?: ReadonlyArray<string>
    readonly options?: ReadonlyArray<{ readonly name: string; readonly value?: string }>
  }
  readonly hostAliases?: ReadonlyArray<{ readonly ip: string; readonly hostnames: ReadonlyArray<string> }>
  readonly securityContext: {
    readonly fsGroup?: number
    readonly fsGroupChangePolicy?: string
    readonly seccompProfile: { readonly type: string }
    readonly supplementalGroups?: ReadonlyArray<number>
    readonly sysctls?: ReadonlyArray<{ readonly name: string; readonly value: string }>
  }
  readonly runtimeClassName?: string
  readonly nodeSelector?: Strings
  readonly affinity?: Affinity
  readonly topologySpreadConstraints?: ReadonlyArray<{
    readonly maxSkew: number
    readonly topologyKey: string
    readonly whenUnsatisfiable: string
    readonly labelSelector: Selector
  }>
  readonly initContainers?: ReadonlyArray<Container>
  readonly containers: ReadonlyArray<Container>
  readonly volumes?: ReadonlyArray<PodVolume>
}

export type PodTemplate = {
  readonly metadata: { readonly labels: Strings; readonly annotations?: Strings }
  readonly spec: PodSpec
}

export type ClaimSpec = {
  readonly accessModes: ReadonlyArray<string>
  readonly storageClassName?: string
  readonly resources: { readonly requests: Strings }
}

/** Numbers of pods, or percentages of them (`100%`). */
type RollingUpdate = { readonly maxSurge?: number | string; readonly maxUnavailable: number | string }

export type Deployment = Kind<
  'apps/v1',
  'Deployment',
  {
    readonly spec: {
      readonly replicas?: number
      readonly minReadySeconds?: number
      readonly selector: Selector
      readonly strategy?: {
        readonly type: 'Recreate' | 'RollingUpdate'
        readonly rollingUpdate?: RollingUpdate
      }
      readonly template: PodTemplate
    }
  }
>

export type StatefulSet = Kind<
  'apps/v1',
  'StatefulSet',
  {
    readonly spec: {
      readonly replicas?: number
      readonly minReadySeconds?: number
      readonly serviceName: string
      readonly podManagementPolicy: 'Parallel'
      readonly revisionHistoryLimit: number
      readonly persistentVolumeClaimRetentionPolicy: { readonly whenDeleted: 'Retain'; readonly whenScaled: 'Retain' }
      readonly updateStrategy?: { readonly type: 'RollingUpdate' | 'OnDelete' }
      readonly selector: Selector
      readonly template: PodTemplate
      readonly volumeClaimTemplates?: ReadonlyArray<{
        readonly metadata: { readonly name: string; readonly labels: Strings }
        readonly spec: ClaimSpec
      }>
    }
  }
>

export type DaemonSet = Kind<
  'apps/v1',
  'DaemonSet',
  {
    readonly spec: {
      readonly minReadySeconds?: number
      readonly selector: Selector
      readonly updateStrategy?: { readonly type: 'RollingUpdate'; readonly rollingUpdate?: RollingUpdate }
      readonly template: PodTemplate
    }
  }
>

export type Job = Kind<
  'batch/v1',
  'Job',
  {
    readonly spec: {
      readonly backoffLimit: number
      readonly completions?: number
      readonly parallelism?: number
      readonly template: PodTemplate
    }
  }
>

export type ServicePort = {
  readonly name: string
  readonly port: number
  readonly targetPort: number
  readonly protocol: Protocol
  readonly appProtocol?: string
}

export type Service = Kind<
  'v1',
  'Service',
  {
    readonly spec: {
      readonly clusterIP?: 'None'
      readonly publishNotReadyAddresses?: boolean
      readonly selector: Strings
      readonly ports?: ReadonlyArray<ServicePort>
    }
  }
>

type HttpPath = {
  readonly path: string
  readonly pathType: 'Prefix'
  readonly backend: { readonly service: { readonly name: string; readonly port: { readonly number: number } } }
}

export type Ingress = Kind<
  'networking.k8s.io/v1',
  'Ingress',
  {
    readonly spec: {
      readonly ingressClassName?: string
      readonly tls?: ReadonlyArray<{ readonly hosts: ReadonlyArray<string>; readonly secretName?: string }>
      readonly rules: ReadonlyArray<{
        readonly host: string
        readonly http: { readonly paths: ReadonlyArray<HttpPath> }
      }>
    }
  }
>

export type PersistentVolumeClaim = Kind<'v1', 'PersistentVolumeClaim', { readonly spec: ClaimSpec }>
export type ConfigMap = Kind<'v1', 'ConfigMap', { readonly data?: Strings; readonly binaryData?: Strings }>
export type Secret = Kind<'v1', 'Secret', { readonly type: 'Opaque' | 'kubernetes.io/tls'; readonly data: Strings }>

export type Workload = Deployment | StatefulSet | DaemonSet | Job
export type KubeObject = Workload | Service | Ingress | PersistentVolumeClaim | ConfigMap | Secret
