/**
 * The pod of a development container: a container that installs the agent into a folder shared with the developed one,
 * whose first process becomes the agent. The installing container comes first and does it in `postStart`: kubelets wait
 * for that before they start the next one, and it is a second or two faster than an init container.
 */
import { at, isObject, type Json, type JsonObject, listAt, numberAt, textAt } from '../cluster/json.ts'
import { defined } from '../object/defined.ts'
import { mountedKeys } from './keys.ts'

/**
 * `image`: of Node for Debian. `files` is the ConfigMap with what the agent is made of, `keys` the Secret of its keys.
 */
export type AgentSettings = {
  readonly image: string
  readonly files: string
  readonly keys: string
  /** A port of the pod, on loopback. */
  readonly port: number
  /** Resources of the container that installs the agent, instead of the default ones. */
  readonly resources?: JsonObject
  /** Probes and hooks of the developed container that stay. */
  readonly keeps?: ReadonlyArray<string>
}

/**
 * The agent's programs are edited to find their loader in this folder, and the edited field has no room for a longer
 * path.
 */
export const agentFolder = '/var/devtool'
export const keysFolder = '/var/devtool-keys'
/** Where the container that installs the agent finds its files. */
export const bootFolder = '/var/devtool-boot'

export const installerName = 'devtool-agent'
export const fillerName = `${installerName}-fill`

export const isAgentContainer = (container: string): boolean => container === installerName || container === fillerName
const volumes = { agent: 'devtool', boot: 'devtool-boot', keys: 'devtool-keys' } as const
const defaultPort = 2222

const fillFolder = '/var/devtool-fill'

/** An interrupted copy leaves a marker file and starts again. pid1.sh waits for the last file: copied once a pod. */
const FILL = `
  const { cpSync, existsSync, readdirSync, rmSync, writeFileSync } = require('fs')
  const filled = '${agentFolder}/filled'
  if (existsSync(filled)) process.exit()
  for (let rest = process.argv.slice(1); rest.length > 0; rest = rest.slice(2)) {
    const [from, to] = rest
    const mark = to + '/.devtool-filling'
    if (!existsSync(from) || (readdirSync(to).length > 0 && !existsSync(mark))) continue
    writeFileSync(mark, '')
    cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
    rmSync(mark)
  }
  writeFileSync(filled, '')`

/** The image may have no `sleep`. Nobody writes to its standard input; where it is closed, Node waits. */
const REST = `trap 'exit 0' TERM; while read -r _; do :; done
  exec ${agentFolder}/node -e 'process.once("SIGTERM", () => process.exit()); setInterval(() => {}, 1e9)'`

/** The user when the developed container sets none: any but root, which Pod Security `restricted` forbids. */
const unprivileged = 65_532

const userOf = (pod: JsonObject, container: JsonObject): number =>
  numberAt(container, 'securityContext', 'runAsUser') ?? numberAt(pod, 'securityContext', 'runAsUser') ?? unprivileged

const STORAGE = 'ephemeral-storage'

/** The kubelet evicts a pod whose files, with those in its volumes, exceed the limits of those containers that have one. */
const isBounded = (pod: JsonObject): boolean =>
  listAt(pod, 'containers').every((container) => at(container, 'resources', 'limits', STORAGE) !== undefined)

const usual = (pod: JsonObject): JsonObject => ({
  requests: { cpu: '10m', memory: '64Mi', [STORAGE]: '200Mi' },
  limits: { memory: '256Mi', ...(isBounded(pod) ? { [STORAGE]: '500Mi' } : {}) },
})

/** The smallest container that Pod Security `restricted`, quotas and limit ranges accept. */
const installer = (pod: JsonObject, container: JsonObject, { image, resources }: AgentSettings): JsonObject => ({
  name: installerName,
  image,
  imagePullPolicy: 'IfNotPresent',
  // A `sleep` as the first process would ignore SIGTERM.
  command: ['sh', '-c', 'trap "exit 0" TERM; while :; do sleep 3600 & wait "$!"; done'],
  lifecycle: { postStart: { exec: { command: ['node', `${bootFolder}/install.cjs`] } } },
  resources: resources ?? usual(pod),
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    readOnlyRootFilesystem: true,
    runAsNonRoot: userOf(pod, container) !== 0,
    runAsUser: userOf(pod, container),
    seccompProfile: { type: 'RuntimeDefault' },
  },
  volumeMounts: [
    { name: volumes.agent, mountPath: agentFolder },
    { name: volumes.boot, mountPath: bootFolder, readOnly: true },
  ],
})

