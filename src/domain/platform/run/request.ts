/**
 * What starts a run. The member who wants it writes, in this order: the Job, suspended; the Secret with the values of
 * its variables, which goes with the Job; the record. Only the record makes it a run: the controller resumes Jobs that have one,
 * and deletes those that have had none for a while. The same request again finds what is there, and completes it.
 */
import type { JsonObject } from '../../cluster/json.ts'
import { apiVersionOf, resources } from '../../cluster/resources.ts'
import { defined } from '../../object/defined.ts'
import { encodeBase64Text } from '../../text/base64.ts'
import { sha256 } from '../../text/sha256.ts'
import { VARIABLES_SECRET } from '../variables.ts'
import { RUN_CONTAINER } from './log.ts'
import { type RunAction, type RunRecord, type RunUser, runLabels, runName } from './record.ts'
import { GIT_AUTHORITY_VARIABLE, gitTokenVariable, repositoryHost } from './repository.ts'

/** The ServiceAccount of runs in every namespace, bound to the role of members. */
export const RUNNER_ACCOUNT = 'devtool-runner'

/** `given`: values that the user gave. `shared`: those of the platform for all namespaces, as they are now. */
export type RunVariables = {
  readonly given: ReadonlyMap<string, string>
  readonly shared: ReadonlyMap<string, string>
}

/** `repository`: absent for a destroy with the commands that the environment's record kept. `now`: as the clock writes it. */
export type RunRequest = {
  readonly id: string
  readonly action: RunAction
  readonly environment: string
  readonly namespace: string
  readonly who: RunUser
  readonly now: string
  readonly timeoutSeconds: number
  readonly repository?: string
  readonly branch?: string
  readonly file?: string
  readonly volumes?: boolean
  readonly variables?: RunVariables
}

const ID_LENGTH = 16

/** Of a request with an Idempotency-Key: the same for the same user and key. */
export const runIdOf = (namespace: string, user: string, key: string): string =>
  sha256(JSON.stringify([namespace, user, key])).slice(0, ID_LENGTH)

/** Of a request without one: 8 random bytes. */
export const randomRunId = (bytes: Uint8Array): string =>
  [...bytes.subarray(0, ID_LENGTH / 2)].map((byte) => byte.toString(16).padStart(2, '0')).join('')

export const isRunId = (text: string): boolean => /^[0-9a-f]{16}$/.test(text)

export const DEFAULT_TIMEOUT_SECONDS = 300
export const MOST_TIMEOUT_SECONDS = 6 * 3600

/** Kubernetes ends what the run itself and the controller have not. */
const SPARE_SECONDS = 60
/** How long the log can still be read from the pod; then it comes from the record. */
const KEPT_SECONDS = 600
const GRACE_SECONDS = 45

/** Where the parts of a run find each other. */
export const WORK_FOLDER = '/work'
export const VALUES_FOLDER = '/run/devtool/values'
export const VALUES_KEY = 'variables.json'
export const GIT_FOLDER = '/run/devtool/git'
const ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount'

export const queuedRun = (request: RunRequest): RunRecord => {
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

const memory = (limit: string) => ({ requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: limit } })

const work = { name: 'work', mountPath: WORK_FOLDER }
const scratch = { name: 'tmp', mountPath: '/tmp' }

/** It fetches what a stranger wrote: it has no credentials for the cluster, and of the git ones those of this host. */
const cloning = (image: string, { branch = '', repository = '' }: RunRequest): JsonObject => ({
  name: 'clone',
  image,
  command: ['node', '/app/platform/runner.cjs', 'clone'],
  env: [
    { name: 'DEVTOOL_REPOSITORY', value: repository },
    { name: 'DEVTOOL_BRANCH', value: branch },
  ],
  resources: memory('512Mi'),
  securityContext: security,
  volumeMounts: [work, scratch, { name: 'git', mountPath: GIT_FOLDER, readOnly: true }],
})

const running = (image: string, { id, namespace }: RunRequest): JsonObject => ({
  name: RUN_CONTAINER,
  image,
  command: ['node', '/app/platform/runner.cjs', 'run'],
  env: [
    { name: 'DEVTOOL_RUN', value: id },
    { name: 'DEVTOOL_RUN_NAMESPACE', value: namespace },
  ],
  resources: memory('1Gi'),
  securityContext: security,
  volumeMounts: [
    work,
    scratch,
    { name: 'values', mountPath: VALUES_FOLDER, readOnly: true },
    { name: 'account', mountPath: ACCOUNT_FOLDER, readOnly: true },
  ],
})

/** As the kubelet mounts it by itself, but into one container only. */
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

/** Of the variables of the namespace only those. Whatever is not set is not there. */
const gitVolume = (host: string): JsonObject => ({
  name: 'git',
  secret: {
    secretName: VARIABLES_SECRET,
    optional: true,
    items: [
      { key: gitTokenVariable(host), path: 'token' },
      { key: GIT_AUTHORITY_VARIABLE, path: 'ca.crt' },
    ],
  },
})

/** `image`: of the platform's programs. */
export const runJob = (image: string, request: RunRequest): JsonObject => {
  const { environment, id, namespace, repository, timeoutSeconds } = request
  const labels = runLabels({ environment, id })
  const host = repository === undefined ? undefined : repositoryHost(repository)
  return {
    apiVersion: apiVersionOf(resources.Job),
    kind: 'Job',
    metadata: { name: runName(id), namespace, labels },
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
          initContainers: host === undefined ? [] : [cloning(image, request)],
          containers: [running(image, request)],
          volumes: [
            { name: 'work', emptyDir: { sizeLimit: '2Gi' } },
            { name: 'tmp', emptyDir: { sizeLimit: '256Mi' } },
            { name: 'values', secret: { secretName: runName(id), optional: true } },
            account,
            ...(host === undefined ? [] : [gitVolume(host)]),
          ],
        },
      },
    },
  }
}

/** `job`: as it was created. `undefined` when there are no values. */
export const runSecret = (
  { environment, id, namespace, variables }: RunRequest,
  job: { readonly uid: string },
): JsonObject | undefined => {
  if (variables === undefined || variables.given.size + variables.shared.size === 0) return undefined
  const values = { given: Object.fromEntries(variables.given), shared: Object.fromEntries(variables.shared) }
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
    data: { [VALUES_KEY]: encodeBase64Text(JSON.stringify(values)) },
  }
}
