/**
 * Starts a run. The requesting member writes, in this order: the Job, suspended; the Secret with the values of its
 * variables and its access to the build service, owned by the Job; the record. A run exists once it has a record: the controller resumes Jobs with a
 * record, and deletes those that have had none for a while. Repeating the request completes whatever is missing.
 */
import type { JsonObject } from '../../cluster/json.ts'
import { apiVersionOf, resources } from '../../cluster/resources.ts'
import { defined, ifDefined } from '../../object/defined.ts'
import { encodeBase64Text } from '../../text/base64.ts'
import { sha256 } from '../../text/sha256.ts'
import {
  BUILDER_FOLDER,
  builderData,
  builderVolume,
  REGISTRY_FOLDER,
  type RunBuilder,
  registryVolume,
} from './build-access.ts'
import { gitData, gitVolume, withoutGitCredentials } from './git-credentials.ts'
import { RUN_CONTAINER } from './log.ts'
import { type RunAction, type RunRecord, type RunUser, runAnnotations, runLabels, runName } from './record.ts'
import { repositoryHost } from './repository.ts'

/** The ServiceAccount of runs in every namespace, bound to the role of members. */
export const RUNNER_ACCOUNT = 'devtool-runner'

/** `given`: values that the user entered. `shared`: the platform's current variables for all namespaces. */
type RunVariables = {
  readonly given: ReadonlyMap<string, string>
  readonly shared: ReadonlyMap<string, string>
}

export const DEFAULT_TIMEOUT_SECONDS = 300
export const MOST_TIMEOUT_SECONDS = 6 * 3600

/**
 * `isFork`: the repository is a fork, as far as is known. `repository`: absent for a destroy with the commands in the
 * environment's record. `now`: as the clock writes it; `nowMs`: the same, exactly. `builder`: absent for a platform
 * without a build service.
 */
export type RunRequest = {
  readonly id: string
  readonly action: RunAction
  readonly environment: string
  readonly namespace: string
  readonly who: RunUser
  readonly now: string
  readonly nowMs: number
  readonly timeoutSeconds: number
  readonly repository?: string
  readonly isFork?: boolean
  readonly branch?: string
  readonly file?: string
  readonly volumes?: boolean
  readonly variables?: RunVariables
  readonly builder?: RunBuilder
}

const ID_LENGTH = 16

/** The id for a request with an Idempotency-Key: the same for the same user and key. */
export const runIdOf = (namespace: string, user: string, key: string): string =>
  sha256(JSON.stringify([namespace, user, key])).slice(0, ID_LENGTH)

/** The id for a request without a key: 8 random bytes. */
export const randomRunId = (bytes: Uint8Array): string =>
  [...bytes.subarray(0, ID_LENGTH / 2)].map((byte) => byte.toString(16).padStart(2, '0')).join('')

export const isRunId = (text: string): boolean => /^[0-9a-f]{16}$/.test(text)

/** Time after the run's own timeout at which Kubernetes ends it, should both the run and the controller fail to. */
const SPARE_SECONDS = 60
/** How long the log can be read from the pod; afterwards it comes from the record. */
const KEPT_SECONDS = 600
const GRACE_SECONDS = 45

/** The folder that the containers of a run share. */
export const WORK_FOLDER = '/work'
export const VALUES_FOLDER = '/run/devtool/values'
export const VALUES_KEY = 'variables.json'
export const GIT_FOLDER = '/run/devtool/git'
const ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount'

export const queuedRun = (request: Omit<RunRequest, 'nowMs'>): RunRecord => {
  const { action, branch, environment, file, id, namespace, now, repository, timeoutSeconds, variables, who } = request
  return {
    id,
    action,
    status: 'queued',
    environment,
    namespace,
    who,
    created: now,
    timeoutSeconds,
    volumes: request.volumes === true,
    variables: [...(variables?.given.keys() ?? [])].toSorted(),
    ...defined({ repository, branch, file }),
  }
}

const security = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  readOnlyRootFilesystem: true,
}

/** Of the commands of a run. */
export const RUN_MEMORY = '1Gi'

const memory = (limit: string) => ({ requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: limit } })

const work = { name: 'work', mountPath: WORK_FOLDER }
const scratch = { name: 'tmp', mountPath: '/tmp' }

export const MOST_CLONE_SECONDS = 240

/** A destroy run does without the repository if need be, and needs time for that. */
const cloneSeconds = ({ action, timeoutSeconds }: RunRequest): number =>
  Math.min(MOST_CLONE_SECONDS, Math.ceil(action === 'destroy' ? timeoutSeconds / 2 : timeoutSeconds))

/** This container fetches untrusted files: it has no credentials for the cluster, and only this host's for git. */
const cloning = (image: string, request: RunRequest): JsonObject => ({
  name: 'clone',
  image,
  command: ['node', '/app/platform/runner.cjs', 'clone'],
  env: [
    { name: 'DEVTOOL_REPOSITORY', value: request.repository ?? '' },
    { name: 'DEVTOOL_BRANCH', value: request.branch ?? '' },
    { name: 'DEVTOOL_CLONE_SECONDS', value: String(cloneSeconds(request)) },
    ...(request.isFork === true ? [{ name: 'DEVTOOL_FORK', value: 'true' }] : []),
  ],
  resources: memory('512Mi'),
  securityContext: security,
  volumeMounts: [work, scratch, { name: 'git', mountPath: GIT_FOLDER, readOnly: true }],
})