/** Fields that start, stop or probe the image's program, which does not run. */
const replaced = new Set([
  'command',
  'args',
  'lifecycle',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'stdin',
  'tty',
])

const developed = (container: JsonObject, { keeps = [], port }: AgentSettings, isFilled: boolean): JsonObject => ({
  ...Object.fromEntries(Object.entries(container).filter(([name]) => !replaced.has(name) || keeps.includes(name))),
  command: [`${agentFolder}/sh`, `${agentFolder}/pid1.sh`],
  env: [
    ...listAt(container, 'env'),
    ...(port === defaultPort ? [] : [{ name: 'DEVTOOL_AGENT_PORT', value: String(port) }]),
    ...(isFilled ? [{ name: 'DEVTOOL_AGENT_FILLS', value: 'yes' }] : []),
  ],
  volumeMounts: [
    ...listAt(container, 'volumeMounts'),
    { name: volumes.agent, mountPath: agentFolder },
    { name: volumes.keys, mountPath: keysFolder, readOnly: true },
  ],
})

/**
 * Copies the image's files into the volumes that will be mounted over them, as long as those are empty. `mounts`: those of
 * the developed container. Containers start one after the other, each when the hook of the one before has ended; the end
 * of an init container is seen up to a second late.
 */
const filler = (
  pod: JsonObject,
  { image, imagePullPolicy, securityContext }: JsonObject,
  { resources }: AgentSettings,
  mounts: ReadonlyArray<JsonObject>,
): JsonObject => {
  const pairs = mounts.flatMap((mount, index) => [textAt(mount, 'mountPath') ?? '', `${fillFolder}/${index}`])
  return {
    name: fillerName,
    ...defined({ image, imagePullPolicy, securityContext }),
    command: [`${agentFolder}/sh`, '-c', REST],
    stdin: true,
    lifecycle: { postStart: { exec: { command: [`${agentFolder}/node`, '-e', FILL, ...pairs] } } },
    env: ['NODE_OPTIONS', 'LD_PRELOAD'].map((name) => ({ name, value: '' })),
    resources: resources ?? usual(pod),
    volumeMounts: [
      { name: volumes.agent, mountPath: agentFolder },
      ...mounts.map((mount, index) => ({ ...mount, mountPath: `${fillFolder}/${index}` })),
    ],
  }
}

export const isContainerNamed =
  (name: string) =>
  (container: Json): container is JsonObject =>
    isObject(container) && textAt(container, 'name') === name

/**
 * The pod spec with the agent in the container of this name; `undefined` when there is no such container. `filled`: mounts
 * of volumes into which the image's files are copied first.
 */
export const withAgent = (
  pod: JsonObject,
  container: string,
  settings: AgentSettings,
  filled: ReadonlyArray<JsonObject> = [],
): JsonObject | undefined => {
  const containers = listAt(pod, 'containers')
  const original = containers.find(isContainerNamed(container))
  if (original === undefined) return undefined
  const { agent, boot, keys } = volumes
  return {
    ...pod,
    containers: [
      installer(pod, original, settings),
      ...(filled.length === 0 ? [] : [filler(pod, original, settings, filled)]),
      ...containers.map((one) => (one === original ? developed(original, settings, filled.length > 0) : one)),
    ],
    volumes: [
      ...listAt(pod, 'volumes'),
      { name: agent, emptyDir: {} },
      { name: boot, configMap: { name: settings.files } },
      // Readable for whichever user the container runs as.
      {
        name: keys,
        secret: {
          secretName: settings.keys,
          defaultMode: 0o444,
          items: mountedKeys.map((key) => ({ key, path: key })),
        },
      },
    ],
  }
}