/** Only a deploy builds images. */
const buildMounts = [
  { name: 'builder', mountPath: BUILDER_FOLDER, readOnly: true },
  { name: 'registry', mountPath: REGISTRY_FOLDER, readOnly: true },
]

const running = ({ domain, image, registry }: RunPrograms, { action, id, namespace }: RunRequest): JsonObject => ({
  name: RUN_CONTAINER,
  image,
  command: ['node', '/app/platform/runner.cjs', 'run'],
  env: [
    { name: 'DEVTOOL_RUN', value: id },
    { name: 'DEVTOOL_RUN_NAMESPACE', value: namespace },
    { name: 'DEVTOOL_DOMAIN', value: domain },
    { name: 'DEVTOOL_REGISTRY', value: registry },
  ],
  resources: memory(RUN_MEMORY),
  securityContext: security,
  volumeMounts: [
    work,
    scratch,
    { name: 'values', mountPath: VALUES_FOLDER, readOnly: true },
    { name: 'account', mountPath: ACCOUNT_FOLDER, readOnly: true },
    ...(action === 'deploy' ? buildMounts : []),
  ],
})

/** Like the kubelet's automatic mount, but in one container only. */
const account = {
  name: 'account',
  projected: {
    sources: [
      { serviceAccountToken: { path: 'token', expirationSeconds: 3600 } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      { downwardAPI: { items: [{ path: 'namespace', fieldRef: { fieldPath: 'metadata.namespace' } }] } },
    ],
  },
}

const valuesItems = [{ key: VALUES_KEY, path: VALUES_KEY }]

/** From the platform's settings. `image`: of its programs. `domain`, `registry`: for what runs deploy. */
export type RunPrograms = { readonly image: string; readonly domain: string; readonly registry: string }

const clonedBy = ({ isFork = false, repository }: RunRequest) =>
  repository === undefined || repositoryHost(repository) === undefined ? undefined : { repository, isFork }

export const runJob = (programs: RunPrograms, request: RunRequest): JsonObject => {
  const { action, environment, id, namespace, nowMs, timeoutSeconds } = request
  const labels = runLabels({ environment, id })
  const cloned = clonedBy(request)
  return {
    apiVersion: apiVersionOf(resources.Job),
    kind: 'Job',
    metadata: { name: runName(id), namespace, labels, annotations: runAnnotations(nowMs) },
    spec: {
      suspend: true,
      backoffLimit: 0,
      completions: 1,
      parallelism: 1,
      activeDeadlineSeconds: timeoutSeconds + SPARE_SECONDS,
      ttlSecondsAfterFinished: KEPT_SECONDS,
      template: {
        metadata: { labels },
        spec: {
          restartPolicy: 'Never',
          enableServiceLinks: false,
          automountServiceAccountToken: false,
          serviceAccountName: RUNNER_ACCOUNT,
          terminationGracePeriodSeconds: GRACE_SECONDS,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: 65532,
            runAsGroup: 65532,
            fsGroup: 65532,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          initContainers: cloned === undefined ? [] : [cloning(programs.image, request)],
          containers: [running(programs, request)],
          volumes: [
            { name: 'work', emptyDir: { sizeLimit: '2Gi' } },
            { name: 'tmp', emptyDir: { sizeLimit: '256Mi' } },
            { name: 'values', secret: { secretName: runName(id), optional: true, items: valuesItems } },
            account,
            ...(cloned === undefined ? [] : [gitVolume('git', cloned, runName(id))]),
            ...(action === 'deploy' ? [builderVolume('builder', runName(id)), registryVolume('registry')] : []),
          ],
        },
      },
    },
  }
}

const noVariables: RunVariables = { given: new Map(), shared: new Map() }

/** `job`: as it was created. `undefined` when it would be empty. */
export const runSecret = (request: RunRequest, job: { readonly uid: string }): JsonObject | undefined => {
  const { builder, environment, id, namespace, variables = noVariables } = request
  if (builder === undefined && variables.given.size + variables.shared.size === 0) return undefined
  const cloned = clonedBy(request)
  const valuesOf = (values: ReadonlyMap<string, string>) => Object.fromEntries(withoutGitCredentials(values))
  const values = { given: valuesOf(variables.given), shared: valuesOf(variables.shared) }
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'Opaque',
    metadata: {
      name: runName(id),
      namespace,
      labels: runLabels({ environment, id }),
      ownerReferences: [{ apiVersion: apiVersionOf(resources.Job), kind: 'Job', name: runName(id), uid: job.uid }],
    },
    data: {
      [VALUES_KEY]: encodeBase64Text(JSON.stringify(values)),
      ...ifDefined(cloned, (one) => gitData(one, variables)),
      ...ifDefined(builder, builderData),
    },
  }
}
